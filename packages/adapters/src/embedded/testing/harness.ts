import type { Adapter, Connector, ConnectorContext, LoginRecords, Network, StoredValue } from '@latchkey/core/adapter'
import { type FakeClock, fakeClock } from '@latchkey/core/testing'
import type { Namespace } from '@latchkey/protocol/caip'
import { type ScriptedFrame, type ScriptedFrameOptions, scriptedFrame } from '@latchkey/testing'
import { embedded } from '../embeddedConnector.ts'
import type { EmbeddedOptions } from '../embeddedOptions.ts'
// This module is loaded lazily at the first login. Import it up front, because a test that runs alone would otherwise wait for it
// while its clock is stopped.
import '../embeddedWallet.ts'

/** An embedded wallet that runs with a scripted frame and without a page. */
export interface Harness {
  readonly clock: FakeClock
  readonly frame: ScriptedFrame
  readonly bridge: ReturnType<typeof embedded>
  readonly records: LoginRecords
  /** The host, for tests that use a single module of the wallet. */
  readonly host: ConnectorContext
  readonly options: EmbeddedOptions
  readonly evm: Connector
  readonly solana: Connector
  /** The calls to the frame handle in order, as `shown`, `hidden`, `reloaded` or `removed`. */
  readonly place: readonly string[]
  readonly reports: readonly string[]
  /** The logged errors. */
  readonly errors: readonly string[]
  /** The social logins that the wallet reported to the host as available. */
  readonly socials: readonly string[] | undefined
  /** The URLs of all mounted frames. */
  readonly urls: readonly string[]
  /** Dismisses the frame, as the user would. */
  dismiss(): void
  /** Advances the clock by `ms` and delivers pending port messages. */
  pass(ms: number): Promise<void>
  detach(): void
}

/** Creates a network with an RPC URL. */
export function network<N extends Namespace>(namespace: N, id: number | string, name: string): Network<N> {
  return {
    id,
    name,
    nativeCurrency: { name: 'Coin', symbol: 'C', decimals: 18 },
    rpcUrls: { default: { http: [`https://rpc.example/${id}`] } },
    chainNamespace: namespace,
    caipNetworkId: `${namespace}:${id}`,
  }
}

/** Creates a test harness. */
export function harness(
  params: {
    frame?: ScriptedFrameOptions
    options?: Partial<EmbeddedOptions>
    used?: boolean
    loads?: boolean
    /** Prepares the sign-in during login. By default, there is no sign-in. */
    signInOnLogin?: ConnectorContext['signInOnLogin']
  } = {},
): Harness {
  const clock = fakeClock()
  const frame = scriptedFrame(params.frame)
  const place: string[] = []
  const reports: string[] = []
  const errors: string[] = []
  let socials: readonly string[] | undefined
  const urls: string[] = []
  let dismiss = () => {}
  const mainnet = network('eip155', 1, 'Ethereum')
  const adapters = {
    eip155: adapterOf('eip155', [mainnet, network('eip155', 137, 'Polygon')]),
    solana: adapterOf('solana', [network('solana', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solana')]),
  }
  const records: LoginRecords = {
    emailUsed: storedValue(),
    email: storedValue(),
    socialUsername: storedValue(),
    lastChain: storedValue(),
    lastEmailLoginTime: storedValue(),
    connectedSocial: storedValue(),
    leavingSocial: storedValue(),
    smartAccountNetworks: storedValue(),
    accountTypes: storedValue(),
  }
  if (params.used) records.emailUsed.set('true')
  const silence = () => undefined
  const host: ConnectorContext = {
    clock,
    fetch: (...args) => fetch(...args),
    log: { debug: silence, info: silence, warn: silence, error: (text) => void errors.push(text), entries: () => [] },
    records,
    dapp: () => ({ projectId: 'p1', sdkType: 'latchkey', sdkVersion: 'react-0.0.0' }),
    theme: () => ({ themeMode: 'dark' }),
    onTheme: () => () => undefined,
    network: (namespace) => (namespace === 'solana' ? adapters.solana.networks[0] : mainnet),
    showApproval: () => () => undefined,
    accountType: (namespace) => records.accountTypes.get()?.[namespace] ?? 'smartAccount',
    waiting() {},
    signInOnLogin: params.signInOnLogin ?? (async () => undefined),
    socials: (offered) => void (socials = offered),
    report: (what) => reports.push(what),
  }
  const options: EmbeddedOptions = {
    url: 'https://keys.example',
    place({ url }) {
      urls.push(url)
      return {
        // A frame that does not load neither sends nor receives messages.
        transport: params.loads === false ? { post: silence, subscribe: () => silence } : frame.transport,
        show(dismissed) {
          dismiss = dismissed
          place.push('shown')
        },
        hide: () => void place.push('hidden'),
        reload: () => void place.push('reloaded'),
        remove: () => void place.push('removed'),
      }
    },
    ...params.options,
  }
  const bridge = embedded(options)
  const detach = bridge.attach?.(host) ?? silence
  return {
    clock,
    frame,
    bridge,
    records,
    host,
    options,
    evm: bridge.connectorFor(adapters.eip155) as Connector,
    solana: bridge.connectorFor(adapters.solana) as Connector,
    place,
    reports,
    errors,
    get socials() {
      return socials
    },
    urls,
    dismiss: () => dismiss(),
    pass: (ms) => clock.pass(ms),
    detach,
  }
}

function adapterOf<N extends Namespace>(namespace: N, networks: readonly Network<N>[]): Adapter<N> {
  return { namespace, networks, discover() {} }
}

function storedValue<T>(): StoredValue<T> {
  let value: T | undefined
  return {
    get: () => value,
    set(next) {
      value = next
    },
    clear() {
      value = undefined
    },
  }
}
