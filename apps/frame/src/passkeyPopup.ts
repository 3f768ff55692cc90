import { walletPath } from '@latchkey/protocol/http/vault'

/** What the page of our own was opened for. */
export type WalletPageIntent = 'new' | 'passkey'

/** The name of the BroadcastChannel on which that page says that it is done; only pages of this origin hear it. */
const channelName = 'latchkey-wallet'

/** The window that a page of our own is opened from. */
export type OpenerWindow = Pick<Window, 'open' | 'parent' | 'document'> & {
  readonly BroadcastChannel: typeof BroadcastChannel
}

/**
 * Whether this document may make passkeys. A top-level page may; in a frame Chromium says so, and whoever does not say (Safari refuses
 * it there) is taken at the word of its silence: then a page of our own makes them.
 */
export function canCreatePasskeys(window: Pick<Window, 'parent' | 'document'>): boolean {
  if (window.parent === (window as unknown)) return true
  const { featurePolicy } = window.document as Document & {
    readonly featurePolicy?: { allowsFeature(name: string): boolean }
  }
  return featurePolicy?.allowsFeature('publickey-credentials-create') === true
}

/**
 * Opens the page of our own within a press, and resolves when it says that what it was opened for is done. Whether it opened is not
 * known: in a page under COOP the browser answers `null` to a frame of another origin either way.
 */
export function openPasskeyPopup(window: OpenerWindow, intent: WalletPageIntent): Promise<void> {
  const channel = new window.BroadcastChannel(channelName)
  window.open(`${walletPath}#${intent}`, '_blank', 'popup,width=480,height=760')
  return new Promise((resolve) => {
    channel.onmessage = ({ data }) => {
      if (data !== intent) return
      channel.close()
      resolve()
    }
  })
}

/** Tells whoever opened this page that it is done. */
export function notifyOpener(window: Pick<OpenerWindow, 'BroadcastChannel'>, intent: WalletPageIntent): void {
  const channel = new window.BroadcastChannel(channelName)
  channel.postMessage(intent)
  channel.close()
}
