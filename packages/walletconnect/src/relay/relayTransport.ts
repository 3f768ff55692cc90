import type { Clock } from '@latchkey/protocol/clock'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { readFrame, writeFrame } from '@latchkey/protocol/relay'
import { heartbeatMs } from '@latchkey/protocol/specificationConstants'
import { createBackoff } from './backoff.ts'
import { type Call, createPendingCalls } from './pendingCalls.ts'
import { refusalError } from './refusalError.ts'
import { createRelayUrlPool } from './relayUrlPool.ts'

/** The timeout for opening a connection. */
const openMs = 15_000
/** The timeout for opening a connection if another address is available. */
const openWithAlternativeMs = 5_000
/**
 * How long a connection with a pending call can go without receiving data before it is treated as dead, even if the browser
 * reports it as open.
 */
const unresponsiveMs = 15_000
/** The close code for a permanent refusal. A retry with the same parameters would fail again. */
const refusedCode = 3000
/** The close code for too many requests. The first retry already uses the maximum delay. */
const rateLimitedCode = 3001

/** The part of the `WebSocket` interface that the client uses. */
export interface Socket {
  /** The state of the connection, as in `WebSocket`. */
  readonly readyState: number
  /** Sends a text message. */
  send(text: string): void
  /** Closes the connection. `code` is the close code (RFC 6455). */
  close(code?: number): void
  /** Called once the connection is open. */
  onopen: ((event: never) => void) | null
  /** Called with each message. Binary messages are ignored. */
  onmessage: ((event: { readonly data: unknown }) => void) | null
  /** Called when the connection has closed or could not be opened. `code` is the close code (RFC 6455). */
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null
  /** Called on errors, before `onclose`. */
  onerror: ((event: never) => void) | null
}

/** The state of the relay connection. */
export type RelayState = 'idle' | 'connecting' | 'open' | 'refused'

/** A relay connection for JSON-RPC 2.0 calls in both directions. It reconnects automatically and fails over between addresses. */
export interface Transport {
  readonly state: RelayState
  /** The address of the open connection, or `undefined` if no connection is open. */
  readonly address: string | undefined
  /** Calls a relay method. Connects if necessary, and sends the call again after a reconnect. */
  call(method: string, params: unknown, options?: { signal?: AbortSignal | undefined }): Promise<unknown>
  /** Connects, and reconnects whenever the connection is lost. */
  open(): void
  /**
   * Makes a pending reconnect attempt now, and checks an open connection. Call it when the device is online again or the page
   * visible.
   */
  reconnectNow(): void
  close(): void
}

/** The options of a transport. */
export interface TransportOptions {
  readonly addresses: readonly [string, ...string[]]
  /** Resolves to the full URL for an address, with a fresh token. */
  urlFor(address: string): Promise<string>
  connect(url: string): Socket
  readonly clock: Clock
  nextId(): string
  /** Called when a connection opens, so that subscriptions can be renewed. */
  onOpen(): void
  /**
   * Handles a request from the relay. Resolves to `true` to acknowledge the request. If the promise rejects, no acknowledgement
   * is sent, and the relay sends the request again.
   */
  onRequest(method: string, params: unknown): Promise<true>
  onStateChange?: (state: RelayState, error?: LatchkeyError) => void
}

/**
 * Creates a transport that connects to the first address that is not in cooldown. A working connection is kept. The next
 * connection prefers the first address again.
 */
