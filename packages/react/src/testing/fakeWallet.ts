import type { Adapter, Connector, Network, Session, SessionEvents } from '@latchkey/core/adapter'
import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'

/** Creates a fake network. */
export function fakeNetwork(id: number, name: string): Network<'eip155'> {
  return {
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    chainNamespace: 'eip155',
    caipNetworkId: `eip155:${id}`,
  }
}

/** A fake wallet whose responses are controlled by the test. */
export interface FakeWallet {
  readonly connector: Connector<'eip155'>
  /** Approves the pending connection request. */
  approve(): void
  reject(): void
  emit<Event extends keyof SessionEvents<'eip155'>>(event: Event, value: SessionEvents<'eip155'>[Event]): void
}

/** Creates a fake wallet. With `auto`, the wallet approves connection requests immediately. */
export function fakeWallet(options: {
  name: string
  address?: string
  chain?: ChainId<'eip155'>
  auto?: boolean
}): FakeWallet {
  const { name, address = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B', auto = false } = options
  let chain: ChainId<'eip155'> = options.chain ?? 'eip155:1'
  const listeners = new Map<string, Set<(value: never) => void>>()
  let answer: { resolve(session: Session<'eip155'>): void; reject(error: unknown): void } | undefined
  const id = `fake.${name.toLowerCase().replace(/\W+/g, '-')}`
  const connector: Connector<'eip155'> = {
    id,
    name,
    type: 'ANNOUNCED',
    namespace: 'eip155',
    rdns: id,
    connect({ silent, signal }) {
      if (silent) return Promise.reject(new LatchkeyError('wallet/not-authorized', { connectorId: id }))
      if (auto) return Promise.resolve(session)
      return new Promise((resolve, reject) => {
        answer = { resolve, reject }
        signal.addEventListener('abort', () => reject(new LatchkeyError('request/aborted')))
      })
    },
  }
  const session: Session<'eip155'> = {
    connector,
    get accounts() {
      return [`${chain}:${address}` as AccountId<'eip155'>] as const
    },
    get chain() {
      return chain
    },
    can: {
      async switchChain(network) {
        chain = network.caipNetworkId
        emit('chain', chain)
      },
    },
    provider: { request: async () => null },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set()
      listeners.set(event, set)
      set.add(listener as (value: never) => void)
      return () => set.delete(listener as (value: never) => void)
    },
    ping: async () => undefined,
    disconnect: async () => undefined,
  }
  const emit: FakeWallet['emit'] = (event, value) => {
    if (event === 'chain') chain = value as ChainId<'eip155'>
    for (const listener of listeners.get(event) ?? []) listener(value as never)
  }
  return {
    connector,
    approve: () => answer?.resolve(session),
    reject: () => answer?.reject(new LatchkeyError('user/rejected', { request: 'connect' })),
    emit,
  }
}

/** Creates a fake EVM adapter with the given wallets and networks. */
export function fakeAdapter(
  options: { wallets?: readonly FakeWallet[]; networks?: readonly Network<'eip155'>[]; balance?: bigint } = {},
): Adapter<'eip155'> {
  const {
    wallets = [],
    networks = [fakeNetwork(1, 'Ethereum'), fakeNetwork(10, 'Optimism')],
    balance = 1_234_567_800_000_000_000n,
  } = options
  return {
    namespace: 'eip155',
    networks,
    discover(found) {
      for (const { connector } of wallets) found(connector)
    },
    balance: async () => ({ value: balance, decimals: 18, symbol: 'ETH' }),
    identity: async () => ({}),
  }
}

/** Creates in-memory storage for a test. */
export function memoryStorage(): {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
} {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}
