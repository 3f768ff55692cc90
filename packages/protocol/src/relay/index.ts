export { type Frame, type RpcFailure, readFrame, writeFrame } from './jsonRpc.ts'
export * from './relayMessages.ts'
