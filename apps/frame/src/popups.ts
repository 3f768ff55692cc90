import { popupMessage } from '@latchkey/protocol/http/vault'
import { read } from '@latchkey/protocol/schemas'

/** The frame's side of a sign-in popup: both are of one origin, and what they say to each other no page can read. */
export interface Popups {
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
export function createPopups(channel: () => BroadcastChannel): Popups {
  let opened: BroadcastChannel | undefined
  let sent: string | undefined
  /** A popup is on its way there: the next one that waits belongs to another sign-in. */
  let gone = false
  let brought: string | undefined
  let waiting: ((resultUri: string) => void)[] = []

  const open = (): BroadcastChannel => {
    if (opened) return opened
    opened = channel()
    opened.onmessage = ({ data }) => {
      const said = read(popupMessage, data)
      if (!said || sent === undefined) return
      if ('waiting' in said && !gone) opened?.postMessage({ uri: sent })
      if ('going' in said && said.going === sent) gone = true
      if ('resultUri' in said && brought === undefined) {
        brought = said.resultUri
        for (const tell of waiting.splice(0)) tell(brought)
      }
    }
    return opened
  }

  const begin = (): void => {
    sent = undefined
    gone = false
    brought = undefined
    waiting = []
  }

  return {
    begin,
    send(uri) {
      begin()
      sent = uri
      open().postMessage({ uri })
    },
    isSent: (uri) => uri === sent,
    result: (signal) =>
      brought === undefined
        ? new Promise((resolve, reject) => {
            waiting.push(resolve)
            signal.addEventListener('abort', () => reject(signal.reason), { once: true })
          })
        : Promise.resolve(brought),
  }
}
