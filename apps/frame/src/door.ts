import {
  answerTo,
  frameTexts,
  type ReadRequest,
  type ReadyPayload,
  readAppMessage,
  refusalTo,
} from '@latchkey/protocol/frame/messages'
import { sentenceFor } from './refusal.ts'
import { weighsAtMost } from './weight.ts'

/** Who asks, and until when. */
export interface Asker {
  /** The page that embeds us, as the browser reports it. */
  readonly origin: string
  /** Whether it took our port: such a page is one of ours, and shows us when an answer takes a while. */
  readonly byPort: boolean
  /** Aborted when the door closes. */
  readonly signal: AbortSignal
}

/** The window that the door stands in. */
export type DoorWindow = Pick<Window, 'addEventListener' | 'removeEventListener' | 'parent' | 'location'> & {
  readonly document: Pick<Document, 'referrer'>
}

/** What the door needs. */
export interface DoorNeeds {
  readonly window: DoorWindow
  /** The payload of the success, or a throw: a `Refusal` is told word by word. */
  readonly answer: (question: ReadRequest, asker: Asker) => Promise<unknown>
  readonly now: () => number
}

/** The one way in and out of the frame. */
export interface Door {
  /** The page that embeds us, as the browser reports it; `undefined` until that is known. */
  readonly embedder: () => string | undefined
  /** Says READY, as soon as it is known to whom. */
  sayReady(payload: ReadyPayload): void
  close(): void
}

/** At most this much text in one message. A message of our own page is far below. */
const weightMost = 1_000_000
/** So many questions may wait for their answers at once. */
const openMost = 128
/** So many messages at once, and so many more each second; what comes above is not heard. */
const burstMost = 400
const perSecondMost = 100
/** So many answered ids are remembered, so that a repeated message is not answered twice. */
const rememberedMost = 1_000

/**
 * Opens the door: hears the page that embeds us and nobody else. Who that is, the browser says: a message's source
 * must be our parent, its origin the parent's as `ancestorOrigins` has it, and it never changes afterwards. Which pages may embed us
 * at all is the server's word, in `frame-ancestors`, and once more behind this door.
 */
export function openDoor({ window, answer, now }: DoorNeeds): Door {
  const page = window.parent
  const embedded = page !== (window as unknown)
  const closing = new AbortController()
  const open = new Set<string>()
  const answered = new Set<string>()
  let embedder = embedded ? reportedEmbedder(window) : undefined
  let port: MessagePort | undefined
  let ready: ReadyPayload | undefined
  let waiting = 0
  let allowance = burstMost
  let lastHeardAt = now()

  const post = (message: object): void => {
    if (closing.signal.aborted) return
    // Somebody opened the frame's own address: there is nobody to talk to.
    if (!embedded) console.error('W3mFrame: parent is not set')
    else if (port) port.postMessage(message)
    else if (embedder !== undefined) page.postMessage(message, embedder)
  }

  const floods = (): boolean => {
    const at = now()
    allowance = Math.min(burstMost, allowance + ((at - lastHeardAt) / 1000) * perSecondMost)
    lastHeardAt = at
    if (allowance < 1) return true
    allowance -= 1
    return false
  }

  const take = (question: ReadRequest, origin: string): void => {
    const { id } = question
    if (id !== undefined && (open.has(id) || answered.has(id))) return
    if (waiting >= openMost) {
      post(refusalTo(question, 'Too many requests'))
      return
    }
    if (id !== undefined) open.add(id)
    waiting += 1
    const settle = (message: object): void => {
      waiting -= 1
      if (id !== undefined) {
        open.delete(id)
        answered.add(id)
        const [oldest] = answered
        if (answered.size > rememberedMost && oldest !== undefined) answered.delete(oldest)
      }
      post(message)
    }
    answer(question, { origin, byPort: port !== undefined, signal: closing.signal }).then(
      (said) => settle(answerTo(question, said as never)),
      (error: unknown) => settle(refusalTo(question, sentenceFor(error))),
    )
  }

  const hear = (data: unknown, ports: readonly MessagePort[], origin: string): void => {
    if (floods() || !weighsAtMost(data, weightMost)) return
    const message = readAppMessage(data)
    if (message.kind === 'question') take(message.question, origin)
    if (message.kind === 'malformed') post(refusalTo(message, message.complaint))
    if (message.kind === 'port' && ports[0] && !port) {
      port = ports[0]
      port.onmessage = (event) => hear(event.data, [], origin)
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
    hear(event.data, event.ports, event.origin)
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
function reportedEmbedder({ location, document }: DoorWindow): string | undefined {
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
