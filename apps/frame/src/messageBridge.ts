import {
  answerTo,
  frameTexts,
  type ReadRequest,
  type ReadyPayload,
  readAppMessage,
  refusalTo,
} from '@latchkey/protocol/frame/messages'
import { fitsInSize } from './payloadSize.ts'
import { publicErrorMessage } from './publicError.ts'

/** Who asks, and until when. */
export interface Caller {
  /** The page that embeds us, as the browser reports it. */
  readonly origin: string
  /** Whether it took our port: such a page is one of ours, and shows us when an answer takes a while. */
  readonly byPort: boolean
  /** Aborted when the door closes. */
  readonly signal: AbortSignal
}

/** The window that the door stands in. */
export type MessageBridgeWindow = Pick<Window, 'addEventListener' | 'removeEventListener' | 'parent' | 'location'> & {
  readonly document: Pick<Document, 'referrer'>
}

/** What the door needs. */
export interface MessageBridgeDependencies {
  readonly window: MessageBridgeWindow
  /** The payload of the success, or a throw: a `PublicError` is told word by word. */
  readonly answer: (question: ReadRequest, caller: Caller) => Promise<unknown>
  readonly now: () => number
}

/** The one way in and out of the frame. */
export interface MessageBridge {
  /** The page that embeds us, as the browser reports it; `undefined` until that is known. */
  readonly embedder: () => string | undefined
  /** Says READY, as soon as it is known to whom. */
  sayReady(payload: ReadyPayload): void
  close(): void
}

/** At most this much text in one message. A message of our own page is far below. */
const maxMessageSize = 1_000_000
/** So many questions may wait for their answers at once. */
const maxPendingRequests = 128
/** So many messages at once, and so many more each second; what comes above is not heard. */
const maxBurst = 400
const messagesPerSecond = 100
/** So many answered ids are remembered, so that a repeated message is not answered twice. */
const maxRememberedIds = 1_000

/**
 * Opens the door: hears the page that embeds us and nobody else. Who that is, the browser says: a message's source
 * must be our parent, its origin the parent's as `ancestorOrigins` has it, and it never changes afterwards. Which pages may embed us
 * at all is the server's word, in `frame-ancestors`, and once more behind this door.
 */
export function createMessageBridge({ window, answer, now }: MessageBridgeDependencies): MessageBridge {
  const page = window.parent
  const embedded = page !== (window as unknown)
  const closing = new AbortController()
  const pendingIds = new Set<string>()
  const answeredIds = new Set<string>()
  let embedder = embedded ? reportedEmbedder(window) : undefined
  let port: MessagePort | undefined
  let ready: ReadyPayload | undefined
  let pendingCount = 0
  let allowance = maxBurst
  let lastHeardAt = now()

  const post = (message: object): void => {
    if (closing.signal.aborted) return
    // Somebody opened the frame's own address: there is nobody to talk to.
    if (!embedded) console.error('W3mFrame: parent is not set')
    else if (port) port.postMessage(message)
    else if (embedder !== undefined) page.postMessage(message, embedder)
  }

  const isFlooding = (): boolean => {
    const at = now()
    allowance = Math.min(maxBurst, allowance + ((at - lastHeardAt) / 1000) * messagesPerSecond)
    lastHeardAt = at
    if (allowance < 1) return true
    allowance -= 1
    return false
  }

  const accept = (question: ReadRequest, origin: string): void => {
    const { id } = question
    if (id !== undefined && (pendingIds.has(id) || answeredIds.has(id))) return
    if (pendingCount >= maxPendingRequests) {
      post(refusalTo(question, 'Too many requests'))
      return
    }
    if (id !== undefined) pendingIds.add(id)
    pendingCount += 1
    const settle = (message: object): void => {
      pendingCount -= 1
      if (id !== undefined) {
        pendingIds.delete(id)
        answeredIds.add(id)
        const [oldest] = answeredIds
        if (answeredIds.size > maxRememberedIds && oldest !== undefined) answeredIds.delete(oldest)
      }
      post(message)
    }
    answer(question, { origin, byPort: port !== undefined, signal: closing.signal }).then(
      (result) => settle(answerTo(question, result as never)),
      (error: unknown) => settle(refusalTo(question, publicErrorMessage(error))),
    )
  }

  const receive = (data: unknown, ports: readonly MessagePort[], origin: string): void => {
    if (isFlooding() || !fitsInSize(data, maxMessageSize)) return
    const message = readAppMessage(data)
    if (message.kind === 'question') accept(message.question, origin)
    if (message.kind === 'malformed') post(refusalTo(message, message.complaint))
    if (message.kind === 'port' && ports[0] && !port) {
      port = ports[0]
      port.onmessage = (event) => receive(event.data, [], origin)
    }
  }

  const sayReady = (payload: ReadyPayload): void => {
    ready = payload
    post({ type: '@w3m-frame/READY', payload })
  }

  const onMessage = (event: MessageEvent): void => {
    if (port || !embedded || event.source !== page || !isWebOrigin(event.origin)) return
    if (embedder !== undefined && event.origin !== embedder) return
    if (embedder === undefined) {
      embedder = event.origin
      if (ready) sayReady(ready)
    }
    receive(event.data, event.ports, event.origin)
  }

  window.addEventListener('message', onMessage)
  return {
    embedder: () => embedder,
    sayReady,
    close() {
      closing.abort(new Error(frameTexts.aborted))
      window.removeEventListener('message', onMessage)
      port?.close()
    },
  }
}

/**
 * Who embeds us, by the browser: the nearest ancestor, or where there is no such list (Firefox) the referrer, which a page may withhold
 * but not forge. When neither says, the first message settles it.
 */
function reportedEmbedder({ location, document }: MessageBridgeWindow): string | undefined {
  const nearest = location.ancestorOrigins?.[0] ?? originOf(document.referrer)
  return nearest !== undefined && isWebOrigin(nearest) ? nearest : undefined
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}

/** A page that has an address of its own: not `null` (sandboxed, data:, file:). */
function isWebOrigin(origin: string): boolean {
  return /^https?:\/\/[^/]+$/.test(origin)
}
