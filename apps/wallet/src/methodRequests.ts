import { read } from '@latchkey/protocol/parseWithSchema'
import {
  type KeyValueStorage,
  type Reason,
  reasons,
  type Session,
  type SessionEvents,
  type SessionRequest,
  type Sessions,
} from '@latchkey/walletconnect'
import * as v from 'valibot'
import { dappName } from './dappName.ts'
import { errorText, rpcErrorOf } from './errorText.ts'
import { executeRequest } from './executeRequest.ts'
import type { Ask } from './networks.ts'
import { parseRequest } from './parseRequest.ts'
import type { PendingMethodCall } from './requestQueue.ts'
import { requestTimeoutMs, type WalletContext } from './walletContext.ts'

/** The handler for method calls from connected pages. Calls are stored until the page has received the response. */
export interface MethodRequests {
  /** Stores a call and shows it to the user. */
  receive(event: SessionEvents['request']): void
  /** Shows the calls that were stored on a previous visit, and sends responses that have not been delivered yet. */
  restore(): Promise<void>
  /** Executes a call and sends the result to the page. */
  approve(request: PendingMethodCall): Promise<void>
  reject(request: PendingMethodCall): Promise<void>
}

/** The maximum number of pending requests per session. The responder limits the requests per pairing. */
const maxPending = 20
/** The error for a request that exceeds the limit. */
const busy: Reason = { code: -32_002, message: 'This page already has too many pending requests.' }

const storagePrefix = 'request:'
const storedCallSchema = v.object({
  topic: v.string(),
  id: v.number(),
  asked: v.object({
    chainId: v.string(),
    request: v.object({
      method: v.string(),
      params: v.optional(v.unknown()),
      expiryTimestamp: v.optional(v.number()),
    }),
  }),
  arrivedAt: v.number(),
  attested: v.optional(v.object({ attestation: v.string(), messageId: v.string() })),
  done: v.optional(
    v.union([
      v.object({ result: v.unknown() }),
      v.object({ error: v.object({ code: v.number(), message: v.string() }) }),
    ]),
  ),
})
type StoredCall = v.InferOutput<typeof storedCallSchema>

/** Returns the key that identifies a method request in the queue and in storage. */
export function methodRequestKey({ topic, id }: { readonly topic: string; readonly id: number }): string {
  return `${storagePrefix}${topic}:${id}`
}

/** Whether a key belongs to a method request. */
export function isMethodRequestKey(key: string): boolean {
  return key.startsWith(storagePrefix)
}

/** Creates the handler for method calls from connected pages. */
export function createMethodRequests(
  context: WalletContext,
  {
    sessions,
    records,
    ask,
  }: { readonly sessions: Pick<Sessions, 'get'>; readonly records: KeyValueStorage; readonly ask: Ask },
): MethodRequests {
  const { responder, accounts, networks, clock, store, queue, connections } = context

  const show = async (stored: StoredCall, session: Session): Promise<void> => {
    const { topic, id, asked: sessionRequest, done } = stored
    const key = methodRequestKey(stored)
    const { method, params, expiryTimestamp } = sessionRequest.request
    const call = parseRequest(sessionRequest as SessionRequest, { session, accounts, networks })
    const from = session.peer.metadata
    if (call.type === 'answer' || call.type === 'refuse') {
      if (call.type === 'refuse') store.toast('error', `A request from ${dappName(from)} was rejected. ${call.because}`)
      const response = call.type === 'answer' ? { result: call.result } : { error: call.error }
      await responder.respond({ topic, id }, response).catch(() => {})
      await records.remove(key)
      return
    }
    if (queue.all().filter((request) => request.topic === topic).length >= maxPending) {
      await responder.respond({ topic, id }, { error: busy }).catch(() => {})
      await records.remove(key)
      return
    }
    const expiresAt = expiryTimestamp === undefined ? stored.arrivedAt + requestTimeoutMs : expiryTimestamp * 1000
    context.show({
      key,
      kind: 'request',
      id,
      topic,
      from,
      call,
      method,
      params,
      expiresAt,
      done,
      state: { at: 'open' },
    })
    void context.verifyOrigin(key, stored.attested, from)
    // The call was executed before the reload. Only the response is still missing.
    if (done) await deliver(key)
  }

  /** Sends the response to the page. Resolves to whether the page received it. */
  const deliver = async (key: string): Promise<boolean> => {
    const request = queue.find(key)
    if (request?.kind !== 'request' || !request.done) return false
    const { topic, id, done } = request
    try {
      queue.update(key, { state: { at: 'doing' } })
      await responder.respond({ topic, id }, done)
      context.remove(key)
      return true
    } catch (error) {
      queue.update(key, { state: { at: 'failed', because: `The page could not be notified. ${errorText(error)}` } })
      return false
    }
  }

  const settle = async (request: PendingMethodCall, done: NonNullable<PendingMethodCall['done']>): Promise<boolean> => {
    const { key, topic, id, call, method, params, expiresAt } = request
    queue.update(key, { done })
    const sessionRequest = {
      chainId: call.network.id,
      request: { method, params, expiryTimestamp: Math.floor(expiresAt / 1000) },
    }
    // Store the result before responding, so that the call is not executed again after a reload.
    await records.set(key, { topic, id, asked: sessionRequest, arrivedAt: clock.now(), done }).catch(() => {})
    return deliver(key)
  }

  const execute = async ({ call, topic }: PendingMethodCall): Promise<unknown> => {
    if (call.type !== 'switchNetwork') return executeRequest(call, ask)
    await connections.moveTo(topic, call.to)
    return null
  }

  return {
    receive({ session, id, request, attested }) {
      const { topic } = session
      const stored: StoredCall = { topic, id, asked: request, arrivedAt: clock.now(), attested }
      const key = methodRequestKey(stored)
      // A request that the user can see must not be replaced.
      if (queue.find(key)) return
      // If storage fails, the request is still shown but does not survive a reload.
      const storing = records.set(key, stored).catch(() => {})
      void storing.then(() => show(stored, session))
    },

    async restore() {
      for (const [key, value] of await records.list(storagePrefix)) {
        const stored = read(storedCallSchema, value)
        const session = stored && sessions.get(stored.topic)
        const expires = stored?.asked.request.expiryTimestamp
        if (!stored || !session || (expires !== undefined && expires * 1000 <= clock.now())) await records.remove(key)
        else void show(stored, session)
      }
    },

    async approve(request) {
      const { key, call, from, done } = request
      if (done) {
        await deliver(key)
        return
      }
      queue.update(key, { state: { at: 'doing' } })
      let result: unknown
      try {
        result = await execute(request)
      } catch (error) {
        queue.update(key, { state: { at: 'failed', because: errorText(error) }, reason: rpcErrorOf(error) })
        return
      }
      if (await settle(request, { result })) store.toast('success', successText(call.type, dappName(from)))
    },

    async reject(request) {
      if (request.done) context.remove(request.key)
      else await settle(request, { error: request.reason ?? reasons.userRejected })
    },
  }
}

function successText(type: PendingMethodCall['call']['type'], page: string): string {
  const back = 'You can go back to the page.'
  switch (type) {
    case 'sendTransaction':
      return `Sent. ${back}`
    case 'switchNetwork':
      return `${page} now uses the other network.`
    default:
      return `Signed. ${back}`
  }
}
