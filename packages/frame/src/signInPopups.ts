import { popupMessage } from '@latchkey/protocol/http/keys'
import { read } from '@latchkey/protocol/parseWithSchema'

/** The frame's side of a sign-in popup. The frame and the popup have the same origin, so no page can read their messages. */
export interface SignInPopups {
  /** Starts a new sign-in and discards the previous sign-in's URI. */
  begin(): void
  /** Redirects the popup that is waiting, or the next popup that waits, to `uri`. Discards the result of an earlier popup. */
  send(uri: string): void
  /** Whether `uri` is the URI to which the popup was redirected, rather than its result. */
  isSent(uri: string): boolean
  /** Resolves to the popup's result URI, even if the URI has already arrived. */
  result(signal: AbortSignal): Promise<string>
}

/** Creates sign-in popups that communicate through a BroadcastChannel on this origin. */
export function createSignInPopups(channel: () => BroadcastChannel): SignInPopups {
  let opened: BroadcastChannel | undefined
  let sentUri: string | undefined
  /** Whether a popup is already redirecting to `sentUri`. If so, the next popup that waits belongs to a different sign-in. */
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
        for (const resolve of waiting.splice(0)) resolve(resultUri)
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
      new Promise((resolve, reject) => {
        if (resultUri !== undefined) return resolve(resultUri)
        waiting.push(resolve)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  }
}
