import { failure, frameReports } from '../errors/errorMessages.ts'
import { LatchkeyError } from '../latchkeyError.ts'
import {
  frameLoadTimeoutMs,
  frameReadyDelayMs,
  frameRequestTimeoutMs,
  signOutTimeoutMs,
} from '../specificationConstants.ts'
import { frameError } from './frameError.ts'
import { createFrameLoadTimeout } from './frameLoadTimeout.ts'
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
 * A connection to a frame. Implementations must restrict both directions: `post` must only send to the frame's exact origin,
 * and `subscribe` must only deliver messages that come from the frame's window and that origin.
 */
export interface Transport {
  /** Sends `message` and its transferables to the frame. Throws if the frame has no window or the message cannot be cloned. */
  post(message: unknown, transfer?: readonly Transferable[]): void
  /** Calls `listener` with the data of each message from the frame. Returns a function that unsubscribes. */
  subscribe(listener: (data: unknown) => void): () => void
}

/** The name of a failure that a channel reports. */
export type FrameReport = (typeof frameReports)[keyof typeof frameReports]

/** The dependencies of a channel. */
export interface ChannelDependencies {
  /** The connection to the frame's window. It carries READY, and all other messages until a port is open. */
  readonly transport: Transport
  /** The timer used for timeouts. */
  readonly clock: ChannelClock
  /** Called when loading the frame or a request times out. */
  readonly report?: (failureName: FrameReport, error: LatchkeyError) => void
  /** Creates request IDs. Defaults to random UUIDs. */
  readonly newId?: () => string
  /** Creates the message channel whose second port is sent to the frame. Defaults to a new `MessageChannel`. */
  readonly newPort?: () => Pick<MessageChannel, 'port1' | 'port2'>
  /** How long to wait for the frame to load. Defaults to 20 seconds. */
  readonly loadTimeoutMs?: number
  /** How long to wait for the response to a timed request. Defaults to 30 seconds. */
  readonly requestTimeoutMs?: number
  /** How long after READY the frame is considered settled. Defaults to 500 ms. */
  readonly settleMs?: number
}

/** Options for a request. */
export interface RequestOptions {
  /** Aborts the request. An RPC request then rejects with `request/aborted`, and any other request with `frame/aborted`. */
  readonly signal?: AbortSignal
  /** Whether to skip reporting a timeout. Used for requests that are repeated until they succeed, such as CONNECT_DEVICE. */
  readonly quiet?: boolean
  /** Called with the request's ID before the request is sent. */
  readonly sent?: (id: string) => void
}

/** The page's end of the connection to the frame. */
export interface Channel {
  /** The payload of the last READY, or `undefined` before the first. */
  readonly readyPayload: ReadyPayload | undefined
  /** Whether messages to the frame are currently sent through its window or through a port. */
  readonly speaks: 'window' | 'port'
  /** Waits for the frame, sends the request and resolves to the response. Rejects with a `LatchkeyError`. */
  ask<Name extends MethodName>(
    name: Name,
    payload: MethodParams<Name>,
    options?: RequestOptions,
  ): Promise<MethodResult<Name>>
  /** Sends a message without waiting for a response. The message is queued until the frame is ready. */
  notify<Name extends MethodName>(name: Name, payload: MethodParams<Name>): void
  /** Resolves once the frame is settled, a short delay after READY. Rejects if loading the frame times out. */
  settled(options?: Pick<RequestOptions, 'signal'>): Promise<void>
  /** Calls `listener` on every READY, including those after a reload. Returns a function that unsubscribes. */
  onReady(listener: (payload: ReadyPayload) => void): () => void
  /** Rejects all requests that are waiting for the frame, because the frame cannot be loaded. */
  fail(error: LatchkeyError): void
  /**
   * Closes the channel. Pending requests reject with `frame/aborted`, or with `request/aborted` if they are RPC requests. Later
   * requests reject with `frame/no-iframe`.
   */
  close(): void
}

interface Pending {
  readonly name: MethodName
  settle(answer: ReadAnswer | { readonly malformed: string }): void
  reject(error: LatchkeyError): void
}

/**
 * Creates the page's end of the connection over `transport`. Nothing is sent until the frame has sent READY. Requests that are
 * made earlier wait for it.
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
    settleMs,
    startLoadTimeout: createFrameLoadTimeout({ clock, loadTimeoutMs, report }),
  })

  const post = (message: unknown) => {
    if (!port.post(message)) transport.post(message)
  }

  const unsubscribe = transport.subscribe((data) => {
    const read = readFrameMessage(data)
    // A reloaded frame has lost its port, so READY can arrive through the window even while a port is in use.
    if (read.kind === 'ready') return onReady(read.payload)
    if (!port.isOpen) onResponse(data)
  })

  function onResponse(data: unknown): void {
    const read = readFrameMessage(data)
    if (read.kind !== 'answer' && read.kind !== 'malformed') return
    const { name, id } = read.kind === 'answer' ? read.answer : read
    const request = id === undefined ? undefined : pending.get(id)
    // Both the method and the ID must match. A mismatch is ignored, because the correct response can still arrive.
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
    const { timeoutPolicy } = methods[name]
    const aborted = () => abortError(name)
    return new Promise<MethodResult<Name>>((resolve, reject) => {
      if (signal?.aborted) return reject(aborted())
      let cancel = () => {}
      // Users should not have to wait for a frame that does not respond to a sign-out.
      if (timeoutPolicy === 'leaving')
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
            // The payload has been validated against this method's schema, so the assertion is safe.
            if ('malformed' in answer)
              end(() => reject(failure('frame/failed', undefinedMessage, { cause: new Error(answer.malformed) })))
            else if (answer.ok) end(() => resolve(answer.payload as MethodResult<Name>))
            else end(() => reject(frameError(answer.message, name, payload)))
          },
        })
        if (timeoutPolicy === 'timed') {
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
      const timed = timeoutPolicy === 'timed' || timeoutPolicy === 'open'
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

/** Returns the error with which an aborted request rejects. */
function abortError(name: MethodName): LatchkeyError {
  return name === 'RPC_REQUEST' ? new LatchkeyError('request/aborted') : failure('frame/aborted')
}

const undefinedMessage = { message: undefined }
