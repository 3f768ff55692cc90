import type {
  Adapter,
  Clock,
  Connector,
  Network,
  Session,
  SessionCapabilities,
  SessionEvents,
} from '@latchkey/core/adapter'
import { type AccountId, addressOf, type ChainId, type Namespace } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { allows, type Client, grantedChains, type Session as Settled } from '@latchkey/walletconnect'
import { responseTimeoutMs, withTimeout } from '../shared/responseTimeout.ts'
import { sessionListeners } from '../shared/sessionListeners.ts'
import { toWalletError } from '../shared/walletErrors.ts'
import { createNamespaceAccounts } from './namespaceAccounts.ts'
import { chainIn, chainOnPage } from './proposedNamespaces.ts'
import { asRpcError } from './rpcErrors.ts'

/** The timeout for wallet requests, in seconds. It leaves the user time to approve a request. */
export const requestTtl = 900

/** Parameters for opening one namespace of a settled session. */
export interface NamespaceSessionInput<N extends Namespace = Namespace> {
  readonly client: Client
  readonly topic: string
  readonly connector: Connector<N>
  readonly adapter: Adapter<N>
  readonly clock: Clock
  /** The preferred initial chains. Chains that the wallet has not granted are ignored. */
  readonly chains: readonly ChainId[]
  /** The configured RPC URLs for reads. */
  readonly rpcMap?: Readonly<Record<string, string>> | undefined
  /** The `fetch` function for RPC requests. */
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  /** Called when a request has been sent to the wallet and is waiting for approval. */
  waiting(requestId: number): void
}

/** One namespace of a session, for use by the chain family's code. */
export interface NamespaceSession<N extends Namespace> {
  readonly chain: ChainId<N>
  /** The addresses on the active chain, with the active address first. */
  readonly addresses: readonly string[]
  /** Whether the wallet granted the method on the active chain. */
  offers(method: string): boolean
  /** Sends a request to the wallet. Rejects with EIP-1193 errors. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Sends a request to the wallet. Rejects with a `LatchkeyError`. */
  ask(method: string, params: unknown): Promise<unknown>
  /**
   * Returns the address of `account`.
   * @throws if the account does not belong to this session.
   */
  own(account: AccountId<N>): string
}

/** The parts of a session that are specific to a chain family. */
export interface NamespaceSessionFamily<N extends Namespace> {
  readonly provider: unknown
  readonly can: SessionCapabilities<N>
  /** The methods that can change balances. */
  readonly sends?: RegExp
}

/**
 * Opens one namespace of a settled session. Does not prompt the user, because the wallet returned its accounts when the session
 * was settled.
 */
export function createNamespaceSession<N extends Namespace>(
  { client, topic, connector, adapter, clock, chains, waiting }: NamespaceSessionInput<N>,
  familyOf: (session: NamespaceSession<N>) => NamespaceSessionFamily<N>,
): Session<N> {
  const { namespace, id: connectorId } = connector
  const { sessions } = client
  const { on, emit } = sessionListeners<N>()
  const notAuthorized = () => new LatchkeyError('wallet/not-authorized', { connectorId })
  let ended = false
  let health: SessionEvents['health'] = 'ok'

  const namespaces = (): Settled['namespaces'] => sessions.get(topic)?.namespaces ?? {}
  const granted = createNamespaceAccounts<N>({
    namespace,
    connectorId,
    namespaces,
    preferred: () => [...chains, ...adapter.networks.map(({ caipNetworkId }) => caipNetworkId)],
  })
  /** Returns the ID that the wallet uses for the active chain. */
  const walletChain = () => chainIn(grantedChains(namespaces()), granted.chain)

  const read = () => ({ chain: granted.chain, addresses: granted.addresses.join() })
  /** The state that was last reported to the listeners. */
  let notified = read()
  const notifyChanges = (): void => {
    const before = notified
    notified = read()
    if (notified.chain !== before.chain) emit('chain', notified.chain)
    if (notified.addresses !== before.addresses) emit('accounts', granted.accounts)
  }

  const end = (): boolean => {
    if (ended) return false
    ended = true
    for (const off of subscriptions) off()
    return true
  }
  const lost = (): void => {
    if (end()) emit('disconnect', undefined)
  }
  const subscriptions = [
    sessions.on('updated', (updated) => {
      if (updated.topic !== topic) return
      // The wallet might have revoked this namespace but kept the session's other namespaces.
      if (granted.update()) notifyChanges()
      else lost()
    }),
    sessions.on('event', ({ session, chainId, name, data }) => {
      if (session.topic !== topic || !chainId.startsWith(`${namespace}:`)) return
      if (name === 'chainChanged') {
        // Prefer the chain ID in the event's data, because wallets differ in what they send as the event's own chain ID.
        const chain = data === undefined ? chainId : String(data)
        granted.selectChain(chainOnPage(chain.includes(':') ? chain : `${namespace}:${chain}`))
      }
      if (name === 'accountsChanged' && Array.isArray(data))
        granted.selectAddress(
          String(data[0] ?? '')
            .split(':')
            .at(-1),
        )
      notifyChanges()
    }),
    sessions.on('ended', ({ session }) => {
      if (session.topic === topic) lost()
    }),
  ]

  const setHealth = (next: SessionEvents['health']): void => {
    if (ended || health === next) return
    health = next
    emit('health', next)
  }

  const offers = (method: string): boolean => allows(namespaces(), walletChain(), 'methods', method)

  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    if (ended) throw Object.assign(new Error('The wallet has ended the session.'), { code: 4900 })
    if (!offers(method)) throw Object.assign(new Error(`The wallet does not support ${method}.`), { code: 4200 })
    try {
      const call = { chainId: walletChain(), method, params }
      const response = await sessions.request(topic, call, { ttl: requestTtl, onPublished: waiting })
      setHealth('ok')
      if (family.sends?.test(method)) emit('sent', undefined)
      return response
    } catch (error) {
      throw asRpcError(error)
    }
  }

  const family = familyOf({
    get chain() {
      return granted.chain
    },
    get addresses() {
      return granted.addresses
    },
    offers,
    request,
    ask: (method, params) =>
      request({ method, params }).catch((error: unknown) => {
        throw toWalletError(error, { request: method, connectorId })
      }),
    own(account) {
      const address = granted.addresses.find((own) => own.toLowerCase() === addressOf(account).toLowerCase())
      if (ended || !address) throw notAuthorized()
      return address
    },
  })

  return {
    connector,
    get accounts() {
      return granted.accounts
    },
    get chain() {
      return granted.chain
    },
    provider: family.provider,
    can: {
      ...family.can,
      async switchChain({ caipNetworkId }: Network<N>) {
        if (ended) throw notAuthorized()
        if (!granted.chains.includes(caipNetworkId))
          throw new LatchkeyError('network/unsupported', { chain: caipNetworkId })
        granted.selectChain(caipNetworkId)
        notifyChanges()
      },
    },
    on,
    async ping() {
      if (ended) return
      const silent = () => new LatchkeyError('wallet/unresponsive', { connectorId })
      const lives = await withTimeout(sessions.ping(topic), responseTimeoutMs, clock, silent).catch(() => false)
      setHealth(lives ? 'ok' : 'silent')
    },
    async disconnect() {
      if (end()) await sessions.disconnect(topic)
    },
  }
}
