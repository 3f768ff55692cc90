import type { Clock } from '@latchkey/protocol/clock'
import { heartbeatMs } from '@latchkey/protocol/constants'
import { LatchkeyError } from '@latchkey/protocol/errors'
import { failure, relayFailure } from '@latchkey/protocol/errors/errorMessages'
import { readFrame, writeFrame } from '@latchkey/protocol/relay'

/** Total timeout of a call, across reconnects. */
const callMs = 60_000
/** Timeout for opening a connection. */
const openMs = 15_000
/** Timeout for opening a connection if another address is available. */
const openElseMs = 5_000
/** A connection with a pending call that receives no data for this long is treated as dead, even if the browser reports it as open. */
const silentMs = 15_000
/** Delays between reconnect attempts. The last one repeats. */
const backOff = [100, 200, 500, 1_000, 2_000, 5_000] as const
/** Cooldown of a failed address. Doubles with each failure; used only while another address is available. */
const restMs = 1_000
/** Maximum cooldown of an address. */
const maxRestMs = 60_000
/** Close code of a permanent refusal. Retrying with the same parameters does not help. */
const refusedCode = 3000
/** Close code for too many requests. Wait the maximum delay right away. */
const rateLimitedCode = 3001

/** The part of the `WebSocket` interface that is used. */
export interface Socket {
  readonly readyState: number
  send(text: string): void
  close(code?: number): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null
  onerror: ((event: never) => void) | null
}

/** The state of the relay connection. */
export type RelayState = 'idle' | 'connecting' | 'open' | 'refused'

/** A relay connection with automatic reconnect and failover between addresses. Carries JSON-RPC 2.0 calls in both directions. */
export interface Transport {
  readonly state: RelayState
  /** The address of the open connection. */
  readonly address: string | undefined
  /** Calls a relay method. Connects if necessary, and repeats the call after a reconnect. */
  call(method: string, params: unknown, options?: { signal?: AbortSignal | undefined }): Promise<unknown>
  /** Connects, and reconnects whenever the connection is lost. */
  open(): void
  /** Reconnects immediately. Call it when the device is back online or the page becomes visible. */
  reconnectNow(): void
  close(): void
}

interface Call {
  readonly id: string
  readonly method: string
  readonly params: unknown
  sentAt: number | undefined
  settle(error: LatchkeyError | undefined, result?: unknown): void
}

