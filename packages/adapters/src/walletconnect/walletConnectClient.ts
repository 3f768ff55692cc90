import type {
  Adapter,
  AuthenticateRequest,
  Connector,
  ConnectorContext,
  PairingProvider,
  PairingResult,
  PairingUri,
  Session,
  SignedCacao,
} from '@latchkey/core/adapter'
import { type AccountId, type ChainId, isNamespace, type Namespace, parseAccountId } from '@latchkey/protocol/caip'
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { read } from '@latchkey/protocol/schemas'
import {
  type AuthenticateResult,
  type Cacao,
  type Client,
  createClient,
  createProposer,
  messageOf,
  type Session as Settled,
  signerOf,
} from '@latchkey/walletconnect'
import * as v from 'valibot'
import { unlessAborted } from '../evm/requestTimeouts.ts'
import { toWalletError } from '../shared/walletErrors.ts'
import { approvedChains, isStale, proposalFor, signInMethods, wantedNamespaces } from './namespaces.ts'
import { openNamespaceSession } from './openNamespaceSession.ts'
import { asRpcError } from './rpcErrors.ts'
import type { WalletConnectOptions } from './walletConnectConnector.ts'

/** Timeout for the wallet to respond before its session is shown as silent. */
const probeMs = 4_000

/** Storage key prefix, followed by a session's topic: the chains requested from the wallet. */
const requestedKey = 'requested:'
/** Storage key prefix, followed by a namespace: the topic of the session that was settled for it. Updates of other sessions do not change it. */
const holderKey = 'holder:'

/** Hints for the developer. */
const hints: { readonly [Code in ErrorCode]?: string } = {
  'relay/session-expired': 'The relay rejected the token because the clock of this device is wrong.',
  'relay/invalid-key': 'The relay does not recognize the projectId passed to walletConnect().',
  'app/origin-not-allowed': 'The relay does not allow this origin. Add it to the allowed origins of the project.',
}

/** Parameters for connecting over WalletConnect. */
export interface WalletConnectRequest {
  readonly connector: Connector
  readonly adapter: Adapter
  readonly chain?: ChainId
  readonly silent?: boolean
  readonly signal: AbortSignal
}

/** The relay client of an instance, shared by all namespaces. */
export interface WalletConnectClient extends PairingProvider {
  connect(params: WalletConnectRequest): Promise<Session>
  close(): void
}

