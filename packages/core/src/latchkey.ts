import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import type { Wallet } from '@latchkey/protocol/http/contract'
import type { AccountDetails, Connector, ConnectorType, Identity, NativeBalance, Network, Session } from './adapter.ts'
import type { Analytics } from './analytics/analyticsEvents.ts'
import type { Log } from './lib/log.ts'
import type { QueryState } from './lib/queryState.ts'
import type { ReadableStore } from './lib/store.ts'
import type { Login } from './login/login.ts'
import type { Route, Stack, ViewName, Views } from './modal/views.ts'
import type { ConnectMethod, LatchkeyOptions } from './options.ts'
import type { Pairing } from './pairing/pairing.ts'
import type { SignIn, SignInState } from './signIn/signIn.ts'
import type { RecentWallet, StorageRecords } from './storage/storage.ts'
import type { Directory, DirectoryState } from './wallets/directory.ts'

/** What one namespace's active connection is doing. `reconnecting` shows the account of a stored or server-rendered state. */
export type ConnectionState<N extends Namespace = Namespace> =
  | { readonly status: 'disconnected'; readonly error?: LatchkeyError }
  | { readonly status: 'connecting'; readonly connectorId: string }
  | {
      readonly status: 'reconnecting'
      readonly connectorId: string
      readonly accounts: readonly AccountId<N>[]
      readonly chain: ChainId<N> | undefined
      /** Why nobody could say yet whether the connection still holds: an outage. It is kept, and asked for again until somebody can. */
      readonly error?: LatchkeyError
    }
  | {
      readonly status: 'connected'
      readonly connectorId: string
      readonly accounts: readonly [AccountId<N>, ...AccountId<N>[]]
      readonly chain: ChainId<N>
      /** Of the first account. */
      readonly details?: AccountDetails | undefined
      /** `silent` after the wallet stopped answering; the UI offers to try again. */
      readonly health: 'ok' | 'silent'
    }

/** One of several wallets connected at once. */
export interface OtherConnection {
  readonly namespace: Namespace
  readonly connectorId: string
  readonly accounts: readonly AccountId[]
}

/** A connector as a plain value, safe to print. The live one stays with `latchkey.connector()`. */
export interface ConnectorInfo {
  readonly id: string
  readonly name: string
  readonly type: ConnectorType
  readonly namespace: Namespace
  readonly icon?: string
  readonly imageId?: string
  readonly rdns?: string
  readonly explorerId?: string
  readonly homepage?: string
}

/** A row of the connect view: one wallet by name, over all the namespaces it was found in. */
export interface ConnectorGroup extends ConnectorInfo {
  /** One member per namespace; `type` is MULTI_CHAIN when there is more than one. */
  readonly members: readonly ConnectorInfo[]
}

/** What Connect lists beside what is here. */
export interface ListedWallets {
  readonly wallets: readonly Wallet[]
  /** How many more are on their way from the directory: room is kept for them. */
  readonly coming: number
}

export type { QueryState, ViewName }

/** A line over the modal. */
export interface Toast {
  readonly id: number
  readonly kind: 'success' | 'error' | 'loading'
  readonly text: string
}

/** A message to the host's developer, drawn in debug only. */
export interface Alert {
  readonly code: string
  readonly text: string
}

/** A wallet that the host does not want listed. */
export interface ExcludedWallet {
  readonly name: string
  readonly rdns?: string | null | undefined
}

/** All that is true, in one tree. Printable: no function, port or promise in it. */
export interface State {
  /** Whether `start()` was called, and whether what it loads is here. */
  readonly started: boolean
  readonly ready: boolean
  readonly networks: {
    readonly known: readonly Network[]
    readonly active: ChainId | undefined
    readonly namespace: Namespace | undefined
  }
  readonly connections: {
    readonly byNamespace: Readonly<Partial<Record<Namespace, ConnectionState>>>
    readonly others: readonly OtherConnection[]
  }
  readonly wallets: {
    readonly connectors: readonly ConnectorInfo[]
    /** Set by `open({ namespace })` and SwitchActiveChain; cleared on disconnect. */
    readonly filter: Namespace | undefined
    readonly recent: readonly RecentWallet[]
    /** `excludeWalletIds`, as names and rdns to hide; known once the directory was asked. */
    readonly excluded: readonly ExcludedWallet[]
    /** The social log-ins that the embedded wallet has here; absent where neither the server nor the frame has said so. */
    readonly socials?: readonly string[] | 'loading' | undefined
  }
  /** Of the active account of the active namespace. */
  readonly account: {
    readonly balance: QueryState<NativeBalance>
    readonly identity: QueryState<Identity>
  }
  /** Of the active account of the active namespace. */
  readonly signIn: SignInState
  readonly modal: {
    readonly open: boolean
    readonly stack: Stack
    readonly loading: boolean
    readonly loadingBy: Readonly<Partial<Record<Namespace, boolean>>>
    readonly shaking: boolean
  }
  readonly toast: Toast | undefined
  readonly alert: Alert | undefined
  readonly theme: { readonly mode: 'light' | 'dark' | 'system'; readonly variables: Readonly<Record<string, string>> }
}

/** What a host can listen to, analytics on or off. */
export interface HostEvents {
  connect: {
    readonly namespace: Namespace
    readonly account: AccountId
    readonly chain: ChainId
    readonly connectorId: string
    readonly reconnect: boolean
  }
  disconnect: { readonly namespace: Namespace }
  chain: { readonly namespace: Namespace; readonly chain: ChainId; readonly supported: boolean }
  accounts: { readonly namespace: Namespace; readonly accounts: readonly AccountId[] }
  signIn: { readonly account: AccountId }
  signOut: { readonly account: AccountId }
}