export function createTransport(options: TransportOptions): Transport {
  const { addresses, urlFor, connect, clock, nextId, onOpen, onRequest, onStateChange = () => {} } = options
  const pool = createRelayUrlPool(addresses, clock)
  const calls = createPendingCalls(clock, () => pool.current)
  const backoff = createBackoff()
  let state: RelayState = 'idle'
  let socket: Socket | undefined
  let keepOpen = false
  let lastMessageAt = 0
  /** Identifies the current connection attempt, so that the results of earlier attempts are ignored. */
  let epoch = 0
  let cancelTimer: () => void = () => {}
  let cancelHeartbeat: () => void = () => {}

  const setState = (next: RelayState, error?: LatchkeyError): void => {
    if (state === next) return
    state = next
    onStateChange(next, error)
  }

  const drop = (): void => {
    epoch++
    cancelTimer()
    cancelHeartbeat()
    calls.connectionClosed()
    const old = socket
    socket = undefined
    if (!old) return
    old.onopen = old.onmessage = old.onclose = old.onerror = null
    old.close()
  }

  const write = (call: Call): void => {
    call.sentAt = clock.now()
    socket?.send(writeFrame(call.id, { method: call.method, params: call.params }))
  }

  const retry = (code: number): void => {
    drop()
    if (!keepOpen && calls.size === 0) {
      setState('idle')
      return
    }
    const rateLimited = code === rateLimitedCode
    pool.failed({ rateLimited })
    const delay = rateLimited && !pool.hasSeveral ? backoff.max() : backoff.next()
    setState('connecting')
    cancelTimer = clock.after(delay, () => void connectNow())
  }

  const refuse = (reason: string): void => {
    drop()
    keepOpen = false
    const error = refusalError(reason)
    setState('refused', error)
    calls.rejectAll(error)
  }

  const onMessage = (text: string): void => {
    lastMessageAt = clock.now()
    // Reset the failure count here rather than in `onopen`, because an address that accepts connections but sends nothing does
    // not work.
    pool.succeeded()
    const message = readFrame(text)
    if (!message?.id) return
    const { id, body } = message
    if (typeof body.method === 'string') {
      const requestEpoch = epoch
      onRequest(body.method, body.params).then(
        (result) => requestEpoch === epoch && socket?.send(writeFrame(id, { result })),
        () => {},
      )
    } else calls.settle(id, body)
  }

  const heartbeat = (): void => {
    if (calls.isOverdue(unresponsiveMs) && clock.now() - lastMessageAt >= unresponsiveMs) retry(0)
    else cancelHeartbeat = clock.after(heartbeatMs, heartbeat)
  }

  const connectNow = async (): Promise<void> => {
    drop()
    const ownEpoch = epoch
    setState('connecting')
    const { address, hasAlternative } = pool.select()
    let url: string
    try {
      url = await urlFor(address)
    } catch {
      if (ownEpoch === epoch) retry(0)
      return
    }
    if (ownEpoch !== epoch) return
    let next: Socket
    try {
      next = connect(url)
    } catch {
      return retry(0)
    }
    socket = next
    cancelTimer = clock.after(hasAlternative ? openWithAlternativeMs : openMs, () => retry(0))
    next.onopen = () => {
      cancelTimer()
      backoff.reset()
      lastMessageAt = clock.now()
      setState('open')
      cancelHeartbeat = clock.after(heartbeatMs, heartbeat)
      onOpen()
      for (const call of calls.unsent()) write(call)
    }
    next.onmessage = ({ data }) => {
      if (typeof data === 'string') onMessage(data)
    }
    next.onerror = () => {}
    next.onclose = ({ code, reason }) => {
      if (code === refusedCode) refuse(reason)
      else retry(code)
    }
  }

  return {
    get state() {
      return state
    },
    get address() {
      return state === 'open' ? pool.current : undefined
    },
    open() {
      keepOpen = true
      if (state === 'idle' || state === 'refused') void connectNow()
    },
    reconnectNow() {
      if (state === 'connecting' && !socket) void connectNow()
      else if (state === 'open') heartbeat()
    },
    async call(method, params, { signal } = {}) {
      if (signal?.aborted) throw new LatchkeyError('request/aborted')
      return calls.add({ id: JSON.stringify(nextId()), method, params, signal }, (call) => {
        if (state === 'open') write(call)
        else if (state !== 'connecting') void connectNow()
      })
    },
    close() {
      keepOpen = false
      calls.rejectAll(new LatchkeyError('request/aborted'))
      drop()
      setState('idle')
    },
  }
}
