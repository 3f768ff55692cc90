import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import type { Wallet } from '@latchkey/protocol/http/apiRoutes'
import type { AccountDetails, Connector, ConnectorType, Identity, NativeBalance, Network, Session } from './adapter.ts'
import type { Analytics } from './analytics/analyticsEvents.ts'
import type { Log } from './lib/log.ts'
import type { QueryResult } from './lib/queryResult.ts'
import type { ReadableStore } from './lib/store.ts'
import type { Login } from './login/login.ts'
import type { Route, Stack, ViewName, Views } from './modal/views.ts'
import type { ConnectMethod, LatchkeyOptions } from './options.ts'
import type { Pairing } from './pairing/pairing.ts'
import type { SignIn, SignInState } from './signIn/signIn.ts'
import type { RecentWallet, StorageSchema } from './storage/storageSchema.ts'
import type { Directory, DirectoryState } from './wallets/directory.ts'

/** The state of a namespace's active connection. `reconnecting` shows the account from stored or server-rendered state. */
export type ConnectionState<N extends Namespace = Namespace> =
  | { readonly status: 'disconnected'; readonly error?: LatchkeyError }
  | { readonly status: 'connecting'; readonly connectorId: string }
  | {
      readonly status: 'reconnecting'
      readonly connectorId: string
      readonly accounts: readonly AccountId<N>[]
      readonly chain: ChainId<N> | undefined
      /** The outage that keeps the connection from being verified. The connection is kept and verification is retried. */
      readonly error?: LatchkeyError
    }
  | {
      readonly status: 'connected'
      readonly connectorId: string
      readonly accounts: readonly [AccountId<N>, ...AccountId<N>[]]
      readonly chain: ChainId<N>
      /** Details of the first account. */
      readonly details?: AccountDetails | undefined
      /** `silent` after the wallet stops responding. The UI offers to retry. */
      readonly health: 'ok' | 'silent'
    }

/** A connected wallet that is not the active one. */
export interface OtherConnection {
  readonly namespace: Namespace
  readonly connectorId: string
  readonly accounts: readonly AccountId[]
}

/** A connector as a plain, serializable value. For the live connector, call `latchkey.connector()`. */
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

/** A row of the connect view: one wallet with its connectors in all namespaces, merged by name. */
export interface ConnectorGroup extends ConnectorInfo {
  /** One member per namespace. `type` is MULTI_CHAIN if there is more than one. */
  readonly members: readonly ConnectorInfo[]
}

/** The wallets that the connect view lists in addition to the discovered wallets. */
export interface ListedWallets {
  readonly wallets: readonly Wallet[]
  /** The number of directory wallets that are still loading, for placeholders. */
  readonly coming: number
}

export type { QueryResult, ViewName }

/** A message displayed over the modal. */
export interface Toast {
  readonly id: number
  readonly kind: 'success' | 'error' | 'loading'
  readonly text: string
}

/** A message for the host's developers, displayed only in debug mode. */
export interface Alert {
  readonly code: string
  readonly text: string
}

/** A wallet that the host has excluded from lists. */
export interface ExcludedWallet {
  readonly name: string
  readonly rdns?: string | null | undefined
}

/** The complete state. Serializable: contains no functions or promises. */
export interface State {
  /** `started` is set by `start()`, `ready` when everything it loads is available. */
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
    /** `excludeWalletIds` resolved to the names and rdns to hide. Known once the directory has responded. */
    readonly excluded: readonly ExcludedWallet[]
    /** The social logins that the embedded wallet offers here. Absent until the server or the frame has reported them. */
    readonly socials?: readonly string[] | 'loading' | undefined
  }
  /** Data of the active account of the active namespace. */
  readonly account: {
    readonly balance: QueryResult<NativeBalance>
    readonly identity: QueryResult<Identity>
  }
  /** The sign-in state of the active account of the active namespace. */
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

/** Events for hosts, emitted whether analytics is on or off. */
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

/** The active account of a namespace as a single value, for hooks and hosts. */
export interface AccountView extends AccountDetails {
  readonly status: ConnectionState['status']
  readonly account: AccountId | undefined
  readonly address: string | undefined
  readonly chain: ChainId | undefined
  readonly accounts: readonly AccountId[]
  readonly connectorId: string | undefined
  /** `silent`: a connected wallet stopped responding. `unknown`: an outage prevents a stored connection from being restored. */
  readonly health: 'ok' | 'silent' | 'unknown'
}

