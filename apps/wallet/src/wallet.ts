import type { Clock } from '@latchkey/protocol/clock'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import { read } from '@latchkey/protocol/schemas'
import {
  type AuthenticateEvent,
  type Client,
  createResponder,
  grantedChains,
  type KeyValueStorage,
  type Metadata,
  type ProposalEvent,
  type Reason,
  type RelayState,
  reasons,
  type Session,
  type SessionRequest,
} from '@latchkey/walletconnect'
import type { Verifier } from '@latchkey/walletconnect/verify'
import * as v from 'valibot'
import { type Connection, createConnections } from './connections.ts'
import type { DeepLink } from './deepLink.ts'
import { errorCopy, rpcErrorOf } from './errorCopy.ts'
import { executeRequest } from './executeRequest.ts'
import { grantNamespaces } from './grantNamespaces.ts'
import type { Account } from './keys.ts'
import type { Ask, Network } from './networks.ts'
import { parseRequest } from './parseRequest.ts'
import type { PendingConnect, PendingMethodCall, PendingRequest, PendingSignIn } from './requestQueue.ts'
import { hostOf, type SignInTexts, signAll, signInTexts } from './signIn.ts'

/** The state of a pairing that was started from a link. */
export type Pairing =
  | { readonly at: 'none' }
  /** Connecting to the relay, or waiting for the page's request. */
  | { readonly at: 'waiting' }
  | { readonly at: 'failed'; readonly because: string }

/** A short message about the result of an action. */
export interface Toast {
  readonly id: number
  readonly kind: 'success' | 'error'
  readonly text: string
}

/** The state that is rendered. */
export interface WalletState {
  readonly relay: RelayState
  /** The reason that the relay refuses this wallet. */
  readonly relayError?: LatchkeyError | undefined
  readonly accounts: readonly Account[]
  readonly account: Account
  readonly networks: readonly Network[]
  readonly pairing: Pairing
  /** The requests that are waiting for the user. The first is displayed. */
  readonly pendingRequests: readonly PendingRequest[]
  readonly connections: readonly Connection[]
  readonly toast?: Toast | undefined
}

/** The wallet logic, without the user interface. */
export interface Wallet {
  get(): WalletState
  subscribe(listener: () => void): () => void
  /** Starts a pairing, or moves a pending request to the front. */
  follow(link: DeepLink): Promise<void>
  choose(account: Account): void
  approve(key: string): Promise<void>
  reject(key: string): Promise<void>
  disconnect(topic: string): Promise<void>
  extend(topic: string): Promise<void>
  /** Switches a page to another account. */
  showAccount(topic: string, account: Account): Promise<void>
  /** Switches a page to another network. */
  moveTo(topic: string, network: Network): Promise<void>
  /** Reconnects to the relay immediately. Call it when the page becomes visible or the device is back online. */
  wake(): void
  /** Clears `pairing` or `toast`. */
  dismiss(what: 'pairing' | 'toast'): void
  /** Updates the state of the relay connection. */
  relayChanged(state: RelayState, error?: LatchkeyError): void
  stop(): void
}

type Attested = ProposalEvent['attested']

/** Timeout for a page to send a request after pairing. */
const pairingTimeoutMs = 20_000
/** Lifetime of a request that has no expiry. */
const requestTimeoutMs = 300_000
/** Maximum number of pending requests per session. The responder limits requests per pairing. */
const maxPending = 20
/** The error for requests above the limit. */
const busy: Reason = { code: -32_002, message: 'This page already has too many pending requests.' }

