import { frameLoadTimeoutMs, frameReadyDelayMs, frameRequestTimeoutMs, signOutTimeoutMs } from '../constants.ts'
import { failure, frameReports } from '../errors/errorMessages.ts'
import { LatchkeyError } from '../errors.ts'
import { frameError } from './frameError.ts'
import { createFramePort } from './framePort.ts'
import { type ChannelClock, createFrameReadiness } from './frameReadiness.ts'
import {
  type MethodName,
  type MethodParams,
  type MethodResult,
  methods,
  questionOf,
  type ReadAnswer,
  type ReadyPayload,
  readFrameMessage,
} from './messages.ts'

/**
 * A connection to a frame. Its creator restricts both ends: `post` only sends to the frame's exact origin, and `subscribe` only passes on messages
 * from the frame's window with that origin.
 */
export interface Transport {
  /** Sends `message` to the frame and transfers `transfer` with it. Throws if the frame has no window or the message cannot be cloned. */
  post(message: unknown, transfer?: readonly Transferable[]): void
  /** Calls `listener` with the data of each message from the frame. Returns a function that unsubscribes. */
  subscribe(listener: (data: unknown) => void): () => void
}

/** The failures that a channel reports. */
export type FrameReport = (typeof frameReports)[keyof typeof frameReports]

/** The dependencies of a channel. */
export interface ChannelDependencies {
  /** The connection to the frame's window, used for READY, and for all messages until a port is open. */
  readonly transport: Transport
  /** Runs the timeouts. */
  readonly clock: ChannelClock
  /** Called for each load or request that times out. */
  readonly report?: (failureName: FrameReport, error: LatchkeyError) => void
  /** [random UUIDs] */
  readonly newId?: () => string
  /** [`MessageChannel`] */
  readonly newPort?: () => Pick<MessageChannel, 'port1' | 'port2'>
  /** [20 s] */
  readonly loadTimeoutMs?: number
  /** [30 s] */
  readonly requestTimeoutMs?: number
  /** [500 ms] */
  readonly settleMs?: number
}

/** Options of a request. */
export interface RequestOptions {
  /** Aborts the request. RPC requests then reject with 'Request was aborted', others with 'Something went wrong'. */
  readonly signal?: AbortSignal
  /** Does not report a timeout, because the request is repeated (CONNECT_DEVICE). */
  readonly quiet?: boolean
  /** Called with the request's id before it is sent. */
  readonly sent?: (id: string) => void
}

/** The page's end of the connection to the frame. */
export interface Channel {
  /** The payload of the last READY, or `undefined` before the first. */
  readonly readyPayload: ReadyPayload | undefined
  /** How messages are currently sent to the frame. */
  readonly speaks: 'window' | 'port'
  /** Waits for the frame, sends the request and resolves to the response. Rejects with a `LatchkeyError`. */
  ask<Name extends MethodName>(
    name: Name,
    payload: MethodParams<Name>,
    options?: RequestOptions,
  ): Promise<MethodResult<Name>>
  /** Sends a message without waiting for the response. Queued until the frame is ready. */
  notify<Name extends MethodName>(name: Name, payload: MethodParams<Name>): void
  /** Resolves 500 ms after READY. Rejects if loading the frame times out. */
  settled(options?: Pick<RequestOptions, 'signal'>): Promise<void>
  /** Calls `listener` on every READY, including those after a reload. Returns a function that unsubscribes. */
  onReady(listener: (payload: ReadyPayload) => void): () => void
  /** Rejects everything pending, because the frame cannot be loaded. */
  fail(error: LatchkeyError): void
  /** Rejects pending requests with `frame/aborted` (RPC: `request/aborted`) and stops listening. Later requests reject with `frame/no-iframe`. */
  close(): void
}

interface Pending {
  readonly name: MethodName
  settle(answer: ReadAnswer | { readonly malformed: string }): void
  reject(error: LatchkeyError): void
}

/**
 * Creates the page's end of the connection over `transport`. Nothing is sent before the first request and the frame's READY.
 *
 * @example
 * const channel = createChannel({ transport, clock: systemClock })
 * const { isConnected } = await channel.ask('IS_CONNECTED', undefined)
 */
