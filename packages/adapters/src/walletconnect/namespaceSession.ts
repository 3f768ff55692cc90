import type {
  Adapter,
  Clock,
  Connector,
  Network,
  Session,
  SessionCapabilities,
  SessionEvents,
} from '@latchkey/core/adapter'
import {
  type AccountId,
  accountId,
  addressOf,
  type ChainId,
  type Namespace,
  parseAccountId,
} from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/errors'
import { allows, type Client, grantedChains, type Session as Settled } from '@latchkey/walletconnect'
import { answerMs, within } from '../evm/requestTimeouts.ts'
import { sessionListeners } from '../shared/sessionListeners.ts'
import { toWalletError } from '../shared/walletErrors.ts'
import { chainIn, chainOnPage } from './namespaces.ts'
import { asRpcError } from './rpcErrors.ts'

/** Timeout for requests that require approval, in seconds. */
export const requestTtl = 900

/** Parameters for opening one namespace of a settled session. */
export interface NamespaceSessionInput<N extends Namespace = Namespace> {
  readonly client: Client
  readonly topic: string
  readonly connector: Connector<N>
  readonly adapter: Adapter<N>
  readonly clock: Clock
  /** The preferred initial chains, if the wallet has granted them. */
  readonly chains: readonly ChainId[]
  /** RPC URLs for reads, if configured. */
  readonly rpcMap?: Readonly<Record<string, string>> | undefined
  /** The `fetch` used for RPC requests. */
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  /** Called when a request is waiting for approval in the wallet. */
  waiting(requestId: number): void
}

/** One namespace of a session, as used by the code of its chain family. */
export interface NamespaceSession<N extends Namespace> {
  readonly chain: ChainId<N>
  /** The addresses on the active chain, with the active address first. */
  readonly addresses: readonly string[]
  /** Whether the wallet granted the method on the active chain. */
  offers(method: string): boolean
  /** Sends a request to the wallet. Rejections have EIP-1193 codes. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Sends a request to the wallet. Rejects with a `LatchkeyError`. */
  ask(method: string, params: unknown): Promise<unknown>
  /**
   * The address of `account`.
   * @throws if it is not an account of this session.
   */
  own(account: AccountId<N>): string
}

/** The parts of a session that are specific to a chain family. */
export interface NamespaceSessionFamily<N extends Namespace> {
  readonly provider: unknown
  readonly can: SessionCapabilities<N>
  /** Methods that change balances. */
  readonly sends?: RegExp
}

