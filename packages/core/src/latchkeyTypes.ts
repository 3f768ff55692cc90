import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/apiRoutes'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AccountDetails, Connector, ConnectorType, Identity, NativeBalance, Network, Session } from './adapter.ts'
import type { Analytics } from './analytics/analyticsEvents.ts'
import type { Log } from './lib/log.ts'
import type { QueryResult } from './lib/queryResult.ts'
import type { ReadableStore } from './lib/store.ts'
import type { Login } from './login/loginTypes.ts'
import type { Route, Stack, ViewName, Views } from './modal/views.ts'
import type { ConnectMethod, LatchkeyOptions } from './options.ts'
import type { Pairing } from './pairing/pairingTypes.ts'
import type { SignIn, SignInState } from './signIn/signInTypes.ts'
import type { RecentWallet, StorageSchema } from './storage/storageSchema.ts'
import type { Directory, DirectoryState } from './wallets/directoryTypes.ts'

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
  /** The chain family that the wallet is connected in (a CAIP-2 namespace), such as `eip155`. */
  readonly namespace: Namespace
  /** The connector's `id`. Pass it to `activate()` or `disconnect()`. */
  readonly connectorId: string
  /** The wallet's accounts on its current chain (CAIP-10), the selected account first. */
  readonly accounts: readonly AccountId[]
}

/** A connector as a plain, serializable value. For the live connector, call `latchkey.connector()`. */
export interface ConnectorInfo {
  /** Unique within `namespace`. Pass both to `latchkey.connect()`. */
  readonly id: string
  /** The display name, as reported by the wallet or given by the host. It can be spoofed. */
  readonly name: string
  /** How the wallet is reached. `MULTI_CHAIN` for a `ConnectorGroup` with several members. */
  readonly type: ConnectorType
  /** The chain family (a CAIP-2 namespace). `eip155` for every group with several members. */
  readonly namespace: Namespace
  /** A `data:` or `https:` URL, validated by the adapter. Absent if the wallet has none. */
  readonly icon?: string
  /** The ID of the wallet's image in the directory, displayed if there is no `icon`. */
  readonly imageId?: string
  /** The wallet's reverse domain name (EIP-6963), such as `io.metamask`. Absent if it reports none. It can be spoofed. */
  readonly rdns?: string
  /** The wallet's ID in the wallet directory. Absent if the connector does not know it. */
  readonly explorerId?: string
  /** The wallet's website, used for install links. */
  readonly homepage?: string
}

/** A row of the connect view: one wallet with its connectors in all namespaces, merged by name. */
export interface ConnectorGroup extends ConnectorInfo {
  /** One member per namespace. `type` is MULTI_CHAIN if there is more than one. */
  readonly members: readonly ConnectorInfo[]
}

/** The wallets that the connect view lists in addition to the discovered wallets. */
export interface ListedWallets {
  /** In display order: recent, featured, custom and recommended wallets, without duplicates and discovered wallets. */
  readonly wallets: readonly Wallet[]
  /** The number of directory wallets that are still loading, for placeholders. */
  readonly coming: number
}

export type { QueryResult, ViewName }

/** A message displayed over the modal. */
export interface Toast {
  /** Different for each toast, even if the text is the same. */
  readonly id: number
  /** `loading` toasts stay until they are hidden or replaced. Other toasts are hidden after 2.5 seconds. */
  readonly kind: 'success' | 'error' | 'loading'
  /** The text to display, as passed to `latchkey.toast()`. */
  readonly text: string
}

/** A message for the host's developers, displayed only in debug mode. */
export interface Alert {
  /** A stable code to search for, such as `network/not-found`. */
  readonly code: string
  /** A short description in English. If it is empty, the alert is only logged. */
  readonly text: string
}

/** A wallet that the host has excluded from lists. */
export interface ExcludedWallet {
  /** Wallets with this name are hidden. Compared case-insensitively. */
  readonly name: string
  /** Wallets with this reverse domain name (EIP-6963) are hidden. Absent if the directory does not know it. */
  readonly rdns?: string | null | undefined
}

/** The complete state. Serializable: contains no functions or promises. */
export interface State {
  /** Whether the instance is running: from the first `start()` until it is stopped. */
  readonly started: boolean
  /** Whether the runtime has loaded and the stored networks and wallets are in the state. Connections can still be `reconnecting`. */
  readonly ready: boolean
  /** `known`: the host's networks. `active`: the selected chain, if any (CAIP-2). `namespace`: its chain family, or else the first adapter's. */
  readonly networks: {
    readonly known: readonly Network[]
    readonly active: ChainId | undefined
    readonly namespace: Namespace | undefined
  }
  /** `byNamespace`: the active connection of each chain family. `others`: the other connected wallets, with `multiWallet`. */
  readonly connections: {
    readonly byNamespace: Readonly<Partial<Record<Namespace, ConnectionState>>>
    readonly others: readonly OtherConnection[]
  }
  /** `connectors`: the discovered wallets. `recent`: at most two recently used wallets. */
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
  /** `stack`: the last route is displayed. `loading` and `loadingBy` are set by `open()` and reset on close. `shaking`: closing was refused. */
  readonly modal: {
    readonly open: boolean
    readonly stack: Stack
    readonly loading: boolean
    readonly loadingBy: Readonly<Partial<Record<Namespace, boolean>>>
    readonly shaking: boolean
  }
  /** The toast on screen, or `undefined`. There is at most one. */
  readonly toast: Toast | undefined
  /** The alert on screen, or `undefined`. Always `undefined` without the option `debug`. */
  readonly alert: Alert | undefined
  /** The theme of the options, as changed by `setTheme()`. The keys of `variables` have no `--latchkey-` prefix. */
  readonly theme: { readonly mode: 'light' | 'dark' | 'system'; readonly variables: Readonly<Record<string, string>> }
}

