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
 * The way to one frame. Whoever makes it pins both ends: `post` goes to the frame's exact origin, and `subscribe` hears only
 * what came from that frame's window at that origin.
 */
export interface Transport {
  post(message: unknown, transfer?: readonly Transferable[]): void
  subscribe(listener: (data: unknown) => void): () => void
}

/** Time, handed in; the clock of `@latchkey/core` fits. */
export interface ChannelClock {
  after(ms: number, task: () => void): () => void
}

/** What the frame is reported for. */
export type FrameReport = (typeof frameReports)[keyof typeof frameReports]

/** What making a channel takes. */
export interface ChannelDependencies {
  readonly pipe: Transport
  readonly clock: ChannelClock
  /** Called once for each load or request that took too long, with its error. */
  readonly report?: (what: FrameReport, error: LatchkeyError) => void
  /** [a UUID] */
  readonly newId?: () => string
  /** [the platform's] */
  readonly newPort?: () => Pick<MessageChannel, 'port1' | 'port2'>
  /** [20 s] */
  readonly loadTimeoutMs?: number
  /** [30 s] */
  readonly requestTimeoutMs?: number
  /** [500 ms] */
  readonly settleMs?: number
}

/** How a question is put. */
export interface RequestOptions {
  /** Gives up: an RPC request is then rejected with 'Request was aborted', others with 'Something went wrong'. */
  readonly signal?: AbortSignal
  /** A timeout of this question is expected and not reported; it is asked again (CONNECT_DEVICE). */
  readonly quiet?: boolean
  /** Told the id before the message leaves. */
  readonly sent?: (id: string) => void
}

/** The page's end of the wire. */
export interface Channel {
  /** The payload of the last READY; `undefined` before the first. */
  readonly readyPayload: ReadyPayload | undefined
  /** How the frame is spoken to now. */
  readonly speaks: 'window' | 'port'
  /** Waits for the frame, asks, and answers what it answered; rejects with a `LatchkeyError`. */
  ask<Name extends MethodName>(
    name: Name,
    payload: MethodParams<Name>,
    options?: RequestOptions,
  ): Promise<MethodResult<Name>>
  /** Says something whose answer nobody waits for; kept until the frame is ready. */
  notify<Name extends MethodName>(name: Name, payload: MethodParams<Name>): void
  /** Resolves 500 ms after READY; rejects when the frame takes too long to load. */
  settled(options?: Pick<RequestOptions, 'signal'>): Promise<void>
  /** Every READY: the first, and each after a reload. */
  onReady(listener: (payload: ReadyPayload) => void): () => void
  /** The frame cannot be loaded at all: everything that waits is rejected. */
  fail(error: LatchkeyError): void
  close(): void
}

interface Pending {
  readonly name: MethodName
  settle(answer: ReadAnswer | { readonly malformed: string }): void
  reject(error: LatchkeyError): void
}

/** Makes the page's end of the wire over `pipe`. It sends nothing before it is asked and the frame said READY. */
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
  /** Who waits for READY, and for the 500 ms after it. */
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
    // READY comes by the window also after the port was taken: a reloaded frame has lost its port.
    if (read.kind === 'ready') return ready(read.payload)
    if (!port) heard(data)
  })

  function heard(data: unknown): void {
    const read = readFrameMessage(data)
    if (read.kind !== 'answer' && read.kind !== 'malformed') return
    const { name, id } = read.kind === 'answer' ? read.answer : read
    const request = id === undefined ? undefined : pending.get(id)
    // The type counts as well as the id: an answer to something else is none, and the right one may still come.
    if (!request || request.name !== name) return
    request.settle(read.kind === 'answer' ? read.answer : { malformed: read.complaint })
  }

  function ready(payload: ReadyPayload): void {
    if (state === 'closed') return
    readyPayload = payload
    if (port) {
      // A new document: whatever the old one was asked, it will not answer.
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

  /** Ready or settled; rejects after the load timeout where one counts. Runs `then` in the very task of READY. */
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

  /** Nobody who waits will be answered. */
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
      // Whatever comes, the visitor is not held up by a frame that does not let them go.
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
            // The reader checked the payload against the schema of this very name.
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

/** What a frame's text means: no code travels, so its few known sentences stand for them. */
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
