/** The provider info of an EIP-6963 announcement. */
export interface AnnouncedInfo {
  /** A UUID that identifies the wallet for the lifetime of the page (EIP-6963). */
  readonly uuid: string
  /** The display name of the wallet. */
  readonly name: string
  /** The icon, as a data URL. */
  readonly icon: string
  /** The wallet's reverse domain name, such as `dev.latchkey.scripted`. */
  readonly rdns: string
}

/** Announces a provider (EIP-6963) immediately and on request. Returns a function that stops announcing. */
export function announceProvider(info: AnnouncedInfo, provider: object, target: EventTarget): () => void {
  const detail = Object.freeze({ info, provider })
  const announce = (): void => {
    target.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  target.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => target.removeEventListener('eip6963:requestProvider', announce)
}

/** Sets `target.ethereum`, as older wallets do. Returns a function that removes it. */
export function injectProvider(provider: object, target: object): () => void {
  Object.defineProperty(target, 'ethereum', {
    value: provider,
    configurable: true,
    writable: true,
  })
  return () => {
    Reflect.deleteProperty(target, 'ethereum')
  }
}
