// Stubs for dependencies of @solana/web3.js and the wallet adapter that pnpm-workspace.yaml removes: node sockets and mobile wallets.
// These pages never use them.

/** Replaces `CommonClient` of rpc-websockets. */
export class CommonClient {
  on(): void {}
}

/** Replaces `WebSocket` of rpc-websockets. */
export function WebSocket(): never {
  throw new Error('WebSockets are not available on this page.')
}

/** Replaces @solana-mobile/wallet-adapter-mobile, which is only used on phones. */
export class SolanaMobileWalletAdapter {}
export const SolanaMobileWalletAdapterWalletName = 'Mobile Wallet Adapter'
export const createDefaultAddressSelector = (): undefined => undefined
export const createDefaultAuthorizationResultCache = (): undefined => undefined
export const createDefaultWalletNotFoundHandler = (): undefined => undefined