/** Creates the client and restores stored sessions. */
export async function createWalletConnectClient(deps: {
  readonly options: WalletConnectOptions
  readonly relay: string | readonly [string, ...string[]]
  readonly host: ConnectorContext
  readonly connectorId: string
  adapters(): readonly Adapter[]
}): Promise<WalletConnectClient> {
  const { options, relay, host } = deps
  const { clock, log } = host
  const { connectorId } = deps
  const reported = new Set<string>()
  const offering = new Set<AbortController>()
  /** Logs a refusal by the relay, once per error code. */
  const refused = (error: LatchkeyError): void => {
    // Pending pairings can no longer succeed.
    for (const stop of offering) stop.abort(error)
    if (reported.has(error.code)) return
    reported.add(error.code)
    log.warn(hints[error.code] ?? 'The relay rejected this page.', error)
    host.report('relay_refused', error)
  }
  const client = await createClient({
    metadata: host.dapp().metadata ?? { name: '', description: '', url: '', icons: [] },
    relay,
    projectId: options.projectId,
    verify: options.verify,
    storage: options.records,
    connect: options.connect,
    clock,
    onStateChange: (_, error) => error && refused(error),
  })
  const { storage } = client.rpc
  const proposer = createProposer(client.rpc, client.sessions)
  /** A pending pairing that was started by a single namespace. Other namespaces that connect meanwhile share it. */
  let pairing: Promise<PairingResult> | undefined
  /** Newly settled sessions, for the next `connect` of each namespace. */
  const fresh = new Map<Namespace, Settled>()

  const wake = (): void => client.reconnectNow()
  globalThis.addEventListener?.('online', wake)
  globalThis.addEventListener?.('focus', wake)

  const pair = async ({
    signal,
    onUri,
    signIn,
  }: {
    readonly signal: AbortSignal
    onUri(offer: PairingUri): void
    readonly signIn?: AuthenticateRequest
  }): Promise<PairingResult> => {
    const adapters = deps.adapters()
    const wanted = wantedNamespaces(
      adapters.flatMap(({ networks }) => networks),
      options,
    )
    const optionalNamespaces = proposalFor(wanted)
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    offering.add(stop)
    let answer: AuthenticateResult
    try {
      const offer = signIn
        ? await proposer.authenticate({
            optionalNamespaces,
            signal: either,
            payload: payloadOf(signIn),
            methods: options.methods?.eip155 ?? signInMethods,
          })
        : await proposer.propose({ optionalNamespaces, signal: either })
      const { uri, expiresAt } = offer
      onUri({ uri, expiresAt })
      options.onOffer?.({ uri, expiresAt })
      const answered = await offer.settled
      answer = 'cacaos' in answered ? answered : { cacaos: [], session: answered }
    } catch (error) {
      throw toWalletError(stop.signal.reason ?? asRpcError(error), { request: 'connect', connectorId })
    } finally {
      offering.delete(stop)
      options.onOffer?.(undefined)
    }
    const { session, cacaos } = answer
    if (!session) throw failure('session/invalid', { message: 'it signed in but opened no session' })
    const served = adapters.map(({ namespace }) => namespace).filter((each) => serves(session, each))
    const [first, ...more] = served
    if (!first) {
      await client.sessions.disconnect(session.topic)
      throw failure('session/invalid', { message: 'it has no account on any network of this page' })
    }
    const requested = Object.values(wanted).flatMap((each) => each.chains)
    await storage.set(`${requestedKey}${session.topic}`, requested)
    for (const namespace of served) {
      fresh.set(namespace, session)
      await storage.set(`${holderKey}${namespace}`, session.topic)
    }
    // One wallet per namespace: end earlier sessions that the new session fully replaces.
    for (const earlier of client.sessions.all())
      if (earlier.topic !== session.topic && namespacesOf(earlier).every((each) => served.includes(each)))
        void client.sessions.disconnect(earlier.topic)
    const { name, url, icons } = session.peer.metadata
    const icon = icons.find((each) => /^(https|data:image)/.test(each))
    return {
      namespaces: [first, ...more],
      wallet: { name, url, ...(icon && { icon }) },
      signed: cacaos.map(signedOf),
      async disconnect() {
        for (const namespace of served) if (fresh.get(namespace) === session) fresh.delete(namespace)
        await client.sessions.disconnect(session.topic)
      },
    }
  }

  const found = async ({ namespace }: Connector): Promise<Settled | undefined> => {
    const holder = await storage.get(`${holderKey}${namespace}`)
    return client.sessions.all().find((session) => session.topic === holder && serves(session, namespace))
  }

  /** The open namespaces by session topic. */
  const opened = new Map<string, Set<Namespace>>()
  const stopForgetting = client.sessions.on('ended', ({ session: { topic } }) => {
    opened.delete(topic)
    void storage.remove(`${requestedKey}${topic}`)
  })

  const open = async ({ connector, adapter, chain, silent, signal }: WalletConnectRequest, { topic }: Settled) => {
    const chains = [chain, options.defaultChain].filter((id) => id !== undefined)
    const waiting = (requestId: number): void => host.waiting({ requestId, topic })
    const opening = {
      client,
      topic,
      connector,
      adapter,
      clock,
      fetch: host.fetch,
      chains,
      rpcMap: options.rpcMap,
      signal,
      waiting,
    }
    try {
      if (signal.aborted) throw new LatchkeyError('request/aborted')
      const session = await openNamespaceSession(opening)
      opened.set(topic, (opened.get(topic) ?? new Set()).add(connector.namespace))
      return session
    } catch (error) {
      // Another namespace may be using the session.
      if (!silent && !opened.has(topic)) await client.sessions.disconnect(topic)
      throw error
    }
  }

  const probes = new Map<string, Promise<boolean>>()
  /** Whether the wallet responds in time. All namespaces of a session share one ping. */
  const lives = (topic: string): Promise<boolean> => {
    const probe =
      probes.get(topic) ?? answersWithin(client, topic, { ms: probeMs, clock }).finally(() => probes.delete(topic))
    probes.set(topic, probe)
    return probe
  }

  /** A stored session that can be used instead of pairing again. */
  const resumable = async ({ connector, adapter, signal }: WalletConnectRequest): Promise<Settled | undefined> => {
    const earlier = await found(connector)
    if (!earlier || opened.get(earlier.topic)?.has(connector.namespace)) return undefined
    const requested = read(v.array(v.string()), await storage.get(`${requestedKey}${earlier.topic}`))
    const configured = adapter.networks.map(({ caipNetworkId }) => caipNetworkId)
    const approved = approvedChains(earlier.namespaces)
    if (requested && isStale({ approved, requested, configured })) {
      void client.sessions.disconnect(earlier.topic)
      return undefined
    }
    return (await unlessAborted(lives(earlier.topic), signal)) ? earlier : undefined
  }

  return {
    pair,
    async connect(params) {
      const { connector, silent = false, signal } = params
      if (!silent) {
        const { namespace } = connector
        const isFresh = (): boolean => client.sessions.get(fresh.get(namespace)?.topic ?? '') !== undefined
        if (!isFresh()) {
          const earlier = await resumable(params)
          if (earlier) return open(params, earlier)
        }
        if (!isFresh()) {
          const attempt = (pairing ??= pair({ signal, onUri: () => {} }).finally(() => {
            pairing = undefined
          }))
          await unlessAborted(attempt, signal)
        }
        const settled = fresh.get(namespace)
        fresh.delete(namespace)
        if (!settled) throw failure('session/invalid', { message: `it has no account on ${namespace}` })
        return open(params, settled)
      }
      const settled = await found(connector)
      if (!settled) throw new LatchkeyError('wallet/not-authorized', { connectorId: connector.id })
      // A sleeping phone does not respond: its session is shown as silent until it does.
      const answers = await unlessAborted(lives(settled.topic), signal)
      const session = await open(params, settled)
      if (!answers) void session.ping()
      return session
    },
    close() {
      globalThis.removeEventListener?.('online', wake)
      globalThis.removeEventListener?.('focus', wake)
      stopForgetting()
      client.close()
    },
  }
}