/** The active account of a namespace, in one value for hooks and hosts. */
export interface AccountView extends AccountDetails {
  readonly status: ConnectionState['status']
  readonly account: AccountId | undefined
  readonly address: string | undefined
  readonly chain: ChainId | undefined
  readonly accounts: readonly AccountId[]
  readonly connectorId: string | undefined
  /** `silent`: a connected wallet stopped answering. `unknown`: an outage keeps a stored connection from being restored. */
  readonly health: 'ok' | 'silent' | 'unknown'
}

/** One wallet-connection kit on one page. `createLatchkey()` makes it and touches nothing; `start()` does. */
export interface Latchkey {
  readonly options: LatchkeyOptions
  readonly state: ReadableStore<State> & { readonly initial: State }
  /** Reads storage, listens for wallets, restores the last session. Answers `stop`; may be started again after it. */
  start(): () => void
  /**
   * Resolves when what `start()` loads is here: wallets are listened for, the last session is being restored. Rejects with
   * `app/not-loaded` when it cannot be loaded, or stops first; asking again tries again.
   */
  prepare(): Promise<void>
  on<Event extends keyof HostEvents>(event: Event, listener: (value: HostEvents[Event]) => void): () => void

  /** The account of `namespace`, or of the active one. */
  account(namespace?: Namespace): AccountView
  /** The live session of `namespace`, or of the active one. */
  session(namespace?: Namespace): Session | undefined
  connector(id: string, namespace?: Namespace): Connector | undefined
  /** What the connect view lists: enabled namespaces, merged by name, excluded ones gone, hidden ones left out. */
  shown(): readonly ConnectorGroup[]
  /** What it lists below: recent, featured, the host's own and recommended wallets that are not here; the directory's as far as it was read. */
  listed(directory?: DirectoryState): ListedWallets

  /** Asks the wallet. Rejects with a `LatchkeyError`: `user/rejected`, `wallet/unresponsive`, … */
  connect(params: {
    connectorId: string
    namespace?: Namespace
    chain?: ChainId
    signal?: AbortSignal
  }): Promise<Session>
  /** One namespace, one connector, or everything. Rejects with 'Failed to disconnect' and all causes. */
  disconnect(params?: { namespace?: Namespace; connectorId?: string }): Promise<void>
  /** Makes another connected wallet, or another account of the same, the active one. */
  activate(params: { namespace: Namespace; connectorId: string; account?: AccountId }): void
  /** Sets the active network; asks the wallet when that namespace is connected. */
  switchNetwork(chain: ChainId): Promise<void>
  /**
   * One more network, of a family that is here; one that is known changes nothing. Rejects with `network/unsupported` where no adapter
   * takes it. Wallets over WalletConnect are asked about it at the next connecting.
   */
  addNetwork(network: Network): Promise<void>
  /** Takes a network back, but for the last of its family. Whoever is connected there is asked to switch when they open the modal. */
  removeNetwork(chain: ChainId): Promise<void>
  /** What picking a row of Networks leads to: nothing, SwitchNetwork, or SwitchActiveChain. */
  pickNetwork(chain: ChainId): void
  /** What picking a wallet leads to: its request, its pairing, a choice of family, or where it can be had. */
  pickWallet(picked: ConnectorGroup | Wallet): void
  /** The ways of connecting in the order they are offered; what cannot work is left out. */
  connectMethods(): readonly ConnectMethod[]
  /** The network with that id, from the host's list or as its adapter describes it. */
  network(chain: ChainId): Network | undefined
  /** Whether `chain` is among the host's networks (or the host named none). */
  supports(chain: ChainId): boolean
  /** Asks a silent wallet whether it answers again; what an outage keeps from being restored is tried at once. */
  checkHealth(namespace?: Namespace): Promise<void>
  /**
   * Reads balance and name of the active account, at most once at a time; a name is believed for five minutes and a balance for half of
   * one. From then on the balance of the account is read again by itself while the page is visible: every ten seconds in the account view,
   * every thirty elsewhere, after a failure thirty seconds later, and no more once the service says that it is unavailable (503). `force`
   * asks at once in any case.
   */
  refresh(params?: { force?: boolean }): Promise<void>

  readonly modal: {
    open(params?: { view?: Route; namespace?: Namespace }): void
    /** Answers whether it closed; a holding view shakes instead. */
    close(params?: { force?: boolean }): boolean
    push<Name extends ViewName>(
      view: Name,
      ...data: undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]
    ): void
    replace<Name extends ViewName>(
      view: Name,
      ...data: undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]
    ): void
    reset<Name extends ViewName>(
      view: Name,
      ...data: undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]
    ): void
    back(): void
  }
  /** The wallet directory of `options.server`; `undefined` where none is configured. Loaded on first use. */
  directory(): Promise<Directory | undefined>
  /** Logging in by e-mail, social account or Farcaster; `undefined` without `embedded()` among the wallets. Loaded on first use. */
  login(): Promise<Login | undefined>
  /** Pairing with wallets elsewhere; `undefined` without `walletConnect()` among the wallets. Loaded on first use. */
  pairing(): Promise<Pairing | undefined>
  /** Signing in; `undefined` where the host wants none. Loaded on first use. */
  signIn(): Promise<SignIn | undefined>
  toast(kind: Toast['kind'], text: string): void
  hideToast(): void
  alert(alert: Alert, detail?: string): void
  hideAlert(): void
  track(event: Parameters<Analytics['track']>[0]): void
  setTheme(theme: { mode?: 'light' | 'dark' | 'system'; variables?: Readonly<Record<string, string>> }): void
  /** What is stored in the browser, once what acts is loaded. */
  storage(): Promise<StorageRecords>
  readonly log: Log
}
