export { type EvmOptions, evm } from './evmAdapter.ts'
export { type Eip1193Wallet, type EvmWallet, type EvmWallets, eip1193 } from './evmConnector.ts'
export type { EvmSession } from './evmSession.ts'
export type { EvmProvider } from './providerProxy.ts'