/** A wallet connection kit on a page. `createLatchkey()` has no side effects; `start()` does. */
export interface Latchkey {
  readonly options: LatchkeyOptions
  readonly state: ReadableStore<State> & { readonly initial: State }
  /** Reads storage, discovers wallets and restores the last session. Returns a function that stops it. Can be called again after that. */
  start(): () => void
  /**
   * Resolves when everything that `start()` loads is available: wallets are being discovered and the last session restored. Rejects with
   * `app/not-loaded` if loading fails or the instance is stopped first. Call it again to retry.
   */
  prepare(): Promise<void>
  on<Event extends keyof HostEvents>(event: Event, listener: (value: HostEvents[Event]) => void): () => void

  /** Returns the account of `namespace`, or of the active namespace. */
  account(namespace?: Namespace): AccountView
  /** Returns the live session of `namespace`, or of the active namespace. */
  session(namespace?: Namespace): Session | undefined
  connector(id: string, namespace?: Namespace): Connector | undefined
  /** Returns the rows of the connect view: connectors of the enabled namespaces, merged by name, without excluded and hidden wallets. */
  shown(): readonly ConnectorGroup[]
  /** Returns the wallets listed below them: recent, featured, custom and recommended wallets that were not discovered, as far as the directory has loaded. */
  listed(directory?: DirectoryState): ListedWallets

  /** Sends a connection request to the wallet. Rejects with a `LatchkeyError`: `user/rejected`, `wallet/unresponsive`, … */
  connect(params: {
    connectorId: string
    namespace?: Namespace
    chain?: ChainId
    signal?: AbortSignal
  }): Promise<Session>
  /** Disconnects a namespace, a connector, or everything. Rejects with 'Failed to disconnect' and all causes. */
  disconnect(params?: { namespace?: Namespace; connectorId?: string }): Promise<void>
  /** Activates another connected wallet, or another account of the same wallet. */
  activate(params: { namespace: Namespace; connectorId: string; account?: AccountId }): void
  /** Sets the active network. If the namespace is connected, the wallet is asked to switch. */
  switchNetwork(chain: ChainId): Promise<void>
  /**
   * Adds a network of a configured chain family. Has no effect for known networks. Rejects with `network/unsupported` if no adapter
   * accepts it. WalletConnect wallets are asked for it on the next connection.
   */
  addNetwork(network: Network): Promise<void>
  /** Removes a network, except the last network of its family. A user connected to it is prompted to switch when they open the modal. */
  removeNetwork(chain: ChainId): Promise<void>
  /** Handles the selection of a row of Networks: does nothing, or opens SwitchNetwork or SwitchActiveChain. */
  pickNetwork(chain: ChainId): void
  /** Handles the selection of a wallet: opens its connection request, its pairing, a choice of chain family, or its install page. */
  pickWallet(picked: ConnectorGroup | Wallet): void
  /** Returns the available connect methods, in display order. */
  connectMethods(): readonly ConnectMethod[]
  /** Returns the network with that id, from the host's list or as its adapter describes it. */
  network(chain: ChainId): Network | undefined
  /** Whether `chain` is one of the host's networks, or the host configured none. */
  supports(chain: ChainId): boolean
  /** Checks whether a silent wallet responds again. A restore that failed because of an outage is retried immediately. */
  checkHealth(namespace?: Namespace): Promise<void>
  /**
   * Reads the balance and name of the active account; concurrent calls share one request. Names are cached for five minutes, balances for 30
   * seconds. Afterwards the balance is polled while the page is visible: every ten seconds in the account view, every 30
   * seconds elsewhere, 30 seconds after a failure, and no longer once the service responds with 503. `force` bypasses
   * the cache.
   */
  refresh(params?: { force?: boolean }): Promise<void>

  readonly modal: {
    open(params?: { view?: Route; namespace?: Namespace }): void
    /** Returns whether it closed. If the current view cannot be closed, the modal shakes instead. */
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
  /** Loads the wallet directory of `options.server`. Resolves to `undefined` if no server is configured. */
  directory(): Promise<Directory | undefined>
  /** Loads login by email, social account or Farcaster. Resolves to `undefined` without `embedded()` in `wallets`. */
  login(): Promise<Login | undefined>
  /** Loads pairing with remote wallets. Resolves to `undefined` without `walletConnect()` in `wallets`. */
  pairing(): Promise<Pairing | undefined>
  /** Loads sign-in. Resolves to `undefined` if the host does not use sign-in. */
  signIn(): Promise<SignIn | undefined>
  toast(kind: Toast['kind'], text: string): void
  hideToast(): void
  alert(alert: Alert, detail?: string): void
  hideAlert(): void
  track(event: Parameters<Analytics['track']>[0]): void
  setTheme(theme: { mode?: 'light' | 'dark' | 'system'; variables?: Readonly<Record<string, string>> }): void
  /** Resolves to the records stored in the browser, once the runtime is loaded. */
  storage(): Promise<StorageSchema>
  readonly log: Log
}
