import type {
  Adapter,
  Connector,
  ConnectorContext,
  Network,
  PairingProvider,
  PairingUri,
  Session,
} from '@latchkey/core/adapter'
import { fakeNetwork } from '@latchkey/core/testing'
import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { type FakeClock, fakeClock } from '@latchkey/protocol/testing'
import {
  type Client,
  createClient,
  createResponder,
  type GrantedNamespaces,
  type KeyValueStorage,
  memoryStorage,
  type Responder,
  type WalletSessions,
  walletSessions,
} from '@latchkey/walletconnect'
import { type MemoryRelay, memoryRelay } from '@latchkey/walletconnect/testing'
import { walletConnect } from '../walletConnectConnector.ts'
import type { WalletConnectOptions } from '../walletConnectOptions.ts'

/** A request that the wallet received over a session. */
export interface WireQuestion {
  readonly chainId: string
  readonly method: string
  readonly params: unknown
}

/** A page with the WalletConnect connector, and a wallet that uses the same relay. */
export interface WalletConnectHarness {
  readonly clock: FakeClock
  readonly relay: MemoryRelay
  readonly records: KeyValueStorage
  readonly wallet: Client
  readonly responder: Responder
  readonly bridge: ReturnType<typeof walletConnect>
  /** The wallet's session methods. */
  readonly acts: WalletSessions
  /** The requests that the wallet received, in order. */
  readonly requests: readonly WireQuestion[]
  /** The pairings that the page offered. Each is followed by `undefined` once it has ended. */
  readonly offers: readonly (PairingUri | undefined)[]
  /** Resolves to the next pairing that the page offers. */
  nextOffer(): Promise<PairingUri>
  /**
   * Awaits `promise` while advancing the clock in small steps, because the fake clock does not wait for the event loop turns that
   * encryption takes.
   */
  inTime<T>(promise: Promise<T>): Promise<T>
  /** The errors reported to the developer. */
  readonly reports: readonly string[]
  /** The logged warnings. */
  readonly warnings: readonly string[]
  /** The URLs of the RPC requests, in order. */
  readonly read: readonly string[]
  connector(namespace: Namespace): Connector
  /** Resolves to the pairing provider that core uses. */
  pairing(): Promise<PairingProvider>
  connect<N extends Namespace>(
    namespace: N,
    options?: { silent?: boolean; chain?: ChainId<N>; signal?: AbortSignal },
  ): Promise<Session<N>>
  /** The topic of the only session. */
  topic(): string
  detach(): void
}

/** Options for `walletConnectHarness`. */
export interface WalletConnectHarnessOptions {
  readonly networks: readonly (ChainId | Network)[]
  /** The namespaces that the wallet grants. `no` rejects the proposal, and `silence` ignores it. */
  readonly grants: GrantedNamespaces | 'no' | 'silence'
  /** Returns the wallet's response to a request. If the promise rejects, the wallet sends the error's code and message. */
  readonly answer?: (request: WireQuestion) => unknown
  readonly sessionProperties?: Readonly<Record<string, unknown>>
  readonly options?: WalletConnectOptions
  /** The state of an earlier page load. */
  readonly before?: Pick<WalletConnectHarness, 'clock' | 'relay' | 'records'>
}

/** Creates a page and a wallet that are not connected yet. */
export async function walletConnectHarness(setup: WalletConnectHarnessOptions): Promise<WalletConnectHarness> {
  const { grants, answer = () => null, sessionProperties, options = {}, before } = setup
  const { clock, relay, records } = before ?? { clock: fakeClock(), relay: memoryRelay(), records: memoryStorage() }
  const silence = (): undefined => undefined
  const address = 'wss://relay.example'
  const metadata = { name: 'Pocket', description: '', url: 'https://pocket.example', icons: [] }
  const wallet = await createClient({
    metadata,
    clock,
    relay: address,
    connect: relay.connect,
    storage: memoryStorage(),
  })
  const responder = createResponder(wallet.rpc, wallet.sessions)
  responder.on('proposal', ({ id }) => {
    if (grants === 'no') void responder.reject(id)
    else if (grants !== 'silence') void responder.approve(id, { namespaces: grants, sessionProperties })
  })
  const requests: WireQuestion[] = []
  wallet.sessions.on('request', async ({ id, session: { topic }, request: { chainId, request } }) => {
    const question = { chainId, method: request.method, params: request.params }
    requests.push(question)
    try {
      await responder.respond({ topic, id }, { result: await answer(question) })
    } catch (error) {
      const { code, message } = error as { code: number; message: string }
      await responder.respond({ topic, id }, { error: { code, message } })
    }
  })

  const offers: (PairingUri | undefined)[] = []
  const reports: string[] = []
  const warnings: string[] = []
  const read: string[] = []
  const nodes: typeof fetch = (url, init) => {
    read.push(String(url))
    return fetch(url, init)
  }
  let offered: (offer: PairingUri) => void = silence
  const bridge = walletConnect({
    relay: address,
    ...options,
    connect: relay.connect,
    records,
    onOffer(offer) {
      offers.push(offer)
      if (!offer) return
      offered(offer)
      void responder.pair(offer.uri)
    },
  })
  const detach = bridge.attach?.({
    clock,
    fetch: nodes,
    log: {
      debug: silence,
      info: silence,
      warn: (text: string) => void warnings.push(text),
      error: silence,
      entries: () => [],
    },
    waiting: silence,
    socials() {},
    report: (what: string, error: LatchkeyError) => reports.push(`${what}: ${error.code}, ${error.message}`),
    dapp: () => ({
      metadata: { name: 'Shop', description: '', url: 'https://shop.example', icons: [] },
      projectId: '',
      sdkType: 'latchkey',
      sdkVersion: 'react-0.0.0',
    }),
  } as unknown as ConnectorContext)
  const networks = setup.networks.map((network) => (typeof network === 'string' ? fakeNetwork(network) : network))
  const namespaces = [...new Set(networks.map(({ caipNetworkId }) => namespaceOf(caipNetworkId)))]
  const connectors = new Map(
    namespaces.map((namespace) => {
      const own = networks.filter(({ chainNamespace }) => chainNamespace === namespace)
      const adapter: Adapter = { namespace, networks: own, discover: silence }
      return [namespace, bridge.connectorFor(adapter)] as const
    }),
  )
  const connector = (namespace: Namespace): Connector => {
    const found = connectors.get(namespace)
    if (!found) throw new Error(`The page has no ${namespace}`)
    return found
  }
  return {
    clock,
    relay,
    records,
    wallet,
    responder,
    bridge,
    acts: walletSessions(wallet.rpc, wallet.sessions),
    requests,
    offers,
    reports,
    warnings,
    read,
    nextOffer: () =>
      new Promise((resolve) => {
        offered = resolve
      }),
    async inTime(promise) {
      let isWaiting = true
      const settled = () => {
        isWaiting = false
      }
      promise.then(settled, settled)
      for (let at = 0; isWaiting && at < 120; at++) await clock.pass(500)
      return promise
    },
    connector,
    pairing: () => bridge.pairing?.() ?? Promise.reject(new Error('The page has no relay')),
    async connect<N extends Namespace>(
      namespace: N,
      how: { silent?: boolean; chain?: ChainId<N>; signal?: AbortSignal } = {},
    ) {
      const session = await connector(namespace).connect({ signal: new AbortController().signal, ...how })
      return session as Session as Session<N>
    },
    topic: () => wallet.sessions.all()[0]?.topic ?? '',
    detach: () => detach?.(),
  }
}
