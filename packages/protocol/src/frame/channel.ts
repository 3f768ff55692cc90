import { frameLoadTimeoutMs, frameReadyDelayMs, frameRequestTimeoutMs, signOutTimeoutMs } from '../constants.ts'
import { failure, frameReports } from '../errors/errorMessages.ts'
import { LatchkeyError } from '../errors.ts'
import {
  appPrefix,
  frameTexts,
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
  post(message: unknown, transfer?: readonly Transferable[]): void
  subscribe(listener: (data: unknown) => void): () => void
}

/** A replaceable timer. The clock of `@latchkey/core` can be used. */
export interface ChannelClock {
  after(ms: number, task: () => void): () => void
}

/** The failures that a channel reports. */
export type FrameReport = (typeof frameReports)[keyof typeof frameReports]

/** The dependencies of a channel. */
export interface ChannelDependencies {
  readonly pipe: Transport
  readonly clock: ChannelClock
  /** Called for each load or request that times out. */
  readonly report?: (what: FrameReport, error: LatchkeyError) => void
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
  close(): void
}

interface Pending {
  readonly name: MethodName
  settle(answer: ReadAnswer | { readonly malformed: string }): void
  reject(error: LatchkeyError): void
}

/** Creates the page's end of the connection over `pipe`. Nothing is sent before the first request and the frame's READY. */
export function createChannel(deps: ChannelDependencies): Channel {
  const {
    pipe,
    clock,
    report,
    newId = () => crypto.randomUUID(),
    newPort = () => new MessageChannel(),
    loadTimeoutMs = frameLoadTimeoutMs,
    requestTimeoutMs = frameRequestTimeoutMs,
    settleMs = frameReadyDelayMs,
  } = deps
  const pending = new Map<string, Pending>()
  const readyListeners = new Set<(payload: ReadyPayload) => void>()
  /** The callers waiting for READY, and for the 500 ms after it. */
  let loading: Wait[] = []
  let settling: Wait[] = []
  let state: 'loading' | 'ready' | 'settled' | 'closed' = 'loading'
  let readyPayload: ReadyPayload | undefined
  let port: MessagePort | undefined
  let cancelSettle = () => {}

  const post = (message: unknown) => {
    if (port) port.postMessage(message)
    else pipe.post(message)
  }

  const unsubscribe = pipe.subscribe((data) => {
    const read = readFrameMessage(data)
    // READY also arrives by window after the port is in use, because a reloaded frame has lost its port.
    if (read.kind === 'ready') return ready(read.payload)
    if (!port) heard(data)
  })

  function heard(data: unknown): void {
    const read = readFrameMessage(data)
    if (read.kind !== 'answer' && read.kind !== 'malformed') return
    const { name, id } = read.kind === 'answer' ? read.answer : read
    const request = id === undefined ? undefined : pending.get(id)
    // The type must match as well as the id. Ignore a mismatch, as the right response may still arrive.
    if (!request || request.name !== name) return
    request.settle(read.kind === 'answer' ? read.answer : { malformed: read.complaint })
  }

  function ready(payload: ReadyPayload): void {
    if (state === 'closed') return
    readyPayload = payload
    if (port) {
      // The frame has reloaded, so it will not respond to earlier requests.
      dropPort()
      for (const each of [...pending.values()]) each.reject(failure('frame/failed', { message: 'The frame reloaded.' }))
    }
    if (payload.capabilities?.includes('port')) {
      const { port1, port2 } = newPort()
      port1.onmessage = ({ data }: MessageEvent) => {
        if (port === port1) heard(data)
      }
      pipe.post({ type: `${appPrefix}PORT` }, [port2])
      port = port1
    }
    if (state === 'loading') {
      state = 'ready'
      cancelSettle = clock.after(settleMs, () => {
        state = 'settled'
        release(settling)
        settling = []
      })
      const waiting = loading
      loading = []
      release(waiting)
    }
    for (const listener of [...readyListeners]) listener(payload)
  }

  /** Calls `then` synchronously on READY or when settled. Rejects after the load timeout if `timed`. */
  function whenReady(
    until: 'ready' | 'settled',
    params: { timed: boolean; signal?: AbortSignal | undefined },
    then: Wait,
  ): void {
    if (state === 'closed' || state === 'settled' || (state === 'ready' && until === 'ready')) {
      if (state === 'closed') then.reject(failure('frame/no-iframe'))
      else then.resolve()
      return
    }
    const cancel =
      params.timed && state === 'loading'
        ? clock.after(loadTimeoutMs, () => {
            const error = failure('frame/unreachable', { afterMs: loadTimeoutMs })
            report?.(frameReports['frame/unreachable'], error)
            giveUp(error)
          })
        : () => {}
    const done = () => {
      cancel()
      params.signal?.removeEventListener('abort', abort)
      loading = loading.filter((each) => each !== wait)
      settling = settling.filter((each) => each !== wait)
    }
    const wait: Wait = {
      resolve() {
        done()
        then.resolve()
      },
      reject(error) {
        done()
        then.reject(error)
      },
    }
    const abort = () => wait.reject(failure('frame/aborted'))
    params.signal?.addEventListener('abort', abort, { once: true })
    if (until === 'ready') loading.push(wait)
    else settling.push(wait)
  }

  /** Rejects all waiting callers. */
  function giveUp(error: LatchkeyError): void {
    const waiting = [...loading, ...settling]
    loading = []
    settling = []
    for (const each of waiting) each.reject(error)
  }

  function dropPort(): void {
    if (!port) return
    port.onmessage = null
    port.close()
    port = undefined
  }

  function ask<Name extends MethodName>(
    name: Name,
    payload: MethodParams<Name>,
    { signal, quiet: initialState = false, sent }: RequestOptions = {},
  ): Promise<MethodResult<Name>> {
    const { waits } = methods[name]
    const aborted = () => (name === 'RPC_REQUEST' ? new LatchkeyError('request/aborted') : failure('frame/aborted'))
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

      const put = () => {
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
            else end(() => reject(refused(answer.message, name, payload)))
          },
        })
        if (waits === 'timed') {
          cancel = clock.after(requestTimeoutMs, () => {
            const error = failure('frame/timeout', { method: name, afterMs: requestTimeoutMs })
            if (!initialState) report?.(frameReports['frame/timeout'], error)
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
      whenReady(
        'ready',
        { timed: waits === 'timed' || waits === 'open' },
        {
          resolve: put,
          reject: (error) => end(() => reject(error)),
        },
      )
    })
  }

  return {
    get readyPayload() {
      return readyPayload
    },
    get speaks() {
      return port ? ('port' as const) : ('window' as const)
    },
    ask,
    notify(name, payload) {
      whenReady(
        'ready',
        { timed: false },
        {
          resolve() {
            post(questionOf(name, newId(), payload))
          },
          reject() {},
        },
      )
    },
    settled: ({ signal } = {}) =>
      new Promise((resolve, reject) => whenReady('settled', { timed: true, signal }, { resolve, reject })),
    onReady(listener) {
      readyListeners.add(listener)
      return () => readyListeners.delete(listener)
    },
    fail: giveUp,
    close() {
      if (state === 'closed') return
      state = 'closed'
      cancelSettle()
      unsubscribe()
      dropPort()
      giveUp(failure('frame/aborted'))
      for (const each of [...pending.values()]) each.reject(failure('frame/aborted'))
      readyListeners.clear()
    },
  }
}

interface Wait {
  resolve(): void
  reject(error: LatchkeyError): void
}

const undefinedMessage = { message: undefined }

function release(waiting: readonly Wait[]): void {
  for (const each of waiting) each.resolve()
}

/** Converts a frame's error message to an error. Frames send no codes, so known messages stand for them. */
function refused(message: string, name: MethodName, payload: unknown): LatchkeyError {
  const method = name === 'RPC_REQUEST' ? (payload as MethodParams<'RPC_REQUEST'>).method : name
  if (name === 'RPC_REQUEST') {
    if (message === frameTexts.rejected) return new LatchkeyError('user/rejected', { request: method })
    if (message === frameTexts.aborted) return new LatchkeyError('request/aborted')
    if (message === frameTexts.notAllowed) return failure('frame/not-allowed', { method })
  }
  if (message.startsWith(frameTexts.serverAway)) {
    const seconds = /in (\d{1,6}) seconds$/.exec(message)?.[1]
    return new LatchkeyError('wallet/unreachable', {
      connectorId: 'ID_AUTH',
      ...(seconds && { retryAfterMs: Number(seconds) * 1000 }),
    })
  }
  return failure('frame/failed', { message: message || undefined })
}
