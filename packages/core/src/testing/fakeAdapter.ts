import { type AccountId, accountId, type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type {
  Adapter,
  Connector,
  ConnectorType,
  Identity,
  NativeBalance,
  Network,
  Session,
  SessionCapabilities,
  SessionEvents,
} from '../adapter.ts'

/** A session that tests can control. */
export interface FakeSession<N extends Namespace = Namespace> extends Session<N> {
  /** Applies a change as if the wallet had made it. */
  change(what: Partial<{ accounts: readonly [string, ...string[]]; chain: ChainId<N>; health: 'ok' | 'silent' }>): void
  /** Emits `sent`. */
  sent(): void
  /** Ends the session as if the wallet had disconnected. */
  leave(): void
  /** Whether `disconnect()` was called. */
  readonly ended: boolean
}

/** A connector that tests can inspect. */
export interface FakeConnector<N extends Namespace = Namespace> extends Connector<N> {
  /** The parameters of each `connect` call, in order. */
  readonly connectCalls: readonly { chain?: ChainId<N>; silent?: boolean }[]
  /** The sessions that `connect` returned, in order. */
  readonly sessions: readonly FakeSession<N>[]
}

/** An adapter whose wallets the test announces. */
export interface FakeAdapter<N extends Namespace = Namespace> extends Adapter<N> {
  /** Announces a wallet. */
  announce(connector: Connector<N>): void
  /** Whether discovery is active. */
  readonly listening: boolean
  /** The balances and identities that were read, in order, such as `balance eip155:1:0x…`. */
  readonly reads: readonly string[]
}

/**
 * Returns a network with the ID `chain`, such as `eip155:1`, and plausible values for the other fields.
 *
 * @example
 * const network = fakeNetwork('eip155:1', { name: 'Ethereum' })
 */
export function fakeNetwork<N extends Namespace>(chain: ChainId<N>, more: Partial<Network<N>> = {}): Network<N> {
  const reference = chain.slice(chain.indexOf(':') + 1)
  return {
    id: /^\d+$/.test(reference) ? Number(reference) : reference,
    name: `Network ${reference}`,
    nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: ['https://rpc.example'] } },
    chainNamespace: namespaceOf(chain),
    caipNetworkId: chain,
    ...more,
  }
}

/**
 * Creates a session for `connector`. Tests can control the session.
 *
 * @example
 * const session = fakeSession(fakeConnector(), { chain: 'eip155:1', addresses: ['0x…'] })
 * session.change({ chain: 'eip155:10' })
 */
