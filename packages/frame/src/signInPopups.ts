import { popupMessage } from '@latchkey/protocol/http/vault'
import { read } from '@latchkey/protocol/parseWithSchema'

/** The frame's side of a sign-in popup. Both have the same origin, so no page can read their messages. */
export interface SignInPopups {
  /** Starts another sign-in and discards the URI of the previous one. */
  begin(): void
  /** Redirects the waiting popup, or the next one that waits, to `uri`. The result of an earlier popup is discarded. */
  send(uri: string): void
  /** Whether `uri` is the URI that the popup was redirected to, not its result. */
  isSent(uri: string): boolean
  /** Resolves to the popup's result URI, even if it has already arrived. */
  result(signal: AbortSignal): Promise<string>
}

/** Creates sign-in popups that communicate over a BroadcastChannel of this origin. */
export function createSignInPopups(channel: () => BroadcastChannel): SignInPopups {
  let opened: BroadcastChannel | undefined
  let sentUri: string | undefined
  /** Whether a popup is already redirecting to `sentUri`. The next waiting popup belongs to another sign-in. */
  let isRedirected = false
  let resultUri: string | undefined
  let waiting: ((resultUri: string) => void)[] = []

  const open = (): BroadcastChannel => {
    if (opened) return opened
    opened = channel()
    opened.onmessage = ({ data }) => {
      const message = read(popupMessage, data)
      if (!message || sentUri === undefined) return
      if ('waiting' in message && !isRedirected) opened?.postMessage({ uri: sentUri })
      if ('going' in message && message.going === sentUri) isRedirected = true
      if ('resultUri' in message && resultUri === undefined) {
        resultUri = message.resultUri
        for (const tell of waiting.splice(0)) tell(resultUri)
      }
    }
    return opened
  }

  const begin = (): void => {
    sentUri = undefined
    isRedirected = false
    resultUri = undefined
    waiting = []
  }

  return {
    begin,
    send(uri) {
      begin()
      sentUri = uri
      open().postMessage({ uri })
    },
    isSent: (uri) => uri === sentUri,
    result: (signal) =>
      resultUri === undefined
        ? new Promise((resolve, reject) => {
            waiting.push(resolve)
            signal.addEventListener('abort', () => reject(signal.reason), { once: true })
          })
        : Promise.resolve(resultUri),
  }
}