export function createChannel({
  transport,
  clock,
  report,
  newId = () => crypto.randomUUID(),
  newPort = () => new MessageChannel(),
  loadTimeoutMs = frameLoadTimeoutMs,
  requestTimeoutMs = frameRequestTimeoutMs,
  settleMs = frameReadyDelayMs,
}: ChannelDependencies): Channel {
  const pending = new Map<string, Pending>()
  const readyListeners = new Set<(payload: ReadyPayload) => void>()
  let readyPayload: ReadyPayload | undefined
  const port = createFramePort(newPort, onResponse)
  const readiness = createFrameReadiness({
    clock,
    loadTimeoutMs,
    settleMs,
    onTimeout: (error) => report?.(frameReports['frame/unreachable'], error),
  })

  const post = (message: unknown) => {
    if (!port.post(message)) transport.post(message)
  }

  const unsubscribe = transport.subscribe((data) => {
    const read = readFrameMessage(data)
    // READY also arrives by window after the port is in use, because a reloaded frame has lost its port.
    if (read.kind === 'ready') return onReady(read.payload)
    if (!port.isOpen) onResponse(data)
  })

  function onResponse(data: unknown): void {
    const read = readFrameMessage(data)
    if (read.kind !== 'answer' && read.kind !== 'malformed') return
    const { name, id } = read.kind === 'answer' ? read.answer : read
    const request = id === undefined ? undefined : pending.get(id)
    // The type must match as well as the id. Ignore a mismatch, as the right response may still arrive.
    if (!request || request.name !== name) return
    request.settle(read.kind === 'answer' ? read.answer : { malformed: read.complaint })
  }

  function onReady(payload: ReadyPayload): void {
    if (readiness.isClosed) return
    readyPayload = payload
    if (port.isOpen) {
      // The frame has reloaded, so it will not respond to earlier requests.
      port.close()
      rejectPending(failure('frame/failed', { message: 'The frame reloaded.' }))
    }
    if (payload.capabilities?.includes('port')) port.open((message, transfer) => transport.post(message, transfer))
    readiness.markReady()
    for (const listener of [...readyListeners]) listener(payload)
  }

  function rejectPending(error: LatchkeyError): void {
    for (const request of [...pending.values()]) request.reject(error)
  }

  function ask<Name extends MethodName>(
    name: Name,
    payload: MethodParams<Name>,
    { signal, quiet = false, sent }: RequestOptions = {},
  ): Promise<MethodResult<Name>> {
    const { waits } = methods[name]
    const aborted = () => abortError(name)
    return new Promise<MethodResult<Name>>((resolve, reject) => {
      if (signal?.aborted) return reject(aborted())
      let cancel = () => {}
      // Do not keep the user waiting if the frame does not respond to a sign-out.
      if (waits === 'leaving')
        cancel = clock.after(signOutTimeoutMs, () => end(() => resolve(undefined as MethodResult<Name>)))
      let id: string | undefined
      const end = (outcome: () => void) => {
        cancel()
        if (id !== undefined) pending.delete(id)
        signal?.removeEventListener('abort', abort)
        outcome()
      }
      const abort = () => end(() => reject(aborted()))
      signal?.addEventListener('abort', abort, { once: true })

      const send = () => {
        if (signal?.aborted) return
        id = newId()
        pending.set(id, {
          name,
          reject: (error) => end(() => reject(error)),
          settle(answer) {
            // The payload was validated against the schema of this method.
            if ('malformed' in answer)
              end(() => reject(failure('frame/failed', undefinedMessage, { cause: new Error(answer.malformed) })))
            else if (answer.ok) end(() => resolve(answer.payload as MethodResult<Name>))
            else end(() => reject(frameError(answer.message, name, payload)))
          },
        })
        if (waits === 'timed') {
          cancel = clock.after(requestTimeoutMs, () => {
            const error = failure('frame/timeout', { method: name, afterMs: requestTimeoutMs })
            if (!quiet) report?.(frameReports['frame/timeout'], error)
            end(() => reject(error))
          })
        }
        sent?.(id)
        try {
          post(questionOf(name, id, payload))
        } catch (cause) {
          end(() => reject(failure('frame/failed', { message: 'The request cannot be sent.' }, { cause })))
        }
      }
      const timed = waits === 'timed' || waits === 'open'
      readiness.wait('ready', { timed }, { resolve: send, reject: (error) => end(() => reject(error)) })
    })
  }

  return {
    get readyPayload() {
      return readyPayload
    },
    get speaks() {
      return port.isOpen ? ('port' as const) : ('window' as const)
    },
    ask,
    notify(name, payload) {
      const send = () => post(questionOf(name, newId(), payload))
      readiness.wait('ready', { timed: false }, { resolve: send, reject() {} })
    },
    settled: ({ signal } = {}) =>
      new Promise((resolve, reject) => readiness.wait('settled', { timed: true, signal }, { resolve, reject })),
    onReady(listener) {
      readyListeners.add(listener)
      return () => readyListeners.delete(listener)
    },
    fail: readiness.rejectAll,
    close() {
      if (readiness.isClosed) return
      unsubscribe()
      port.close()
      readiness.close()
      for (const request of [...pending.values()]) request.reject(abortError(request.name))
      readyListeners.clear()
    },
  }
}

/** The error of an aborted request. */
function abortError(name: MethodName): LatchkeyError {
  return name === 'RPC_REQUEST' ? new LatchkeyError('request/aborted') : failure('frame/aborted')
}

const undefinedMessage = { message: undefined }
