import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AccountNames } from './account/accountNamesTypes.ts'
import type { Activity, PendingTransaction } from './account/pendingTransactionTypes.ts'
import type { Portfolio } from './account/portfolioTypes.ts'
import type { Send } from './account/send/sendTypes.ts'
import type { Transactions } from './account/transactionTypes.ts'
import type { AccountDetails, Connector, ConnectorType, Identity, NativeBalance, Network, Session } from './adapter.ts'
import type { Analytics } from './analytics/analyticsEvents.ts'
import type { Log } from './lib/log.ts'
import type { QueryResult } from './lib/queryResult.ts'
import type { ReadableStore } from './lib/store.ts'
import type { Login } from './login/loginTypes.ts'
import type { Route, Stack, ViewName, Views } from './modal/views.ts'
import type { Onramp } from './onramp/onrampTypes.ts'
import type { ConnectMethod, LatchkeyOptions } from './options.ts'
import type { Pairing } from './pairing/pairingTypes.ts'
import type { SignIn, SignInState } from './signIn/signInTypes.ts'
import type { RecentWallet, StorageSchema } from './storage/storageSchema.ts'
import type { Swap } from './swap/swapTypes.ts'
import type { Directory, DirectoryState } from './wallets/directoryTypes.ts'

/** The state of a namespace's active connection. While `reconnecting`, the account comes from storage or the server. */
export type ConnectionState<N extends Namespace = Namespace> =
  | { readonly status: 'disconnected'; readonly error?: LatchkeyError }
  | { readonly status: 'connecting'; readonly connectorId: string }
  | {
      readonly status: 'reconnecting'
      readonly connectorId: string
      readonly accounts: readonly AccountId<N>[]
      readonly chain: ChainId<N> | undefined
      /** Set while an outage prevents the connection from being verified. Verification is retried. */
      readonly error?: LatchkeyError
    }
  | {
      readonly status: 'connected'
      readonly connectorId: string
      readonly accounts: readonly [AccountId<N>, ...AccountId<N>[]]
      readonly chain: ChainId<N>
      /** Details about the first account. */
      readonly details?: AccountDetails | undefined
      /** The wallet's health. A `silent` wallet has stopped responding, and the UI offers to retry. */
      readonly health: 'ok' | 'silent'
    }

/** A connected wallet that is not active. */
export interface OtherConnection {
  /** The chain family in which the wallet is connected, which is a CAIP-2 namespace such as `eip155`. */
  readonly namespace: Namespace
  /** The connector's `id`. Pass it to `activate()` or `disconnect()`. */
  readonly connectorId: string
  /** The wallet's CAIP-10 accounts on its current chain. The selected account is first. */
  readonly accounts: readonly AccountId[]
}

/** A serializable description of a connector. To get the connector itself, call `latchkey.connector()`. */
export interface ConnectorInfo {
  /** The connector's ID, which is unique within `namespace`. Pass both to `latchkey.connect()`. */
  readonly id: string
  /** The display name that the wallet reports or the host configures. Wallets can spoof it. */
  readonly name: string
  /** How the wallet is connected. A `ConnectorGroup` with several members has the type `MULTI_CHAIN`. */
  readonly type: ConnectorType
  /** The chain family (a CAIP-2 namespace). A `ConnectorGroup` with several members has the namespace `eip155`. */
  readonly namespace: Namespace
  /** The icon, as a data or https URL that the adapter has validated. Absent if the wallet has no icon. */
  readonly icon?: string
  /** The ID of the wallet's image in the wallet directory, displayed if there is no `icon`. */
  readonly imageId?: string
  /** The reverse domain name that the wallet reports (EIP-6963), such as `io.metamask`. Wallets can spoof it. */
  readonly rdns?: string
  /** The wallet's ID in the wallet directory, if known. */
  readonly explorerId?: string
  /** The wallet's website, used as the install link. */
  readonly homepage?: string
}

/** A row in the connect view, which merges connectors with the same name in different namespaces. */
export interface ConnectorGroup extends ConnectorInfo {
  /** The merged connectors, one per namespace. */
  readonly members: readonly ConnectorInfo[]
}

/** The wallets that the connect view lists in addition to the discovered wallets. */
export interface ListedWallets {
  /** The recent, featured, custom and recommended wallets in display order, excluding duplicates and discovered wallets. */
  readonly wallets: readonly Wallet[]
  /** The number of directory wallets that are still loading, for which placeholders are displayed. */
  readonly coming: number
}

export type { QueryResult, ViewName }

