export { type EvmOptions, evm } from './evm.ts'
export type { EvmProvider } from './facade.ts'
export type { EvmSession } from './session.ts'
export { type Eip1193Wallet, type EvmWallet, type EvmWallets, eip1193 } from './wallet.ts'
