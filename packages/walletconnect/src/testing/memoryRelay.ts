import { fromBase64Url, fromUtf8 } from '@latchkey/protocol/bytes'
import { readFrame, writeFrame } from '@latchkey/protocol/relay'
import type { Socket } from '../relay/transport.ts'

/** An in-memory relay for tests, with controllable faults. */
export interface MemoryRelay {
  /** Pass it to clients as `connect`. */
  readonly connect: (url: string) => Socket
  /** Closes every connection (to `address`, if given) and rejects new connections until `up`. Stored messages are kept unless `forget` is set. */
  down(options?: { forget?: boolean; address?: string }): void
  up(address?: string): void
  /** Closes every connection with this code. */
  close(code: number, reason: string): void
  /** Refuses current and future connections, as with an invalid token. `undefined` accepts connections again. */
  refuse(reason: string | undefined): void
  /** Stops responding while connections appear open. */
  mute(on: boolean): void
  /** Sets the fault that applies to the next deliveries. */
  script(fault: 'twice' | 'reversed' | 'held' | 'none'): void
  /** Delivers held messages. */
  release(): void
  /** All calls from clients. */
  readonly calls: readonly { readonly method: string; readonly params: Record<string, unknown> }[]
  /** The URLs opened by clients. */
  readonly urls: readonly string[]
  /** Sends raw text to every client. */
  say(text: string): void
  /** Delivers a message from an unknown client to all subscribers of `topic`. */
  inject(topic: string, message: string): void
}

interface End {
  readonly url: string
  /** The client in the token. Its own messages are never delivered back to it, on any connection. */
  readonly client: string
  readonly socket: Socket & { readyState: number }
  readonly topics: Set<string>
  readonly unacknowledged: Map<string, Letter>
}

interface Letter {
  readonly topic: string
  readonly message: string
  readonly tag: number
  readonly from: string | undefined
}

/** Creates an in-memory relay for tests. */
export function memoryRelay(): MemoryRelay {
  const ends = new Set<End>()
  const mailbox = new Map<string, Letter[]>()
  const calls: { method: string; params: Record<string, unknown> }[] = []
  const urls: string[] = []
  const downAt = new Set<string>()
  let isMute = false
  let refusing: string | undefined
  let fault: 'twice' | 'reversed' | 'held' | 'none' = 'none'
  let held: (() => void)[] = []
  let nextId = 1

  const soon = (act: () => void): void => queueMicrotask(act)

  const push = (end: End, letter: Letter): void => {
    const id = String(nextId++)
    end.unacknowledged.set(id, letter)
    const { topic, message, tag } = letter
    const data = { topic, message, tag, publishedAt: 0, attestation: null }
    const send = (): void => {
      if (!ends.has(end) || isMute) return
      const text = writeFrame(id, { method: 'irn_subscription', params: { id: 's', data } })
      end.socket.onmessage?.({ data: text })
    }
    if (fault === 'held' || fault === 'reversed') held.push(send)
    else soon(send)
    if (fault === 'twice') soon(send)
  }

  const offer = (letter: Letter): void => {
    const box = mailbox.get(letter.topic) ?? []
    mailbox.set(letter.topic, [...box, letter])
    for (const end of ends) if (end.client !== letter.from && end.topics.has(letter.topic)) push(end, letter)
  }

  const subscribe = (end: End, topic: string): string => {
    end.topics.add(topic)
    for (const letter of mailbox.get(topic) ?? []) if (letter.from !== end.client) push(end, letter)
    return `sub-${topic.slice(0, 6)}`
  }

  const act = (end: End, method: string, params: Record<string, unknown>): unknown => {
    switch (method) {
      case 'irn_publish':
        offer({ ...(params as { topic: string; message: string; tag: number }), from: end.client })
        return true
      case 'irn_subscribe':
        return subscribe(end, String(params.topic))
      case 'irn_batchSubscribe':
        return (params.topics as string[]).map((topic) => subscribe(end, topic))
      case 'irn_unsubscribe':
        return end.topics.delete(String(params.topic))
      default:
        return undefined
    }
  }

  const take = (end: End, text: string): void => {
    const frame = readFrame(text)
    if (!frame?.id || isMute) return
    const { id, body } = frame
    const letter = end.unacknowledged.get(id)
    if (letter && !('method' in body)) {
      end.unacknowledged.delete(id)
      mailbox.set(
        letter.topic,
        (mailbox.get(letter.topic) ?? []).filter((each) => each !== letter),
      )
      return
    }
    const { method, params } = body as { method: string; params: Record<string, unknown> }
    calls.push({ method, params })
    const result = act(end, method, params)
    const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }
    soon(() => ends.has(end) && end.socket.onmessage?.({ data: writeFrame(id, answer) }))
  }

  const breakAll = (code: number, reason: string, address = ''): void => {
    for (const end of [...ends]) {
      if (!end.url.startsWith(address)) continue
      ends.delete(end)
      end.socket.readyState = 3
      end.socket.onclose?.({ code, reason })
    }
  }

  return {
    calls,
    urls,
    connect(url) {
      urls.push(url)
      const socket: End['socket'] = {
        readyState: 0,
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
        send: (text) => soon(() => take(end, text)),
        close: () => void ends.delete(end),
      }
      const end: End = { url, client: clientOf(url), socket, topics: new Set(), unacknowledged: new Map() }
      soon(() => {
        if ([...downAt].some((address) => url.startsWith(address))) {
          socket.onclose?.({ code: 1006, reason: '' })
          return
        }
        socket.readyState = 1
        socket.onopen?.(undefined as never)
        if (refusing === undefined) ends.add(end)
        else socket.onclose?.({ code: 3000, reason: refusing })
      })
      return socket
    },
    down({ forget = false, address = '' } = {}) {
      downAt.add(address)
      if (forget) mailbox.clear()
      breakAll(1006, '', address)
    },
    up(address) {
      if (address === undefined) downAt.clear()
      else downAt.delete(address)
    },
    close: (code, reason) => breakAll(code, reason),
    refuse(reason) {
      refusing = reason
      if (reason !== undefined) breakAll(3000, reason)
    },
    mute(on) {
      isMute = on
    },
    script(next) {
      fault = next
    },
    release() {
      const all = fault === 'reversed' ? held.reverse() : held
      held = []
      fault = 'none'
      for (const send of all) soon(send)
    },
    say(text) {
      for (const end of ends) end.socket.onmessage?.({ data: text })
    },
    inject(topic, message) {
      offer({ topic, message, tag: 0, from: undefined })
    },
  }
}

function clientOf(url: string): string {
  const [, claims = ''] = new URL(url).searchParams.get('auth')?.split('.') ?? []
  const text = fromBase64Url(claims)
  return text ? String((JSON.parse(fromUtf8(text) ?? '{}') as { iss?: unknown }).iss) : ''
}