/** A message displayed over the modal. */
export interface Toast {
  /** The toast's ID, which is different for each toast even if the text is the same. */
  readonly id: number
  /** The kind of toast. `loading` toasts stay until they are hidden or replaced. Other toasts are hidden after 2.5 seconds. */
  readonly kind: 'success' | 'error' | 'loading'
  /** The text to display, as passed to `latchkey.toast()`. */
  readonly text: string
}

/** A message for the host's developers, displayed only in debug mode. */
export interface Alert {
  /** A stable code that developers can search for, such as `network/not-found`. */
  readonly code: string
  /** A short description in English. If the text is empty, the alert is only logged. */
  readonly text: string
}

/** A wallet that the host has excluded from the wallet lists. */
export interface ExcludedWallet {
  /** The name of the wallets to hide. Case is ignored. */
  readonly name: string
  /** The reverse domain name (EIP-6963) of the wallets to hide, if the directory contains it. */
  readonly rdns?: string | null | undefined
}

/** The complete state. It is serializable, and contains no functions or promises. */
export interface State {
  /** Whether the instance has been started and not stopped. */
  readonly started: boolean
  /** Whether the runtime is loaded and stored networks and wallets are restored. Connections can still be `reconnecting`. */
  readonly ready: boolean
  /**
   * The networks. `known` contains the host's networks. `active` is the selected chain (CAIP-2), if any. `namespace` is the chain
   * family of `active`, or else of the first adapter.
   */
  readonly networks: {
    readonly known: readonly Network[]
    readonly active: ChainId | undefined
    readonly namespace: Namespace | undefined
  }
  /**
   * The connections. `byNamespace` contains the active connection in each chain family. With `multiWallet`, `others` contains the
   * connected wallets that are not active.
   */
  readonly connections: {
    readonly byNamespace: Readonly<Partial<Record<Namespace, ConnectionState>>>
    readonly others: readonly OtherConnection[]
  }
  /** The wallets. `connectors` contains the discovered wallets, and `recent` up to two recently used wallets. */
  readonly wallets: {
    readonly connectors: readonly ConnectorInfo[]
    /** The namespace that filters the lists. Set by `open({ namespace })` and SwitchActiveChain, and cleared on disconnect. */
    readonly filter: Namespace | undefined
    readonly recent: readonly RecentWallet[]
    /** The names and rdns of the wallets in `excludeWalletIds`. Empty until the directory has responded. */
    readonly excluded: readonly ExcludedWallet[]
    /** The social logins that the embedded wallet supports on this page. `loading` while requested, and absent if unknown. */
    readonly socials?: readonly string[] | 'loading' | undefined
  }
  /** The balance and identity of the active account in the active namespace. */
  readonly account: {
    readonly balance: QueryResult<NativeBalance>
    readonly identity: QueryResult<Identity>
  }
  /** The transactions that the page sent, newest first, of all accounts. Empty until activity is loaded. */
  readonly activity: readonly PendingTransaction[]
  /** The sign-in state of the active account in the active namespace. */
  readonly signIn: SignInState
  /**
   * The modal. The last route in `stack` is displayed. `loading` and `loadingBy` are set by `open()` and reset on close.
   * `shaking` is briefly `true` after `close()` has returned `false`.
   */
  readonly modal: {
    readonly open: boolean
    readonly stack: Stack
    readonly loading: boolean
    readonly loadingBy: Readonly<Partial<Record<Namespace, boolean>>>
    readonly shaking: boolean
  }
  /** The toast that is currently displayed, if any. */
  readonly toast: Toast | undefined
  /** The alert that is currently displayed, if any. Alerts are displayed only if the `debug` option is set. */
  readonly alert: Alert | undefined
  /** The theme from the options, with changes made by `setTheme()`. The keys in `variables` have no `--latchkey-` prefix. */
  readonly theme: { readonly mode: 'light' | 'dark' | 'system'; readonly variables: Readonly<Record<string, string>> }
}

/** Events for hosts. They are emitted even if analytics is off. */
export interface HostEvents {
  /** A wallet connected and became active in `namespace`. `reconnect` is `true` if an earlier connection was restored. */
  connect: {
    readonly namespace: Namespace
    readonly account: AccountId
    readonly chain: ChainId
    readonly connectorId: string
    readonly reconnect: boolean
  }
  /** The last connected wallet in `namespace` disconnected. */
  disconnect: { readonly namespace: Namespace }
  /** The active wallet in `namespace` switched to `chain` (CAIP-2). `supported` is `true` if the host supports the network. */
  chain: { readonly namespace: Namespace; readonly chain: ChainId; readonly supported: boolean }
  /** The CAIP-10 accounts in `namespace` changed, or a different wallet became active. The first account is active. */
  accounts: { readonly namespace: Namespace; readonly accounts: readonly AccountId[] }
  /** The account is signed in, because the user signed a message or an existing session was found. */
  signIn: { readonly account: AccountId }
  /** An account that was signed in was signed out, either by `signOut()` or because its wallet disconnected. */
  signOut: { readonly account: AccountId }
}