/** Events for hosts, emitted whether analytics is on or off. */
export interface HostEvents {
  /** A wallet connected and is the active one of `namespace`. `reconnect`: it was restored from an earlier visit. */
  connect: {
    readonly namespace: Namespace
    readonly account: AccountId
    readonly chain: ChainId
    readonly connectorId: string
    readonly reconnect: boolean
  }
  /** The last connected wallet of `namespace` disconnected. */
  disconnect: { readonly namespace: Namespace }
  /** The active wallet of `namespace` switched to `chain` (CAIP-2). `supported`: whether the host lists that network. */
  chain: { readonly namespace: Namespace; readonly chain: ChainId; readonly supported: boolean }
  /** The accounts of `namespace` changed, or another connected wallet became active. The first account is the active one (CAIP-10). */
  accounts: { readonly namespace: Namespace; readonly accounts: readonly AccountId[] }
  /** The account is signed in: the user has just signed, or a stored session was found. */
  signIn: { readonly account: AccountId }
  /** The account was signed out, by `signOut()` or because its wallet disconnected. */
  signOut: { readonly account: AccountId }
}

/** The active account of a namespace as a single value, for hooks and hosts. */
export interface AccountView extends AccountDetails {
  /** The status of the namespace's active connection. `disconnected` if there is none. */
  readonly status: ConnectionState['status']
  /** The active account (CAIP-10). `undefined` while disconnected or connecting. */
  readonly account: AccountId | undefined
  /** The address of `account`, without the chain. `undefined` while disconnected or connecting. */
  readonly address: string | undefined
  /** The wallet's chain (CAIP-2). It can be one that the host does not list: see `latchkey.supports()`. */
  readonly chain: ChainId | undefined
  /** All accounts that the wallet exposes (CAIP-10), the active account first. Empty while disconnected or connecting. */
  readonly accounts: readonly AccountId[]
  /** The connector's `id`. `undefined` while disconnected, and empty while the account is shown from `initialState`. */
  readonly connectorId: string | undefined
  /** `silent`: a connected wallet stopped responding. `unknown`: an outage prevents a stored connection from being restored. */
  readonly health: 'ok' | 'silent' | 'unknown'
}

/** A wallet connection kit on a page. `createLatchkey()` has no side effects; `start()` does. */
export interface Latchkey {
  /** The options that were passed to `createLatchkey()`. */
  readonly options: LatchkeyOptions
  /** The reactive state. `initial` is the snapshot for server rendering and hydration. */
  readonly state: ReadableStore<State> & { readonly initial: State }
  /** Reads storage, discovers wallets and restores the last session. Returns a function that stops it. Can be called again after that. */
  start(): () => void
  /**
   * Resolves when everything that `start()` loads is available: wallets are being discovered and the last session restored. Rejects with
   * `app/not-loaded` if loading fails or the instance is stopped first. Call it again to retry.
   */
  prepare(): Promise<void>
  /** Calls `listener` on each event. Errors that it throws are logged. Returns a function that unsubscribes. */
  on<Event extends keyof HostEvents>(event: Event, listener: (value: HostEvents[Event]) => void): () => void

  /** Returns the account of `namespace`, or of the active namespace. */
  account(namespace?: Namespace): AccountView
  /** Returns the live session of `namespace`, or of the active namespace. */
  session(namespace?: Namespace): Session | undefined
  /** Returns the connector with that `id`: in `namespace`, or else in any. `undefined` if it has not been discovered yet. */
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

  /** Opens, closes and navigates the modal. Calls before the runtime has loaded are queued. */
  readonly modal: {
    /**
     * Opens the modal with `view`, or else with Account if connected and Connect if not. Activates `namespace`. If the host controls
     * WalletConnect itself or has no adapters, pairing is shown instead.
     */
    open(params?: { view?: Route; namespace?: Namespace }): void
    /** Returns whether it closed. If the current view cannot be closed, the modal shakes instead. */
    close(params?: { force?: boolean }): boolean
    /** Navigates to a view. Does nothing if it is already the current view. */
    push<Name extends ViewName>(
      view: Name,
      ...data: undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]
    ): void
    /** Replaces the current view, so that "back" skips it. */
    replace<Name extends ViewName>(
      view: Name,
      ...data: undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]
    ): void
    /** Replaces the whole navigation stack. */
    reset<Name extends ViewName>(
      view: Name,
      ...data: undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]
    ): void
    /** Navigates back, or closes the modal if there is nothing to go back to. A view that cannot be closed stays. */
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
  /** Displays a toast in place of the current one. It is hidden after 2.5 seconds, unless `kind` is `loading`. */
  toast(kind: Toast['kind'], text: string): void
  /** Hides the toast on screen, if any. */
  hideToast(): void
  /** Logs `detail`, or else the alert's text, as an error. With the option `debug`, the alert is displayed too. */
  alert(alert: Alert, detail?: string): void
  /** Hides the alert on screen, if any. */
  hideAlert(): void
  /** Reports an event to the operator's analytics, if they are enabled. Nothing is sent before the modal is opened. */
  track(event: Parameters<Analytics['track']>[0]): void
  /** Changes the theme. Omitted values stay, and `variables` are merged into the current ones. */
  setTheme(theme: { mode?: 'light' | 'dark' | 'system'; variables?: Readonly<Record<string, string>> }): void
  /** Resolves to the records stored in the browser, once the runtime is loaded. */
  storage(): Promise<StorageSchema>
  /** The log of the instance. `log.entries()` returns its buffer, for bug reports. */
  readonly log: Log
}
