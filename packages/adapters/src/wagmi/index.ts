export {
  type LatchkeyConnector,
  latchkeyConnector,
  type WagmiAccounts,
  type WagmiConnectorConfig,
} from './connector.ts'
export type { LatchkeyForWagmi, WagmiConfig, WagmiConnector, WagmiEmitter, WagmiStorage } from './latchkey.ts'
export { wagmiWallets } from './wallets.ts'