/** Connects to the first address that is not in cooldown. A working connection is kept; the next connection starts at the first address again. */
export function createTransport({
  addresses,
  urlFor,
  connect,
  clock,
  nextId,
  onOpen,
  onRequest,
  onStateChange = () => {},
}: {
  addresses: readonly [string, ...string[]]
  /** The full URL for an address, with a fresh token. */
  urlFor(address: string): Promise<string>
  connect(url: string): Socket
  clock: Clock
  nextId(): string
  /** Called when a connection opens. Subscriptions must be renewed. */
  onOpen(): void
  /**
   * Handles a request from the relay. Resolve with `true` to acknowledge it. If the promise rejects, no acknowledgement is sent
   * and the relay retries.
   */
  onRequest(method: string, params: unknown): Promise<true>
  onStateChange?: (state: RelayState, error?: LatchkeyError) => void
}): Transport {
  const calls = new Map<string, Call>()
  const healths = addresses.map((address) => ({ address, failures: 0, restsUntil: 0 }))
  let state: RelayState = 'idle'
  let socket: Socket | undefined
  let keepOpen = false
  let attempts = 0
  /** The address of the latest attempt. */
  let current = healths[0] as (typeof healths)[number]
  let heardAt = 0
  let epoch = 0
  let stopWaiting: () => void = () => {}
  let stopBeating: () => void = () => {}

  const setState = (next: RelayState, error?: LatchkeyError): void => {
    if (state === next) return
    state = next
    onStateChange(next, error)
  }

  const drop = (): void => {
    epoch++
    stopWaiting()
    stopBeating()
    for (const call of calls.values()) call.sentAt = undefined
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
    current.restsUntil =
      clock.now() + (code === rateLimitedCode ? maxRestMs : Math.min(maxRestMs, restMs * 2 ** current.failures))
    current.failures++
    const longest = backOff.length - 1
    const wait = backOff[code === rateLimitedCode && !healths[1] ? longest : Math.min(attempts, longest)] as number
    attempts++
    setState('connecting')
    stopWaiting = clock.after(wait, () => void connectNow())
  }

  const refuse = (reason: string): void => {
    drop()
    keepOpen = false
    const code = relayFailure(reason)
    const error =
      code === 'relay/session-expired' || code === 'relay/invalid-key'
        ? failure(code)
        : code === 'app/origin-not-allowed'
          ? new LatchkeyError(code, { origin: globalThis.location?.origin ?? '' })
          : failure('relay/refused', { message: reason })
    setState('refused', error)
    for (const call of [...calls.values()]) call.settle(error)
  }

  const onMessage = (text: string): void => {
    heardAt = clock.now()
    // Reset the failure count here rather than on open: an address that accepts connections but sends nothing does not work.
    current.failures = 0
    const frame = readFrame(text)
    if (!frame?.id) return
    const { id, body } = frame
    if (typeof body.method === 'string') {
      const from = epoch
      onRequest(body.method, body.params).then(
        (result) => from === epoch && socket?.send(writeFrame(id, { result })),
        () => {},
      )
      return
    }
    const call = calls.get(id)
    if (!call) return
    const { error } = body as { error?: { message?: unknown; code?: unknown } | null }
    if (!error) call.settle(undefined, body.result)
    else call.settle(failure('relay/failed', { message: typeof error.message === 'string' ? error.message : '' }))
  }

  const beat = (): void => {
    const now = clock.now()
    const waiting = [...calls.values()].some(({ sentAt }) => sentAt !== undefined && now - sentAt >= silentMs)
    if (waiting && now - heardAt >= silentMs) retry(0)
    else stopBeating = clock.after(heartbeatMs, beat)
  }

  const connectNow = async (): Promise<void> => {
    drop()
    const mine = epoch
    setState('connecting')
    const ready = healths.filter(({ restsUntil }) => restsUntil <= clock.now())
    current = ready[0] ?? healths.reduce((best, each) => (each.restsUntil < best.restsUntil ? each : best))
    let url: string
    try {
      url = await urlFor(current.address)
    } catch {
      if (mine === epoch) retry(0)
      return
    }
    if (mine !== epoch) return
    let next: Socket
    try {
      next = connect(url)
    } catch {
      return retry(0)
    }
    socket = next
    stopWaiting = clock.after(ready[1] ? openElseMs : openMs, () => retry(0))
    next.onopen = () => {
      stopWaiting()
      attempts = 0
      heardAt = clock.now()
      setState('open')
      stopBeating = clock.after(heartbeatMs, beat)
      onOpen()
      for (const call of calls.values()) if (call.sentAt === undefined) write(call)
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
      return state === 'open' ? current.address : undefined
    },
    open() {
      keepOpen = true
      if (state === 'idle' || state === 'refused') void connectNow()
    },
    reconnectNow() {
      if (state === 'connecting' && !socket) void connectNow()
      else if (state === 'open') beat()
    },
    call(method, params, { signal } = {}) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(new LatchkeyError('request/aborted'))
        const id = JSON.stringify(nextId())
        const cancel = clock.after(callMs, () =>
          call.settle(failure('relay/unreachable', { address: new URL(current.address).host })),
        )
        const abort = (): void => call.settle(new LatchkeyError('request/aborted'))
        const call: Call = {
          id,
          method,
          params,
          sentAt: undefined,
          settle(error, result) {
            if (!calls.delete(id)) return
            cancel()
            signal?.removeEventListener('abort', abort)
            if (error) reject(error)
            else resolve(result)
          },
        }
        signal?.addEventListener('abort', abort)
        calls.set(id, call)
        if (state === 'open') write(call)
        else if (state !== 'connecting') void connectNow()
      })
    },
    close() {
      keepOpen = false
      for (const call of [...calls.values()]) call.settle(new LatchkeyError('request/aborted'))
      drop()
      setState('idle')
    },
  }
}
