export {
  type LatchkeyConnector,
  latchkeyConnector,
  type WagmiAccounts,
  type WagmiConnectorConfig,
} from './latchkeyConnector.ts'
export type { LatchkeyForWagmi, WagmiConfig, WagmiConnector, WagmiEmitter, WagmiStorage } from './wagmiTypes.ts'
export { wagmiWallets } from './wagmiWallets.ts'
