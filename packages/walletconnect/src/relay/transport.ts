import type { Clock } from '@latchkey/protocol/clock'
import { heartbeatMs } from '@latchkey/protocol/constants'
import { LatchkeyError } from '@latchkey/protocol/errors'
import { failure, relayFailure } from '@latchkey/protocol/errors/errorMessages'
import { readFrame, writeFrame } from '@latchkey/protocol/relay'

/** How long a call may take in all, over as many connections as it needs. */
const callMs = 60_000
/** How long a connection may take to open. */
const openMs = 15_000
/** How long it may take where another address is ready. */
const openElseMs = 5_000
/** With a call unanswered and nothing heard for this long, a connection is dead, whatever the browser thinks of it. */
const silentMs = 15_000
/** The waits between attempts; the last repeats. */
const backOff = [100, 200, 500, 1_000, 2_000, 5_000] as const
/** How long an address rests that failed; twice as long after each failure, while there is another. */
const restMs = 1_000
/** The longest rest of an address. */
const maxRestMs = 60_000
/** A refusal: asking again with the same words changes nothing. */
const refusedCode = 3000
/** Too many requests: the longest wait at once. */
const rateLimitedCode = 3001

/** What of a `WebSocket` is used. */
export interface Socket {
  readonly readyState: number
  send(text: string): void
  close(code?: number): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null
  onerror: ((event: never) => void) | null
}

/** How it stands with the relay. */
export type RelayState = 'idle' | 'connecting' | 'open' | 'refused'

/** A connection to one of several addresses of a relay that mends itself, for calls of JSON-RPC 2.0 in both directions. */
export interface Transport {
  readonly state: RelayState
  /** The address of the open connection. */
  readonly address: string | undefined
  /** Calls the relay; opens a connection when there is none, and repeats the call on the next one when this one breaks. */
  call(method: string, params: unknown, options?: { signal?: AbortSignal | undefined }): Promise<unknown>
  /** Keeps a connection open from now on. */
  open(): void
  /** Tries at once instead of waiting: the device is online again, or the page is seen again. */
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

/**
 * Connects to the first of `addresses` that does not rest after a failure: a connection that works is kept, and the next one goes
 * back to the first address.
 */
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
  /** The whole URL for an address, with a fresh token. */
  urlFor(address: string): Promise<string>
  connect(url: string): Socket
  clock: Clock
  nextId(): string
  /** A connection has opened: what was subscribed must be asked for again. */
  onOpen(): void
  /** The relay asks. `true` is the acknowledgement; when the promise rejects none is sent, and the relay asks again. */
  onRequest(method: string, params: unknown): Promise<true>
  onStateChange?: (state: RelayState, error?: LatchkeyError) => void
}): Transport {
  const calls = new Map<string, Call>()
  const healths = addresses.map((address) => ({ address, failures: 0, restsUntil: 0 }))
  let state: RelayState = 'idle'
  let socket: Socket | undefined
  let keepOpen = false
  let attempts = 0
  /** The address that was tried last. */
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
    // An address that opens and says nothing is no good one.
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
