import { walletPath } from '@latchkey/protocol/http/keys'

/** The purpose for which the wallet page is opened. */
export type WalletPageIntent = 'new' | 'passkey'

/**
 * The name of the BroadcastChannel on which the wallet page reports completion. Only pages of this origin can receive its
 * messages.
 */
const channelName = 'latchkey-wallet'

/** The subset of `Window` that is needed to open the wallet page. */
export type OpenerWindow = Pick<Window, 'open' | 'parent' | 'document'> & {
  readonly BroadcastChannel: typeof BroadcastChannel
}

/**
 * Whether this document can create passkeys. A top-level page always can. For a frame, Chromium reports whether the frame is
 * allowed to. Other browsers are assumed not to allow it (Safari does not), so the passkey is created on the wallet page instead.
 */
export function canCreatePasskeys(window: Pick<Window, 'parent' | 'document'>): boolean {
  if (window.parent === (window as unknown)) return true
  const { featurePolicy } = window.document as Document & {
    readonly featurePolicy?: { allowsFeature(name: string): boolean }
  }
  return featurePolicy?.allowsFeature('publickey-credentials-create') === true
}

/**
 * Opens the wallet page in response to a click. Resolves when the page reports completion. The return value of `window.open` does
 * not reveal whether the page opened, because a cross-origin frame always gets `null` if the embedding page sets
 * `Cross-Origin-Opener-Policy`.
 */
export function openWalletPagePopup(window: OpenerWindow, intent: WalletPageIntent): Promise<void> {
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

/** Notifies this page's opener that the task is complete. */
export function notifyOpener(window: Pick<OpenerWindow, 'BroadcastChannel'>, intent: WalletPageIntent): void {
  const channel = new window.BroadcastChannel(channelName)
  channel.postMessage(intent)
  channel.close()
}
