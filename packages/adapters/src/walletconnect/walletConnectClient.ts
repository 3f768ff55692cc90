import type {
  Adapter,
  Connector,
  ConnectorContext,
  PairingProvider,
  PairingResult,
  Session,
} from '@latchkey/core/adapter'
import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { createClient, createProposer, type Session as Settled } from '@latchkey/walletconnect'
import { unlessAborted } from '../shared/responseTimeout.ts'
import { loadNamespaceSession } from './loadNamespaceSession.ts'
import { createWalletPairing, type WalletPairing } from './pairWallet.ts'
import { approvedChains, isStale } from './proposedNamespaces.ts'
import { createSessionPing } from './sessionPing.ts'
import { createSettledSessions } from './settledSessions.ts'
import type { WalletConnectOptions } from './walletConnectOptions.ts'

/** Hints that are logged for the developer, by error code. */
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

/** A Latchkey instance's relay client, which all namespaces share. */
export interface WalletConnectClient extends PairingProvider {
  connect(params: WalletConnectRequest): Promise<Session>
  close(): void
}

/** Creates the relay client and loads stored sessions. */
export async function createWalletConnectClient({
  options,
  relay,
  host,
  connectorId,
  adapters,
}: {
  readonly options: WalletConnectOptions
  readonly relay: string | readonly [string, ...string[]]
  readonly host: ConnectorContext
  readonly connectorId: string
  adapters(): readonly Adapter[]
}): Promise<WalletConnectClient> {
  const { clock, log } = host
  const reported = new Set<string>()
  /** Aborts pending pairings and reports that the relay rejected the page, once per error code. */
  const refused = (error: LatchkeyError): void => {
    // Pending pairings can no longer succeed. `pairing` is undefined if the relay rejects the page while the client is created.
    pairing?.abort(error)
    if (reported.has(error.code)) return
    reported.add(error.code)
    log.warn(hints[error.code] ?? 'The relay rejected this page.', error)
    host.report('relay_refused', error)
  }
  let pairing: WalletPairing | undefined
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
  const { sessions } = client
  const settled = createSettledSessions({ sessions, storage: client.rpc.storage })
  const isResponsive = createSessionPing({ sessions, clock })
  const proposer = createProposer(client.rpc, sessions)
  pairing = createWalletPairing({ proposer, sessions, settled, adapters, options, connectorId })
  const { pair } = pairing
  /** The pending pairing, if `connect` started one. Other namespaces that connect while it is pending share it. */
  let connecting: Promise<PairingResult> | undefined

  const wake = (): void => client.reconnectNow()
  globalThis.addEventListener?.('online', wake)
  globalThis.addEventListener?.('focus', wake)

  /** The namespaces that have been opened, by session topic. */
  const opened = new Map<string, Set<Namespace>>()
  const stopForgetting = sessions.on('ended', ({ session: { topic } }) => {
    opened.delete(topic)
    settled.forget(topic)
  })

  const open = async (
    { connector, adapter, chain, silent, signal }: WalletConnectRequest,
    { topic }: Settled,
  ): Promise<Session> => {
    try {
      if (signal.aborted) throw new LatchkeyError('request/aborted')
      const session = await loadNamespaceSession({
        client,
        topic,
        connector,
        adapter,
        clock,
        fetch: host.fetch,
        chains: [chain, options.defaultChain].filter((id) => id !== undefined),
        rpcMap: options.rpcMap,
        signal,
        waiting: (requestId) => host.waiting({ requestId, topic }),
      })
      opened.set(topic, (opened.get(topic) ?? new Set()).add(connector.namespace))
      return session
    } catch (error) {
      // End the session, unless a different namespace is using it.
      if (!silent && !opened.has(topic)) await sessions.disconnect(topic)
      throw error
    }
  }

  /** Resolves to a stored session that can be used instead of pairing again, if there is one. */
  const resumable = async ({ connector, adapter, signal }: WalletConnectRequest): Promise<Settled | undefined> => {
    const earlier = await settled.find(connector.namespace)
    if (!earlier || opened.get(earlier.topic)?.has(connector.namespace)) return undefined
    const requested = await settled.requestedChains(earlier.topic)
    const configured = adapter.networks.map(({ caipNetworkId }) => caipNetworkId)
    const approved = approvedChains(earlier.namespaces)
    if (requested && isStale({ approved, requested, configured })) {
      void sessions.disconnect(earlier.topic)
      return undefined
    }
    return (await unlessAborted(isResponsive(earlier.topic), signal)) ? earlier : undefined
  }

  return {
    pair,
    async connect(params) {
      const { connector, silent = false, signal } = params
      const { namespace } = connector
      if (!silent) {
        const isFresh = (): boolean => sessions.get(settled.fresh(namespace)?.topic ?? '') !== undefined
        if (!isFresh()) {
          const earlier = await resumable(params)
          if (earlier) return open(params, earlier)
        }
        if (!isFresh()) {
          const attempt = (connecting ??= pair({ signal, onUri: () => {} }).finally(() => {
            connecting = undefined
          }))
          await unlessAborted(attempt, signal)
        }
        const fresh = settled.takeFresh(namespace)
        if (!fresh) throw failure('session/invalid', { message: `it has no account on ${namespace}` })
        return open(params, fresh)
      }
      const stored = await settled.find(namespace)
      if (!stored) throw new LatchkeyError('wallet/not-authorized', { connectorId: connector.id })
      // A sleeping phone does not respond, so the session is reported as silent until the phone responds.
      const responds = await unlessAborted(isResponsive(stored.topic), signal)
      const session = await open(params, stored)
      if (!responds) void session.ping()
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
