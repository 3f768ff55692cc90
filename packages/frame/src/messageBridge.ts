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

/** The sender of a request. */
export interface Caller {
  /** The origin of the embedding page, as reported by the browser. */
  readonly origin: string
  /** Whether the page uses the MessagePort. Such a page runs our SDK, which shows the frame when a response takes a while. */
  readonly byPort: boolean
  /** Aborted when the bridge closes. */
  readonly signal: AbortSignal
}

/** The subset of `Window` that the bridge uses. */
export type MessageBridgeWindow = Pick<Window, 'addEventListener' | 'parent' | 'location'> & {
  readonly document: Pick<Document, 'referrer'>
}

/** The dependencies of the message bridge. */
export interface MessageBridgeDependencies {
  readonly window: MessageBridgeWindow
  /**
   * Resolves to the success payload or rejects. If it rejects with a `PublicError`, the page receives the error's message
   * unchanged.
   */
  readonly answer: (question: ReadRequest, caller: Caller) => Promise<unknown>
  readonly now: () => number
}

/** The messaging channel between the frame and the embedding page. */
export interface MessageBridge {
  /** Returns the embedding page's origin as reported by the browser, or `undefined` until it is known. */
  readonly embedder: () => string | undefined
  /** Sends READY as soon as the embedding page's origin is known. */
  sayReady(payload: ReadyPayload): void
  close(): void
}

/** The maximum size of a message in characters. Messages from our SDK are far smaller. */
const maxMessageSize = 1_000_000
/** The maximum number of pending requests. */
const maxPendingRequests = 128
/** The rate limit: the burst size and the number of messages per second. Excess messages are ignored. */
const maxBurst = 400
const messagesPerSecond = 100
/** The number of IDs of answered requests that are kept, so that a repeated message is not answered twice. */
const maxRememberedIds = 1_000

/**
 * Creates the bridge. It only accepts messages from the embedding page, as identified by the browser: the source must be the
 * parent window, and the origin must be the one that the browser reports for the parent, and must never change. The server uses
 * `frame-ancestors` to restrict which pages can embed the frame, and the request handler checks the page again.
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
    // The frame's URL was opened directly, so there is no page to respond to.
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

  window.addEventListener('message', onMessage, { signal: closing.signal })
  return {
    embedder: () => embedder,
    sayReady,
    close() {
      closing.abort(new Error(frameTexts.aborted))
      port?.close()
    },
  }
}

/**
 * Returns the embedding page's origin as reported by the browser. It is the nearest ancestor, or the referrer in browsers without
 * `ancestorOrigins` (Firefox). A page can withhold the referrer but cannot forge it. If neither is available, the origin of the
 * first message is used.
 */
function reportedEmbedder({ location, document }: MessageBridgeWindow): string | undefined {
  const nearest = location.ancestorOrigins?.[0] ?? originOf(document.referrer)
  return nearest !== undefined && isWebOrigin(nearest) ? nearest : undefined
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}

/** Whether `origin` is an HTTP or HTTPS origin, as opposed to `null` for a sandboxed page or a `data:` or `file:` URL. */
function isWebOrigin(origin: string): boolean {
  return /^https?:\/\/[^/]+$/.test(origin)
}
