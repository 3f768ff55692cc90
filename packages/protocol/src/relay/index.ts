export { type Frame, type RpcFailure, readFrame, writeFrame } from './frames.ts'
export * from './methods.ts'