function namespacesOf({ namespaces }: Settled): readonly Namespace[] {
  const names = Object.values(namespaces).flatMap(({ accounts }) =>
    accounts.map((account) => account.split(':')[0] ?? ''),
  )
  return [...new Set(names)].filter(isNamespace)
}

function serves(session: Settled, namespace: Namespace): boolean {
  return namespacesOf(session).includes(namespace)
}

/** Converts a sign-in to a CAIP-222 payload. */
function payloadOf(
  params: AuthenticateRequest,
): Parameters<ReturnType<typeof createProposer>['authenticate']>[0]['payload'] {
  const { chains, domain, uri, nonce, issuedAt, expirationTime, notBefore, requestId, statement, resources } = params
  return {
    chains,
    domain,
    aud: uri,
    nonce,
    iat: issuedAt,
    ...(expirationTime && { exp: expirationTime }),
    ...(notBefore && { nbf: notBefore }),
    ...(requestId && { requestId }),
    ...(statement && { statement }),
    ...(resources && { resources }),
  }
}

/** Converts a CACAO to a signed message. The message is rebuilt from the payload that the wallet signed. */
function signedOf(cacao: Cacao): SignedCacao {
  const { p, s } = cacao
  const { chain, address } = signerOf(cacao)
  const account = parseAccountId(`${chain}:${address}`)
  if (account?.namespace !== 'eip155')
    throw failure('session/invalid', { message: 'it did not sign for an EVM account' })
  return {
    account: `${chain}:${address}` as AccountId<'eip155'>,
    message: messageOf(p, p.iss),
    signature: s.s,
    fields: {
      domain: p.domain,
      uri: p.aud,
      version: p.version,
      nonce: p.nonce,
      issuedAt: p.iat,
      ...(p.exp && { expirationTime: p.exp }),
      ...(p.nbf && { notBefore: p.nbf }),
      ...(p.requestId && { requestId: p.requestId }),
      ...(p.statement && { statement: p.statement }),
      ...(p.resources && { resources: p.resources }),
    },
    cacao,
  }
}

/** Whether the other peer responds in time. */
async function answersWithin(
  { sessions }: Client,
  topic: string,
  { ms, clock }: { ms: number; clock: ConnectorContext['clock'] },
): Promise<boolean> {
  const stop = new AbortController()
  const cancel = clock.after(ms, () => stop.abort())
  try {
    return await sessions.ping(topic, { signal: stop.signal })
  } catch {
    return false
  } finally {
    cancel()
  }
}
