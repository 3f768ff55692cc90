// Stands for what the overrides of pnpm-workspace.yaml take from @solana/web3.js and the wallet adapter, and these pages never need: sockets
// to a node, and wallets of phones.

/** In the place of rpc-websockets. */
export class CommonClient {
  on(): void {}
}

/** In the place of its sockets. */
export function WebSocket(): never {
  throw new Error('There are no sockets here.')
}

/** In the place of @solana-mobile/wallet-adapter-mobile, which counts only on phones. */
export class SolanaMobileWalletAdapter {}
export const SolanaMobileWalletAdapterWalletName = 'Mobile Wallet Adapter'
export const createDefaultAddressSelector = (): undefined => undefined
export const createDefaultAuthorizationResultCache = (): undefined => undefined
export const createDefaultWalletNotFoundHandler = (): undefined => undefined
