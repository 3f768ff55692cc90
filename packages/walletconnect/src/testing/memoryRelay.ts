import { fromBase64Url, fromUtf8 } from '@latchkey/protocol/bytes'
import { readFrame, writeFrame } from '@latchkey/protocol/relay'
import type { Socket } from '../relay/relayTransport.ts'

/** An in-memory relay that can simulate faults in tests. */
export interface MemoryRelay {
  /** Opens a socket. Pass this function to clients as `connect`. */
  readonly connect: (url: string) => Socket
  /**
   * Closes every connection (only those to `address`, if specified) and rejects new connections until `up` is called. Stored
   * messages are kept unless `forget` is set.
   */
  down(options?: { forget?: boolean; address?: string }): void
  /** Accepts connections to `address` again, or to every address if `address` is omitted. */
  up(address?: string): void
  /** Closes every connection with this code. */
  close(code: number, reason: string): void
  /**
   * Refuses current and future connections, as if their tokens were invalid. Accepts connections again if `reason` is
   * `undefined`.
   */
  refuse(reason: string | undefined): void
  /** Stops responding if `on` is `true`, although connections still appear to be open. */
  mute(on: boolean): void
  /** Sets the fault that applies to the next deliveries. */
  script(fault: 'twice' | 'reversed' | 'held' | 'none'): void
  /** Delivers held messages and ends the fault. */
  release(): void
  /** All calls that clients have made. */
  readonly calls: readonly { readonly method: string; readonly params: Record<string, unknown> }[]
  /** The URLs that clients have opened. */
  readonly urls: readonly string[]
  /** Sends raw text to every client. */
  sendText(text: string): void
  /** Delivers a message from an unknown client to all subscribers of `topic`. */
  inject(topic: string, message: string): void
}

interface Connection {
  readonly url: string
  /** The client ID in the token. A client never receives its own messages, on any connection. */
  readonly client: string
  readonly socket: Socket & { readyState: number }
  readonly topics: Set<string>
  readonly unacknowledged: Map<string, StoredMessage>
}

interface StoredMessage {
  readonly topic: string
  readonly message: string
  readonly tag: number
  readonly from: string | undefined
}

/**
 * Creates an in-memory relay for tests.
 *
 * @example
 * const relay = memoryRelay()
 * const client = await createClient({ relay: 'wss://relay.example.com', metadata, storage: memoryStorage(), connect: relay.connect })
 */
export function memoryRelay(): MemoryRelay {
  const connections = new Set<Connection>()
  const messagesByTopic = new Map<string, StoredMessage[]>()
  const calls: { method: string; params: Record<string, unknown> }[] = []
  const urls: string[] = []
  const downAt = new Set<string>()
  let isMute = false
  let refusing: string | undefined
  let fault: 'twice' | 'reversed' | 'held' | 'none' = 'none'
  let heldDeliveries: (() => void)[] = []
  let nextId = 1

  const push = (connection: Connection, stored: StoredMessage): void => {
    const id = String(nextId++)
    connection.unacknowledged.set(id, stored)
    const data = { topic: stored.topic, message: stored.message, tag: stored.tag, publishedAt: 0, attestation: null }
    const send = (): void => {
      if (!connections.has(connection) || isMute) return
      const text = writeFrame(id, { method: 'irn_subscription', params: { id: 's', data } })
      connection.socket.onmessage?.({ data: text })
    }
    if (fault === 'held' || fault === 'reversed') heldDeliveries.push(send)
    else queueMicrotask(send)
    if (fault === 'twice') queueMicrotask(send)
  }

  const publish = (stored: StoredMessage): void => {
    messagesByTopic.set(stored.topic, [...(messagesByTopic.get(stored.topic) ?? []), stored])
    for (const connection of connections)
      if (connection.client !== stored.from && connection.topics.has(stored.topic)) push(connection, stored)
  }

  const subscribe = (connection: Connection, topic: string): string => {
    connection.topics.add(topic)
    for (const stored of messagesByTopic.get(topic) ?? [])
      if (stored.from !== connection.client) push(connection, stored)
    return `sub-${topic.slice(0, 6)}`
  }

  const handleCall = (connection: Connection, method: string, params: Record<string, unknown>): unknown => {
    switch (method) {
      case 'irn_publish':
        publish({ ...(params as { topic: string; message: string; tag: number }), from: connection.client })
        return true
      case 'irn_subscribe':
        return subscribe(connection, String(params.topic))
      case 'irn_batchSubscribe':
        return (params.topics as string[]).map((topic) => subscribe(connection, topic))
      case 'irn_unsubscribe':
        return connection.topics.delete(String(params.topic))
      default:
        return undefined
    }
  }

  const receive = (connection: Connection, text: string): void => {
    const frame = readFrame(text)
    if (!frame?.id || isMute) return
    const { id, body } = frame
    const stored = connection.unacknowledged.get(id)
    if (stored && !('method' in body)) {
      connection.unacknowledged.delete(id)
      const remaining = (messagesByTopic.get(stored.topic) ?? []).filter((other) => other !== stored)
      messagesByTopic.set(stored.topic, remaining)
      return
    }
    const { method, params } = body as { method: string; params: Record<string, unknown> }
    calls.push({ method, params })
    const result = handleCall(connection, method, params)
    const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }
    queueMicrotask(() => connections.has(connection) && connection.socket.onmessage?.({ data: writeFrame(id, answer) }))
  }

  const breakAll = (code: number, reason: string, address = ''): void => {
    for (const connection of [...connections]) {
      if (!connection.url.startsWith(address)) continue
      connections.delete(connection)
      connection.socket.readyState = 3
      connection.socket.onclose?.({ code, reason })
    }
  }

  return {
    calls,
    urls,
    connect(url) {
      urls.push(url)
      const socket: Connection['socket'] = {
        readyState: 0,
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
        send: (text) => queueMicrotask(() => receive(connection, text)),
        close: () => void connections.delete(connection),
      }
      const connection: Connection = {
        url,
        client: clientOf(url),
        socket,
        topics: new Set(),
        unacknowledged: new Map(),
      }
      queueMicrotask(() => {
        if ([...downAt].some((address) => url.startsWith(address))) {
          socket.onclose?.({ code: 1006, reason: '' })
          return
        }
        socket.readyState = 1
        socket.onopen?.(undefined as never)
        if (refusing === undefined) connections.add(connection)
        else socket.onclose?.({ code: 3000, reason: refusing })
      })
      return socket
    },
    down({ forget = false, address = '' } = {}) {
      downAt.add(address)
      if (forget) messagesByTopic.clear()
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
      const all = fault === 'reversed' ? heldDeliveries.reverse() : heldDeliveries
      heldDeliveries = []
      fault = 'none'
      for (const send of all) queueMicrotask(send)
    },
    sendText(text) {
      for (const connection of connections) connection.socket.onmessage?.({ data: text })
    },
    inject(topic, message) {
      publish({ topic, message, tag: 0, from: undefined })
    },
  }
}

function clientOf(url: string): string {
  const [, claims = ''] = new URL(url).searchParams.get('auth')?.split('.') ?? []
  const text = fromBase64Url(claims)
  return text ? String((JSON.parse(fromUtf8(text) ?? '{}') as { iss?: unknown }).iss) : ''
}