const pendingRequestSchema = v.object({
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
type StoredRequest = v.InferOutput<typeof pendingRequestSchema>

/** Creates a wallet over `client` and restores the stored sessions and pending requests. */
export async function createWallet({
  client,
  records,
  accounts,
  networks,
  ask,
  verifier,
  clock,
}: {
  readonly client: Client
  readonly records: KeyValueStorage
  readonly accounts: readonly [Account, ...Account[]]
  readonly networks: readonly Network[]
  readonly ask: Ask
  readonly verifier?: Verifier | undefined
  readonly clock: Clock
}): Promise<Wallet> {
  const responder = createResponder(client.rpc, client.sessions)
  const listeners = new Set<() => void>()
  /** Sessions that this wallet is disconnecting. */
  const leaving = new Set<string>()
  const timers = new Map<string, () => void>()
  let silence = (): void => {}
  let noteId = 0
  let isStopped = false
  let state: WalletState = {
    relay: client.state,
    accounts,
    account: accounts[0],
    networks,
    pairing: { at: 'none' },
    pendingRequests: [],
    connections: [],
  }

  const set = (part: Partial<WalletState>): void => {
    if (isStopped) return
    state = { ...state, ...part }
    for (const listener of [...listeners]) listener()
  }
  const toast = (kind: Toast['kind'], text: string): void => set({ toast: { id: (noteId += 1), kind, text } })
  const find = (key: string): PendingRequest | undefined => state.pendingRequests.find((one) => one.key === key)
  const change = (key: string, part: Partial<Omit<PendingMethodCall, 'kind'>>): void =>
    set({
      pendingRequests: state.pendingRequests.map((one) =>
        one.key === key ? ({ ...one, ...part } as PendingRequest) : one,
      ),
    })

  const drop = (key: string): void => {
    timers.get(key)?.()
    timers.delete(key)
    set({ pendingRequests: state.pendingRequests.filter((one) => one.key !== key) })
    if (key.startsWith('request:')) void records.remove(key)
  }

  const put = (pendingRequest: PendingRequest, { front = false } = {}): void => {
    // The page has sent its request.
    if (pendingRequest.kind !== 'request') {
      silence()
      set({ pairing: { at: 'none' } })
    }
    // The toast would cover the request.
    if (state.toast?.kind === 'success') set({ toast: undefined })
    const others = state.pendingRequests.filter(({ key }) => key !== pendingRequest.key)
    set({ pendingRequests: front ? [pendingRequest, ...others] : [...others, pendingRequest] })
    timers.get(pendingRequest.key)?.()
    const left = Math.max(0, pendingRequest.expiresAt - clock.now())
    timers.set(
      pendingRequest.key,
      clock.after(left, () => {
        // A request that is being executed either completes or reports its own failure.
        if (find(pendingRequest.key)?.state.at === 'doing') return
        drop(pendingRequest.key)
        toast('error', `The request from ${nameOf(pendingRequest.from)} has expired.`)
      }),
    )
  }

  // --- Connected pages

  const connections = await createConnections({
    client,
    records,
    accounts,
    clock,
    changed: () => refresh(),
    failed: (sentence) => toast('error', sentence),
  })
  const refresh = (): void => set({ connections: connections.all() })

  // --- Requests from pages

  const nameOf = ({ url, name }: Metadata): string => hostOf(url) || name || 'An unnamed page'

  const connectQuestion = ({ id, topic, proposal }: ProposalEvent): PendingConnect => ({
    key: `connect:${topic}:${id}`,
    kind: 'connect',
    id,
    topic,
    from: proposal.proposer.metadata,
    proposal,
    grant: grantNamespaces(proposal, { account: state.account, networks }),
    expiresAt: (proposal.expiryTimestamp ?? 0) * 1000 || clock.now() + requestTimeoutMs,
    state: { at: 'open' },
  })

  const signInAsked = ({ id, topic, payload, requester, expiry, attested }: AuthenticateEvent): void => {
    const texts = textsFor({ payload, requester }, state.account)
    if (!texts) {
      const because = `${nameOf(requester)} wants you to sign in on networks that this wallet does not support. The request was rejected.`
      silence()
      set({ pairing: { at: 'failed', because } })
      void responder.reject(id, reasons.unsupportedChains).catch(() => {})
      return
    }
    const expiresAt = (expiry ?? 0) * 1000 || clock.now() + requestTimeoutMs
    const key = `signIn:${topic}:${id}`
    put({ key, kind: 'signIn', id, topic, from: requester, payload, texts, expiresAt, state: { at: 'open' } })
    void judge(key, attested, requester)
  }

  /** Queries the verify service about the requesting page, without delaying the request. */
  const judge = async (key: string, attested: Attested, { url }: Metadata): Promise<void> => {
    const verdict = await verifier?.verify(attested, url)
    if (find(key)) change(key, { verdict })
  }

  const textsFor = (
    about: Pick<AuthenticateEvent, 'payload' | 'requester'>,
    account: Account,
  ): SignInTexts | undefined => {
    try {
      return signInTexts(about, { account, networks })
    } catch {
      // The message contains an unreadable ReCap and must not be signed.
      return undefined
    }
  }

  const requested = async (kept: StoredRequest, session: Session): Promise<void> => {
    const { topic, id, asked } = kept
    const key = `request:${topic}:${id}`
    const { method, params, expiryTimestamp } = asked.request
    const task = parseRequest(asked as SessionRequest, { session, accounts, networks })
    const from = session.peer.metadata
    if (task.type === 'answer' || task.type === 'refuse') {
      if (task.type === 'refuse') toast('error', `A request from ${nameOf(from)} was rejected. ${task.because}`)
      const answer = task.type === 'answer' ? { result: task.result } : { error: task.error }
      await responder.respond({ topic, id }, answer).catch(() => {})
      await records.remove(key)
      return
    }
    if (state.pendingRequests.filter((one) => one.topic === topic).length >= maxPending) {
      await responder.respond({ topic, id }, { error: busy }).catch(() => {})
      await records.remove(key)
      return
    }
    const expiresAt = expiryTimestamp === undefined ? kept.arrivedAt + requestTimeoutMs : expiryTimestamp * 1000
    const { done } = kept
    put({ key, kind: 'request', id, topic, from, call: task, method, params, expiresAt, done, state: { at: 'open' } })
    void judge(key, kept.attested, from)
    // The request was executed before the reload: only the response is still to be delivered.
    if (done) await deliver(key)
  }

  // --- Responses

  /** Sends the response to the page. A failure here only affects delivery, not execution. */
  const deliver = async (key: string): Promise<boolean> => {
    const pendingRequest = find(key)
    if (pendingRequest?.kind !== 'request' || !pendingRequest.done) return false
    const { topic, id, done } = pendingRequest
    try {
      change(key, { state: { at: 'doing' } })
      await responder.respond({ topic, id }, done)
      drop(key)
      return true
    } catch (error) {
      change(key, { state: { at: 'failed', because: `The page could not be notified. ${errorCopy(error)}` } })
      return false
    }
  }

  const settle = async (
    pendingRequest: PendingMethodCall,
    done: NonNullable<PendingMethodCall['done']>,
  ): Promise<boolean> => {
    const { key, topic, id, call: task, method, params, expiresAt } = pendingRequest
    change(key, { done })
    const asked = {
      chainId: task.network.id,
      request: { method, params, expiryTimestamp: Math.floor(expiresAt / 1000) },
    }
    // Store the result before responding, so that a reload in between does not execute the request again.
    await records.set(key, { topic, id, asked, arrivedAt: clock.now(), done }).catch(() => {})
    return deliver(key)
  }

  const doRequest = async (pendingRequest: PendingMethodCall): Promise<void> => {
    const { key, call: task, from, done } = pendingRequest
    if (done) {
      await deliver(key)
      return
    }
    change(key, { state: { at: 'doing' } })
    let result: unknown
    try {
      if (task.type === 'switchNetwork') {
        await connections.moveTo(pendingRequest.topic, task.to)
        result = null
      } else result = await executeRequest(task, ask)
    } catch (error) {
      change(key, { state: { at: 'failed', because: errorCopy(error) }, reason: rpcErrorOf(error) })
      return
    }
    if (await settle(pendingRequest, { result })) toast('success', successText(task.type, nameOf(from)))
  }

  const doConnect = async (pendingRequest: PendingConnect): Promise<void> => {
    const { key, id, grant, from } = pendingRequest
    if ('refused' in grant) return
    change(key, { state: { at: 'doing' } })
    try {
      const session = await responder.approve(id, { namespaces: grant.granted })
      drop(key)
      refresh()
      connections.look(session.topic, grantedChains(session.namespaces)[0] as string)
      toast('success', `Connected to ${nameOf(from)}. You can go back to the page.`)
    } catch (error) {
      drop(key)
      set({ pairing: { at: 'failed', because: `${nameOf(from)} is not connected. ${errorCopy(error)}` } })
    }
  }

  const doSignIn = async (pendingRequest: PendingSignIn): Promise<void> => {
    const { key, id, texts, from } = pendingRequest
    change(key, { state: { at: 'doing' } })
    try {
      const session = await responder.signIn(id, await signAll(texts, state.account))
      drop(key)
      if (session) connections.look(session.topic, grantedChains(session.namespaces)[0] as string)
      refresh()
      toast('success', `Signed in to ${nameOf(from)}. You can go back to the page.`)
    } catch (error) {
      drop(key)
      set({ pairing: { at: 'failed', because: `You are not signed in to ${nameOf(from)}. ${errorCopy(error)}` } })
    }
  }

  const offs = [
    responder.on('proposal', (asked) => {
      const pendingRequest = connectQuestion(asked)
      put(pendingRequest)
      void judge(pendingRequest.key, asked.attested, pendingRequest.from)
    }),
    responder.on('signIn', signInAsked),
    responder.on('withdrawn', ({ id, topic }) => {
      const pendingRequest = state.pendingRequests.find(
        (one) => one.id === id && one.topic === topic && one.kind !== 'request',
      )
      if (!pendingRequest || pendingRequest.state.at === 'doing') return
      drop(pendingRequest.key)
      toast('error', `${nameOf(pendingRequest.from)} canceled its request.`)
    }),
    client.sessions.on('request', ({ session, id, request: asked, attested }) => {
      const kept: StoredRequest = { topic: session.topic, id, asked, arrivedAt: clock.now(), attested }
      const key = `request:${session.topic}:${id}`
      // A displayed request must not be swapped for another.
      if (find(key)) return
      // If the browser does not store anything, the request is still displayed, but is lost on reload.
      const keeping = records.set(key, kept).catch(() => {})
      void keeping.then(() => requested(kept, session))
    }),
    client.sessions.on('updated', refresh),
    client.sessions.on('extended', refresh),
    client.sessions.on('ended', ({ session, reason }) => {
      const { topic } = session
      connections.forget(topic)
      for (const pendingRequest of state.pendingRequests) if (pendingRequest.topic === topic) drop(pendingRequest.key)
      refresh()
      if (leaving.has(topic)) return
      const name = nameOf(session.peer.metadata)
      toast('success', reason === 'expired' ? `The connection to ${name} has expired.` : `${name} has disconnected.`)
    }),
  ]

  refresh()
  for (const [key, value] of await records.list('request:')) {
    const kept = read(pendingRequestSchema, value)
    const session = kept && client.sessions.get(kept.topic)
    const expires = kept?.asked.request.expiryTimestamp
    if (!kept || !session || (expires !== undefined && expires * 1000 <= clock.now())) await records.remove(key)
    else void requested(kept, session)
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    async follow(link) {
      if (link.to === 'request') {
        const pendingRequest = find(`request:${link.topic}:${link.id}`)
        if (pendingRequest) put(pendingRequest, { front: true })
        else client.reconnectNow()
        return
      }
      silence()
      set({ pairing: { at: 'waiting' } })
      try {
        await responder.pair(link.uri)
      } catch (error) {
        set({ pairing: { at: 'failed', because: errorCopy(error) } })
        return
      }
      if (state.pairing.at !== 'waiting') return
      silence = clock.after(pairingTimeoutMs, () => {
        const because = 'The page sent no request. It may be closed. Create a new code there and try again.'
        if (state.pairing.at === 'waiting') set({ pairing: { at: 'failed', because } })
      })
    },

    choose(account) {
      set({ account })
      void records.set('account', account.evm.address)
      // Show the requests for the account that would respond.
      set({
        pendingRequests: state.pendingRequests.map((one): PendingRequest => {
          if (one.kind === 'connect') return { ...one, grant: grantNamespaces(one.proposal, { account, networks }) }
          const texts = one.kind === 'signIn' && textsFor({ payload: one.payload, requester: one.from }, account)
          return texts ? ({ ...one, texts } as PendingRequest) : one
        }),
      })
    },

    async approve(key) {
      const pendingRequest = find(key)
      if (!pendingRequest || pendingRequest.state.at === 'doing') return
      if (pendingRequest.kind === 'connect') await doConnect(pendingRequest)
      else if (pendingRequest.kind === 'signIn') await doSignIn(pendingRequest)
      else await doRequest(pendingRequest)
    },

    async reject(key) {
      const pendingRequest = find(key)
      if (!pendingRequest || pendingRequest.state.at === 'doing') return
      if (pendingRequest.kind === 'request') {
        if (pendingRequest.done) drop(key)
        else await settle(pendingRequest, { error: pendingRequest.reason ?? reasons.userRejected })
        return
      }
      const refused =
        pendingRequest.kind === 'connect' && 'refused' in pendingRequest.grant
          ? pendingRequest.grant.refused
          : undefined
      drop(key)
      await responder.reject(pendingRequest.id, refused ?? reasons.userRejected).catch((error: unknown) => {
        toast('error', `The page could not be notified. ${errorCopy(error)}`)
      })
    },

    async disconnect(topic) {
      leaving.add(topic)
      const session = client.sessions.get(topic)
      await client.sessions.disconnect(topic)
      if (session) toast('success', `Disconnected from ${nameOf(session.peer.metadata)}.`)
    },

    async extend(topic) {
      if (await connections.extend(topic)) toast('success', 'The connection was extended by seven days.')
    },
    wake: () => client.reconnectNow(),
    showAccount: connections.showAccount,
    moveTo: connections.moveTo,

    dismiss(what) {
      set(what === 'toast' ? { toast: undefined } : { pairing: { at: 'none' } })
    },

    relayChanged(relay, relayError) {
      set({ relay, relayError })
    },

    stop() {
      isStopped = true
      silence()
      for (const cancel of timers.values()) cancel()
      for (const off of offs) off()
      client.close()
    },
  }
}

function successText(what: PendingMethodCall['call']['type'], page: string): string {
  const back = 'You can go back to the page.'
  switch (what) {
    case 'sendTransaction':
      return `Sent. ${back}`
    case 'switchNetwork':
      return `${page} now uses the other network.`
    default:
      return `Signed. ${back}`
  }
}
