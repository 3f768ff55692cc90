import { popupMessage } from '@latchkey/protocol/http/vault'
import { read } from '@latchkey/protocol/schemas'

/** The frame's side of a sign-in popup: both are of one origin, and what they say to each other no page can read. */
export interface SignInPopups {
  /** Another sign-in begins: where the one before went is nobody's way any more. */
  begin(): void
  /** Sends the popup that waits, or the next one that does, to `uri`. What an earlier one would bring no longer counts. */
  send(uri: string): void
  /** Whether `uri` is where the popup was sent, and not what one brought back. */
  isSent(uri: string): boolean
  /** What the popup brings back. Who asks late is told as well. */
  result(signal: AbortSignal): Promise<string>
}

/** Popups over a channel of this origin. */
export function createSignInPopups(channel: () => BroadcastChannel): SignInPopups {
  let opened: BroadcastChannel | undefined
  let sentUri: string | undefined
  /** A popup is on its way there: the next one that waits belongs to another sign-in. */
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