/** A namespace's active account. */
export interface AccountView extends AccountDetails {
  /** The status of the namespace's connection. */
  readonly status: ConnectionState['status']
  /** The active CAIP-10 account. `undefined` while disconnected or connecting. */
  readonly account: AccountId | undefined
  /** The address of `account`, without the chain ID. `undefined` while disconnected or connecting. */
  readonly address: string | undefined
  /** The wallet's chain (CAIP-2). To check whether it is one of the host's networks, call `latchkey.supports()`. */
  readonly chain: ChainId | undefined
  /** All CAIP-10 accounts that the wallet exposes. The active account is first. Empty while disconnected or connecting. */
  readonly accounts: readonly AccountId[]
  /** The connector's `id`. `undefined` while disconnected, and an empty string while the account comes from `initialState`. */
  readonly connectorId: string | undefined
  /**
   * The health of the connection. `silent` means that the connected wallet stopped responding. `unknown` means that an outage
   * prevents a stored connection from being restored.
   */
  readonly health: 'ok' | 'silent' | 'unknown'
}

/** A wallet connection kit on a page. */
export interface Latchkey {
  /** The options that were passed to `createLatchkey()`. */
  readonly options: LatchkeyOptions
  /** The reactive state. `initial` is the snapshot for server rendering and hydration. */
  readonly state: ReadableStore<State> & { readonly initial: State }
  /**
   * Starts the instance, which reads storage, discovers wallets and restores the last session. Returns a function that stops the
   * instance. A stopped instance can be started again.
   */
  start(): () => void
  /**
   * Resolves once the instance has begun to discover wallets and restore the last session, and the code that connects wallets is
   * loaded. Without this call, that code is not loaded for new users until it is needed. Rejects with `app/not-loaded` if loading
   * fails or the instance is stopped first. Call this method again to retry.
   */
  prepare(): Promise<void>
  /** Calls `listener` on each event, and logs errors that it throws. Returns a function that removes the listener. */
  on<Event extends keyof HostEvents>(event: Event, listener: (value: HostEvents[Event]) => void): () => void

  /** Returns the account in `namespace`. Default: the active namespace. */
  account(namespace?: Namespace): AccountView
  /** Returns the live session in `namespace`, if any. Default: the active namespace. */
  session(namespace?: Namespace): Session | undefined
  /** Returns the connector with the ID `id`, in `namespace` if specified. `undefined` if it has not been discovered yet. */
  connector(id: string, namespace?: Namespace): Connector | undefined
  /** Returns the rows of the connect view, which merge connectors with the same name. Omits excluded and hidden wallets. */
  shown(): readonly ConnectorGroup[]
  /**
   * Returns the wallets that are listed after those in `shown()`. These are the recent, featured, custom and recommended wallets
   * that were not discovered. Directory wallets are included once they are loaded.
   */
  listed(directory?: Pick<DirectoryState, 'featured' | 'recommended'>): ListedWallets

  /** Sends a connection request to a wallet. Rejects with a `LatchkeyError`, such as `user/rejected` or `wallet/unresponsive`. */
  connect(params: {
    connectorId: string
    namespace?: Namespace
    chain?: ChainId
    signal?: AbortSignal
  }): Promise<Session>
  /** Disconnects a namespace, a connector or all wallets. Rejects with `disconnect/failed` and all error messages. */
  disconnect(params?: { namespace?: Namespace; connectorId?: string }): Promise<void>
  /** Activates a connected wallet, and optionally one of its accounts. */
  activate(params: { namespace: Namespace; connectorId: string; account?: AccountId }): void
  /** Switches to a network. If a wallet is connected in its namespace, requests the switch from the wallet. */
  switchNetwork(chain: ChainId): Promise<void>
  /**
   * Adds a network in a configured chain family. Has no effect if the network is already listed. Rejects with
   * `network/unsupported` if no adapter accepts the network. The next WalletConnect connection also requests the network.
   */
  addNetwork(network: Network): Promise<void>
  /** Removes a network, unless its chain family has no other. Connected users stay on the removed network until they switch. */
  removeNetwork(chain: ChainId): Promise<void>
  /** Handles the selection of a network in the list. Opens SwitchNetwork or SwitchActiveChain if needed. */
  pickNetwork(chain: ChainId): void
  /** Handles the selection of a wallet. Opens the view to connect or pair it, to choose a chain family, or to install it. */
  pickWallet(picked: ConnectorGroup | Wallet): void
  /** Returns the available connect methods, in display order. */
  connectMethods(): readonly ConnectMethod[]
  /** Returns the network with the ID `chain`, from the host's networks or as described by the adapter. */
  network(chain: ChainId): Network | undefined
  /** Whether `chain` is one of the host's networks. Also `true` if the host has configured no networks. */
  supports(chain: ChainId): boolean
  /** Checks whether a silent wallet responds again. Immediately retries a restore that failed because of an outage. */
  checkHealth(namespace?: Namespace): Promise<void>
  /**
   * Reads the active account's balance and name. Concurrent calls share one request. Names are cached for five minutes and
   * balances for 30 seconds, unless `force` is `true`. From then on, the balance is polled while the page is visible: every ten
   * seconds while the account view is open, and every 30 seconds otherwise. Polling pauses for 30 seconds after a failure, and
   * ends if the service responds with 503.
   */
  refresh(params?: { force?: boolean }): Promise<void>

