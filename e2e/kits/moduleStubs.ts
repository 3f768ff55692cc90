// Stubs for dependencies of @solana/web3.js and the wallet adapter (Node sockets and mobile wallets) that pnpm-workspace.yaml
// removes because these pages never use them.

/** Replaces `CommonClient` from rpc-websockets. */
export class CommonClient {
  on(): void {}
}

/** Replaces `WebSocket` from rpc-websockets. */
export function WebSocket(): never {
  throw new Error('WebSockets are not available on this page.')
}

/** Replaces @solana-mobile/wallet-adapter-mobile, which is only used on phones. */
export class SolanaMobileWalletAdapter {}
export const SolanaMobileWalletAdapterWalletName = 'Mobile Wallet Adapter'
export const createDefaultAddressSelector = (): undefined => undefined
export const createDefaultAuthorizationResultCache = (): undefined => undefined
export const createDefaultWalletNotFoundHandler = (): undefined => undefined