export function fakeSession<N extends Namespace>(
  connector: Connector<N>,
  params: {
    chain: ChainId<N>
    addresses: readonly [string, ...string[]]
    /** Whether the wallet can switch networks, or the code of the error with which switching rejects. */
    switches?: boolean | ErrorCode
    endFails?: string
    can?: SessionCapabilities<N>
  },
): FakeSession<N> {
  const listeners = new Set<{ event: string; callback: (value: never) => void }>()
  let { chain, addresses } = params
  let ended = false
  const emit = <Event extends keyof SessionEvents<N>>(event: Event, value: SessionEvents<N>[Event]) => {
    for (const listener of [...listeners])
      if (listener.event === event) (listener.callback as (value: unknown) => void)(value)
  }
  const session: FakeSession<N> = {
    connector,
    provider: {},
    get accounts() {
      return addresses.map((address) => accountId(chain, address)) as [AccountId<N>, ...AccountId<N>[]]
    },
    get chain() {
      return chain
    },
    get ended() {
      return ended
    },
    can: {
      ...(params.switches !== false && {
        async switchChain(network: Network<N>) {
          if (typeof params.switches === 'string') throw failure(params.switches)
          session.change({ chain: network.caipNetworkId })
        },
      }),
      ...params.can,
    },
    on(event, callback) {
      const entry = { event, callback: callback as (value: never) => void }
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
    async ping() {
      emit('health', 'ok')
    },
    async disconnect() {
      ended = true
      if (params.endFails) throw new Error(params.endFails)
    },
    change(what) {
      if (what.chain) {
        chain = what.chain
        emit('chain', chain)
      }
      if (what.accounts) {
        addresses = what.accounts
        emit('accounts', session.accounts)
      }
      if (what.health) emit('health', what.health)
    },
    sent: () => emit('sent', undefined),
    leave: () => emit('disconnect', undefined),
  }
  return session
}

/**
 * Creates a connector for a wallet that approves every request, unless configured otherwise.
 *
 * @example
 * const wallet = fakeConnector({ id: 'example.wallet', rejects: 'user/rejected' })
 */
export function fakeConnector<N extends Namespace = 'eip155'>(
  params: Partial<Omit<Connector<N>, 'connect' | 'namespace'>> & {
    namespace?: N
    addresses?: readonly [string, ...string[]]
    chain?: ChainId<N>
    /** The code of the error with which `connect` rejects. */
    rejects?: ErrorCode
    /** Whether a `silent` connection succeeds. Defaults to `true`. */
    authorized?: boolean
    /** Returns the error that prevents a connection from being restored, or its code, or `undefined`. Called on each attempt. */
    outage?: () => Error | ErrorCode | undefined
    /** Delays the response until this promise resolves. */
    waits?: Promise<unknown>
    switches?: boolean | ErrorCode
    endFails?: string
    can?: SessionCapabilities<N>
  } = {},
): FakeConnector<N> {
  const { addresses = ['0x1111111111111111111111111111111111111111'], rejects, authorized = true, waits } = params
  const questions: { chain?: ChainId<N>; silent?: boolean }[] = []
  const sessions: FakeSession<N>[] = []
  const namespace = (params.namespace ?? 'eip155') as N
  const name = params.name ?? 'Fake Wallet'
  const connector: FakeConnector<N> = {
    id: params.id ?? 'example.fake',
    name,
    type: params.type ?? ('ANNOUNCED' satisfies ConnectorType),
    namespace,
    ...(params.icon && { icon: params.icon }),
    ...(params.imageId && { imageId: params.imageId }),
    ...(params.rdns && { rdns: params.rdns }),
    ...(params.explorerId && { explorerId: params.explorerId }),
    ...(params.homepage && { homepage: params.homepage }),
    connectCalls: questions,
    sessions,
    async connect({ chain, silent }) {
      questions.push({ ...(chain && { chain }), ...(silent && { silent }) })
      await waits
      if (rejects) throw failure(rejects)
      const outage = silent ? params.outage?.() : undefined
      if (outage) throw typeof outage === 'string' ? failure(outage) : outage
      if (silent && !authorized) throw new LatchkeyError('wallet/not-authorized', { connectorId: connector.id })
      const session = fakeSession(connector, {
        chain: params.chain ?? chain ?? (`${namespace}:1` as ChainId<N>),
        addresses,
        ...(params.switches !== undefined && { switches: params.switches }),
        ...(params.endFails && { endFails: params.endFails }),
        ...(params.can && { can: params.can }),
      })
      sessions.push(session)
      return session
    },
  }
  return connector
}

/**
 * Creates an adapter that discovers `wallets` in one chain family.
 *
 * @example
 * const latchkey = createLatchkey({ adapters: [fakeAdapter({ wallets: [fakeConnector()] })], storage: memoryStorage() })
 */
export function fakeAdapter<N extends Namespace = 'eip155'>(
  params: {
    namespace?: N
    networks?: readonly Network<N>[]
    wallets?: readonly Connector<N>[]
    balance?: () => NativeBalance | Promise<NativeBalance>
    identity?: () => Identity | Promise<Identity>
  } = {},
): FakeAdapter<N> {
  const namespace = (params.namespace ?? 'eip155') as N
  const listeners = new Set<(connector: Connector<N>) => void>()
  const reads: string[] = []
  const networks = [
    ...(params.networks ?? [fakeNetwork(`${namespace}:1` as ChainId<N>), fakeNetwork(`${namespace}:10` as ChainId<N>)]),
  ]
  return {
    namespace,
    networks,
    change(change) {
      if ('add' in change) networks.push(change.add)
      else networks.splice(0, networks.length, ...networks.filter((network) => network.caipNetworkId !== change.remove))
    },
    reads,
    get listening() {
      return listeners.size > 0
    },
    announce(connector) {
      for (const listener of [...listeners]) listener(connector)
    },
    discover(found, signal) {
      if (signal.aborted) return
      listeners.add(found)
      signal.addEventListener('abort', () => listeners.delete(found), { once: true })
      for (const wallet of params.wallets ?? []) found(wallet)
    },
    ...(params.balance && {
      balance: async ({ account }: { account: AccountId<N> }) => {
        reads.push(`balance ${account}`)
        return (params.balance as () => NativeBalance | Promise<NativeBalance>)()
      },
    }),
    ...(params.identity && {
      identity: async ({ address }: { address: string }) => {
        reads.push(`identity ${address}`)
        return (params.identity as () => Identity | Promise<Identity>)()
      },
    }),
  }
}

function failure(code: ErrorCode): LatchkeyError {
  // Tests only compare the code, so placeholders in the message are not filled.
  const Failure = LatchkeyError as new (code: ErrorCode, details: object) => LatchkeyError
  return new Failure(code, { request: 'connect', connectorId: 'example.fake', message: code, chain: '', method: '' })
}