  /** Opens, closes and navigates the modal. Calls are queued until the runtime is loaded. */
  readonly modal: {
    /**
     * Opens the modal with `view`. By default, opens Account if a wallet is connected, and Connect otherwise. Activates
     * `namespace`. If the host controls WalletConnect itself or has no adapters, opens the view with the QR code instead, or
     * AllWallets on mobile.
     */
    open(params?: { view?: Route; namespace?: Namespace }): void
    /** Closes the modal and returns `true`. If the current view cannot be closed, shakes the modal and returns `false`. */
    close(params?: { force?: boolean }): boolean
    /** Navigates to a view. Does nothing if the view is already displayed. */
    push<Name extends ViewName>(
      view: Name,
      ...data: undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]
    ): void
    /** Replaces the current view, so that navigating back skips it. */
    replace<Name extends ViewName>(
      view: Name,
      ...data: undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]
    ): void
    /** Replaces the whole navigation stack. */
    reset<Name extends ViewName>(
      view: Name,
      ...data: undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]
    ): void
    /** Navigates back, or closes the modal if there is no previous view. Does nothing if the view cannot be closed. */
    back(): void
  }
  /** Loads the wallet directory from `options.server`. Resolves to `undefined` if no server is configured. */
  directory(): Promise<Directory | undefined>
  /** Loads login by email, passkey or social account. Resolves to `undefined` unless `wallets` includes `embedded()`. */
  login(): Promise<Login | undefined>
  /** Loads the server's account names. Resolves to `undefined` if no server is configured. */
  names(): Promise<AccountNames | undefined>
  /** Loads buying crypto. Resolves to `undefined` if no server is configured. */
  onramp(): Promise<Onramp | undefined>
  /** Loads pairing with remote wallets. Resolves to `undefined` unless `wallets` includes `walletConnect()`. */
  pairing(): Promise<Pairing | undefined>
  /** Loads the tokens of the active account. Resolves to `undefined` if the instance has stopped. */
  portfolio(): Promise<Portfolio | undefined>
  /** Loads the form for sending tokens. Resolves to `undefined` if the instance has stopped. */
  send(): Promise<Send | undefined>
  /** Loads the history of the active account. Resolves to `undefined` if the instance has stopped. */
  transactions(): Promise<Transactions | undefined>
  /** Loads swaps. Resolves to `undefined` if no server is configured. */
  swap(): Promise<Swap | undefined>
  /** Follows the transactions that the host sends. They are shown in the account's activity. */
  readonly activity: Activity
  /** Loads sign-in. Resolves to `undefined` if the host does not use sign-in. */
  signIn(): Promise<SignIn | undefined>
  /** Displays a toast, and replaces the current toast. The toast is hidden after 2.5 seconds, unless `kind` is `loading`. */
  toast(kind: Toast['kind'], text: string): void
  /** Hides the toast, if one is displayed. */
  hideToast(): void
  /** Logs `detail`, or else the alert's text, as an error. If the `debug` option is set, displays the alert, too. */
  alert(alert: Alert, detail?: string): void
  /** Hides the alert, if one is displayed. */
  hideAlert(): void
  /** Reports an event to the operator's analytics, if enabled. Nothing is sent until the modal is opened. */
  track(event: Parameters<Analytics['track']>[0]): void
  /** Changes the theme. Omitted values do not change, and `variables` is merged into the current variables. */
  setTheme(theme: { mode?: 'light' | 'dark' | 'system'; variables?: Readonly<Record<string, string>> }): void
  /** Resolves to the records stored in the browser, once the runtime is loaded. */
  storage(): Promise<StorageSchema>
  /** The instance's log. For bug reports, `log.entries()` returns the buffered entries. */
  readonly log: Log
}
