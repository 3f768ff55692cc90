export { type SolanaAdapterOptions, solanaAdapter } from './solanaAdapter.ts'
