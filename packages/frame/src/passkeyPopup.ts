import { walletPath } from '@latchkey/protocol/http/vault'

/** The purpose for which the wallet page was opened. */
export type WalletPageIntent = 'new' | 'passkey'

/** The BroadcastChannel on which the wallet page reports completion. Only pages of this origin can receive it. */
const channelName = 'latchkey-wallet'

/** The part of the `Window` interface needed to open the wallet page. */
export type OpenerWindow = Pick<Window, 'open' | 'parent' | 'document'> & {
  readonly BroadcastChannel: typeof BroadcastChannel
}

/**
 * Whether this document can create passkeys. A top-level page can. In a frame, Chromium reports whether it is allowed; other browsers
 * are assumed not to allow it (Safari does not), and the wallet page creates them instead.
 */
export function canCreatePasskeys(window: Pick<Window, 'parent' | 'document'>): boolean {
  if (window.parent === (window as unknown)) return true
  const { featurePolicy } = window.document as Document & {
    readonly featurePolicy?: { allowsFeature(name: string): boolean }
  }
  return featurePolicy?.allowsFeature('publickey-credentials-create') === true
}

/**
 * Opens the wallet page on a user gesture, and resolves when it reports completion. `window.open` does not reveal whether the wallet page
 * opened: if the embedding page sets `Cross-Origin-Opener-Policy`, it returns `null` to a cross-origin frame in either case.
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

/** Notifies the opener of this page that it is done. */
export function notifyOpener(window: Pick<OpenerWindow, 'BroadcastChannel'>, intent: WalletPageIntent): void {
  const channel = new window.BroadcastChannel(channelName)
  channel.postMessage(intent)
  channel.close()
}