/** Opens one namespace of a settled session. The wallet returned its accounts on settlement, so this does not prompt. */
export function createNamespaceSession<N extends Namespace>(
  { client, topic, connector, adapter, clock, chains: wanted, waiting }: NamespaceSessionInput<N>,
  familyOf: (wired: NamespaceSession<N>) => NamespaceSessionFamily<N>,
): Session<N> {
  const { namespace, id: connectorId } = connector
  const { sessions } = client
  const { on, tell } = sessionListeners<N>()
  let ended = false
  let health: SessionEvents['health'] = 'ok'
  /** The first address in the wallet's latest `accountsChanged` event. */
  let active: string | undefined

  const settled = (): Settled | undefined => sessions.get(topic)
  const granted = (): readonly string[] => grantedChains(settled()?.namespaces ?? {})
  const chains = (): readonly ChainId<N>[] => [
    ...new Set(
      granted()
        .map(chainOnPage)
        .filter((id): id is ChainId<N> => id.startsWith(`${namespace}:`)),
    ),
  ]
  const found = (): ChainId<N> | undefined => {
    const there = chains()
    const known = [...wanted, ...adapter.networks.map(({ caipNetworkId }) => caipNetworkId)]
    return known.find((id): id is ChainId<N> => (there as readonly string[]).includes(id)) ?? there[0]
  }
  const first = found()
  if (!first) throw new LatchkeyError('wallet/not-authorized', { connectorId })
  let chain = first

  const addresses = (): readonly string[] => {
    const seen = new Map<string, string>()
    for (const account of Object.values(settled()?.namespaces ?? {}).flatMap(({ accounts }) => accounts)) {
      const parts = parseAccountId(account)
      if (!parts || chainOnPage(parts.chain) !== chain) continue
      const key = parts.address.toLowerCase()
      if (!seen.has(key)) seen.set(key, parts.address)
    }
    const all = [...seen.values()]
    const chosen = active && seen.get(active.toLowerCase())
    return chosen ? [chosen, ...all.filter((address) => address !== chosen)] : all
  }
  const accounts = () => addresses().map((address) => accountId(chain, address)) as unknown as Session<N>['accounts']

  /** The state that listeners were last notified of. */
  let told = { chain, addresses: addresses().join() }
  const tellChanges = (): void => {
    const before = told
    told = { chain, addresses: addresses().join() }
    if (told.chain !== before.chain) tell('chain', chain)
    if (told.addresses !== before.addresses) tell('accounts', accounts())
  }

  const finish = (): boolean => {
    if (ended) return false
    ended = true
    for (const off of offs) off()
    return true
  }
  const over = (): void => {
    if (finish()) tell('disconnect', undefined)
  }
  const offs = [
    sessions.on('updated', ({ topic: about }) => {
      if (about !== topic) return
      // The wallet may have revoked this namespace while keeping another.
      const next = chains().includes(chain) ? chain : found()
      if (!next) return over()
      chain = next
      tellChanges()
    }),
    sessions.on('event', ({ session: { topic: about }, chainId, name, data }) => {
      if (about !== topic || !chainId.startsWith(`${namespace}:`)) return
      if (name === 'chainChanged') {
        // Use the event's data. Wallets differ in the chain that they send the event for.
        const said = data === undefined ? chainId : String(data)
        const id = chainOnPage(said.includes(':') ? said : `${namespace}:${said}`)
        chain = chains().find((each) => each === id) ?? chain
      }
      if (name === 'accountsChanged' && Array.isArray(data))
        active = String(data[0] ?? '')
          .split(':')
          .at(-1)
      tellChanges()
    }),
    sessions.on('ended', ({ session: { topic: about } }) => {
      if (about === topic) over()
    }),
  ]

  const setHealth = (next: SessionEvents['health']): void => {
    if (ended || health === next) return
    health = next
    tell('health', next)
  }

  const offers = (method: string): boolean =>
    allows(settled()?.namespaces ?? {}, chainIn(granted(), chain), 'methods', method)

  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    if (ended) throw Object.assign(new Error('The wallet has ended the session.'), { code: 4900 })
    if (!offers(method)) throw Object.assign(new Error(`The wallet does not support ${method}.`), { code: 4200 })
    try {
      const asked = { chainId: chainIn(granted(), chain), method, params }
      const answer = await sessions.request(topic, asked, { ttl: requestTtl, onPublished: waiting })
      setHealth('ok')
      if (family.sends?.test(method)) tell('sent', undefined)
      return answer
    } catch (error) {
      throw asRpcError(error)
    }
  }

  const wired: NamespaceSession<N> = {
    get chain() {
      return chain
    },
    get addresses() {
      return addresses()
    },
    offers,
    request,
    ask: (method, params) =>
      request({ method, params }).catch((error: unknown) => {
        throw toWalletError(error, { request: method, connectorId })
      }),
    own(account) {
      const address = addresses().find((each) => each.toLowerCase() === addressOf(account).toLowerCase())
      if (ended || !address) throw new LatchkeyError('wallet/not-authorized', { connectorId })
      return address
    },
  }
  const family = familyOf(wired)

  return {
    connector,
    get accounts() {
      return accounts()
    },
    get chain() {
      return chain
    },
    provider: family.provider,
    can: {
      ...family.can,
      async switchChain({ caipNetworkId }: Network<N>) {
        if (ended) throw new LatchkeyError('wallet/not-authorized', { connectorId })
        if (!chains().includes(caipNetworkId)) throw new LatchkeyError('network/unsupported', { chain: caipNetworkId })
        chain = caipNetworkId
        tellChanges()
      },
    },
    on,
    async ping() {
      if (ended) return
      const silent = () => new LatchkeyError('wallet/unresponsive', { connectorId })
      const lives = await within(sessions.ping(topic), answerMs, clock, silent).catch(() => false)
      setHealth(lives ? 'ok' : 'silent')
    },
    async disconnect() {
      if (finish()) await sessions.disconnect(topic)
    },
  }
}
