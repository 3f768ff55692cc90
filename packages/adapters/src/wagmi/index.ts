export {
  type LatchkeyConnector,
  latchkeyConnector,
  type WagmiAccounts,
  type WagmiConnectorConfig,
} from './latchkeyConnector.ts'
export type { LatchkeyForWagmi, WagmiConfig, WagmiConnector, WagmiEmitter, WagmiStorage } from './types.ts'
export { wagmiWallets } from './wagmiWallets.ts'
