import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type {
  DappData,
  MethodName,
  MethodParams,
  MethodResult,
  SocialName,
  ThemeData,
  WireAccountType,
} from '@latchkey/protocol/frame/messages'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { SignInFields } from '@latchkey/siwx/signIn'
import type { Log } from './lib/log.ts'

export { type Clock, systemClock } from '@latchkey/protocol/clock'
export { followVisualViewport } from './lib/followVisualViewport.ts'

/** The connector types defined by the specification. */
export type ConnectorType =
  | 'WALLET_CONNECT'
  | 'INJECTED'
  | 'ANNOUNCED'
  | 'AUTH'
  | 'EXTERNAL'
  | 'MULTI_CHAIN'
  | 'ID_AUTH'

/**
 * A chain and its RPC endpoints. On eip155 it is a viem `Chain` with four added properties. Any other properties of the
 * host's object (contracts, fees, formatters) are preserved.
 */
export interface Network<N extends Namespace = Namespace> {
  /** The chain ID on eip155 (EIP-155), otherwise the reference of the CAIP-2 chain ID. */
  readonly id: number | string
  /** The display name. Wallets also get it when the network is added to them (EIP-3085). */
  readonly name: string
  /** The short name used by older versions of viem, such as `homestead`. */
  readonly network?: string | undefined
  /** The currency of fees. `decimals` is the number of decimal places between base units and `symbol`: 18 for ether. */
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** RPC endpoints by name, as in viem. `default` is used unless a transport is configured. */
  readonly rpcUrls: {
    readonly [key: string]: { readonly http: readonly string[]; readonly webSocket?: readonly string[] | undefined }
  }
  /** Block explorers by name, as in viem. The account view links to `default`. [no link] */
  readonly blockExplorers?: { readonly [key: string]: { readonly name: string; readonly url: string } } | undefined
  /** Whether it is a test network. The modal marks it, and names of accounts are not looked up on it. [false] */
  readonly testnet?: boolean | undefined
  /** The chain family (a CAIP-2 namespace), such as `eip155`. */
  readonly chainNamespace: N
  /** The CAIP-2 chain ID, such as `eip155:1`. It identifies the network in all calls. */
  readonly caipNetworkId: ChainId<N>
  /** The network's image: a URL, or else the ID of an image in the directory. */
  readonly assets?: { readonly imageId?: string; readonly imageUrl?: string } | undefined
}

/** The part of an EIP-1193 provider that all wallets implement. */
export interface Eip1193Provider {
  /** Sends a request to the wallet. Rejects with an EIP-1193 error, such as code 4001 if the user rejects it. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Adds a listener for an event of EIP-1193, such as `accountsChanged`. Absent in wallets without events. */
  on?(event: string, listener: (value: never) => void): unknown
  /** Removes a listener that was added with `on`. */
  removeListener?(event: string, listener: (value: never) => void): unknown
}

/** A native balance, in exact base units. */
export interface NativeBalance {
  /** The amount in base units, such as wei or lamports. */
  readonly value: bigint
  /** The number of decimal places between base units and `symbol`: 18 for ether. */
  readonly decimals: number
  /** The symbol of the native currency, such as `ETH`. */
  readonly symbol: string
}

/** The name and picture of an address, if a name service has a record for it. */
export interface Identity {
  /** The primary name of the address, such as an ENS name. Absent if it has none. */
  readonly name?: string
  /** An https or data URL. */
  readonly image?: string
}

/** Support for one chain family. Adapters are stateless; sessions hold the state. */
export interface Adapter<N extends Namespace = Namespace> {
  /** The chain family that the adapter supports (a CAIP-2 namespace), such as `eip155`. */
  readonly namespace: N
  /** The host's networks, in the host's order. If empty, any network that the wallet uses is accepted (`/quick`). */
  readonly networks: readonly Network<N>[]
  /** Adds or removes a network in `networks`, if the adapter supports it. */
  change?(parameters: { readonly add: Network<N> } | { readonly remove: ChainId<N> }): void
  /**
   * Reports each connector as it is discovered, until `signal` aborts. A connector that changed is reported again with the same id.
   * `isOwn` identifies providers that this instance announces to the page, which are not reported.
   */
  discover(found: (connector: Connector<N>) => void, signal: AbortSignal, isOwn?: (provider: unknown) => boolean): void
  /** A description of a chain that the host did not list, for display only. */
  describe?(chain: ChainId<N>): Network<N>
  /** Returns the native balance of `account` through the network's RPC, or through the session if the network has no RPC. */
  balance?(parameters: {
    account: AccountId<N>
    network: Network<N>
    session?: Session<N>
    /** The host's `fetch`, if provided. Used for requests to nodes. */
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<NativeBalance>
  /** Returns the name and picture of `address` (ENS on eip155). */
  identity?(parameters: {
    address: string
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<Identity>
}

/** A way to connect to one wallet in the current environment. */
export interface Connector<N extends Namespace = Namespace> {
  /** Unique within its namespace: the rdns of an announced wallet, otherwise an id defined by the specification. */
  readonly id: string
  /** The display name, as reported by the wallet or given by the host. It can be spoofed. */
  readonly name: string
  /** How the wallet is reached, such as `ANNOUNCED` for EIP-6963 or `WALLET_CONNECT` for pairing. */
  readonly type: ConnectorType
  /** The chain family that it connects (a CAIP-2 namespace). A wallet with several families has a connector for each. */
  readonly namespace: N
  /** A data: or https: URL, validated by the adapter. */
  readonly icon?: string
  /** The ID of the wallet's image in the directory, displayed if there is no `icon`. */
  readonly imageId?: string
  /** The wallet's reverse domain name (EIP-6963), such as `io.metamask`. Absent if it reports none. It can be spoofed. */
  readonly rdns?: string
  /** The wallet's id in the wallet directory. */
  readonly explorerId?: string
  /** The wallet's website, used for install links. */
  readonly homepage?: string
  /**
   * With `silent`, restores an earlier session without prompting, or rejects with `wallet/not-authorized`. `chain` is then the last
   * network of that session, for wallets that do not store it.
   */
  connect(parameters: { chain?: ChainId<N>; silent?: boolean; signal: AbortSignal }): Promise<Session<N>>
}

/** Events that a session emits. */
export interface SessionEvents<N extends Namespace = Namespace> {
  /** The user selected another account, or changed the exposed accounts. The first account is the active one. */
  accounts: readonly [AccountId<N>, ...AccountId<N>[]]
  /** The wallet switched to this chain. The accounts of the session are on it, too. */
  chain: ChainId<N>
  /** `silent` when the wallet stops responding, `ok` when it responds again. */
  health: 'ok' | 'silent'
  /** A transaction was sent through the session, so balances are about to change. */
  sent: undefined
  /** The wallet ended the session. It can no longer be used. */
  disconnect: undefined
}

/** Details of an account in addition to its address. Values that the wallet does not provide are absent. */
export interface AccountDetails {
  /** Embedded wallet only: `eoa` for a key-based account, `smartAccount` for a contract account (ERC-4337). */
  readonly type?: string | undefined
  /** Encoded as is usual for the chain family, such as base58 on Solana. */
  readonly publicKey?: string | undefined
  /** Embedded wallet only: the account type used in each namespace. */
  readonly preferredAccountTypes?: Readonly<Partial<Record<Namespace, string>>> | undefined
}

/** An open connection to a wallet. All signing goes through a session. */
export interface Session<N extends Namespace = Namespace> {
  /** The connector that opened the session. */
  readonly connector: Connector<N>
  /** Read from the wallet on each access. The first account is the active account. */
  readonly accounts: readonly [AccountId<N>, ...AccountId<N>[]]
  /** The wallet's current chain (CAIP-2). It can be one that the host does not list. */
  readonly chain: ChainId<N>
  /** Details of the first account, updated when the accounts change. */
  readonly details?: AccountDetails | undefined
  /** The operations that the wallet supports. Test for one before offering it: `session.can.send?.(…)`. */
  readonly can: SessionCapabilities<N>
  /** The provider for the host's own library: EIP-1193 on eip155, Wallet Standard features on other families. */
  readonly provider: unknown
  /** Calls `listener` on each event. Returns a function that unsubscribes. */
  on<Event extends keyof SessionEvents<N>>(event: Event, listener: (value: SessionEvents<N>[Event]) => void): () => void
  /** Checks whether the wallet responds, and emits `health` if that changed. */
  ping(): Promise<void>
  /** Ends the session. On eip155, the page's permission is revoked by default (EIP-2255). No events are emitted afterwards. */
  disconnect(): Promise<void>
}

/** The operations that a session supports. An absent operation is unsupported and not offered in the UI. */
export interface SessionCapabilities<N extends Namespace = Namespace> {
  /** Resolves to the signature: EIP-191 on eip155, the JSON of an ADR-36 signature on cosmos. Rejects with a `LatchkeyError`. */
  signMessage?(parameters: { account: AccountId<N>; message: Uint8Array }): Promise<Uint8Array>
  /** `amount` is in base units. Sends the native currency unless `token` is given. */
  send?(parameters: { to: string; amount: bigint; token?: string }): Promise<{ hash: string }>
  /** Switches to `network`, and adds it to the wallet if the wallet does not know it (EIP-3326, EIP-3085). */
  switchChain?(network: Network<N>): Promise<void>
  /** Returns the EIP-5792 capabilities of the active account, keyed by hex chain ID, or `{}` if the wallet has none. */
  capabilities?(): Promise<Readonly<Record<string, unknown>>>
}

/** A connector for several chain families, such as WalletConnect or the embedded wallet. Provides one `Connector` per adapter. */
export interface MultichainConnector {
  /** The `id` of each of its connectors, such as `walletConnect`. */
  readonly id: string
  /** Called on start, before any connector is requested. Returns a function that detaches. */
  attach?(host: ConnectorContext): () => void
  /** Returns the connector for the adapter's chain family, or `undefined` if it does not support that family. */
  connectorFor(adapter: Adapter): Connector | undefined
  /** Loads the embedded wallet's login client, if this connector has one. Its frame is not loaded before this call. */
  wallet?(): Promise<EmbeddedWalletClient>
  /** Loads the pairing provider for remote wallets, if this connector has one and it is configured. */
  pairing?(): Promise<PairingProvider>
  /** Loads the announcer that offers this wallet to other kits on the page, if the host enabled it. Loaded on start. */
  readonly announcer?: (() => Promise<WalletAnnouncer>) | undefined
}

/** Announces a wallet to other kits on the page (EIP-6963, Wallet Standard). */
export interface WalletAnnouncer {
  /** Announces the wallet until the returned function is called. Announcing it again does not create a second wallet for kits that already know it. */
  start(wallet: AnnouncedWallet): () => void
  /** Whether `provider` is the announced provider. Compared by identity, because names and rdns can be spoofed. */
  isOwn(provider: unknown): boolean
}

/** This instance's wallet, as exposed to other kits on the page. */
export interface AnnouncedWallet {
  /** The host's chains in `namespace`, the preferred chain first. Empty if the wallet cannot be connected in that family. */
  chains(namespace: Namespace): readonly ChainId[]
  /** The wallet's session in `namespace`, even if another wallet is active. */
  session(namespace: Namespace): AnnouncedSession | undefined
  /** Calls `listener` when a session may have been added, changed or removed. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
  /**
   * Waits for a pending restore. If there is no session afterwards, the modal opens for the user to log in. Rejects with the EIP-1193 code 4001
   * if the user closes it. With `silent`, the user is not prompted.
   */
  connect(parameters: { namespace: Namespace; silent: boolean | undefined }): Promise<void>
  /** Ends the wallet's sessions, like "Disconnect" in the modal. */
  leave(): Promise<null>
}

/** The part of a session that is exposed to other kits. */
export interface AnnouncedSession {
  /** The addresses on `chain`, without the chain. The active address is the first. */
  readonly addresses: readonly string[]
  /** The current chain (CAIP-2). */
  readonly chain: ChainId
  /** The `provider` of the session. */
  readonly provider: unknown
}

/** A pairing that is waiting for a wallet. */
export interface PairingUri {
  /** A secret: anyone who has it can respond in the wallet's place. Use it only in a QR code or the wallet's own link. */
  readonly uri: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** The sign-in that a wallet is asked to sign while it connects (CAIP-222), before its account is known. */
export interface AuthenticateRequest extends Omit<SignInFields, 'accountAddress' | 'chainId' | 'issuedAt' | 'version'> {
  /** The chains that can be signed for, the preferred chain first. */
  readonly chains: readonly [ChainId<'eip155'>, ...ChainId<'eip155'>[]]
  /** ISO 8601. Required, unlike in `SignInFields`, because EIP-4361 requires it. */
  readonly issuedAt: string
}

/** A sign-in that a wallet signed while it connected. Not verified. */
export interface SignedCacao {
  /** The account that the wallet reports as the signer (CAIP-10). */
  readonly account: AccountId<'eip155'>
  /** The signed text, including the statement of the requested permissions (ERC-5573). */
  readonly message: string
  /** The signature of `message` in hex, by a key (EIP-191) or by a contract (ERC-1271). */
  readonly signature: string
  /** The signed fields as reported by the wallet. */
  readonly fields: Omit<SignInFields, 'accountAddress' | 'chainId' | 'version'> & Partial<Pick<SignInFields, 'version'>>
  /** The original CACAO (CAIP-74). */
  readonly cacao: unknown
}

/** The result of a pairing. The next `connect` of each namespace's connector uses it. */
export interface PairingResult {
  /** The requested namespaces that the wallet supports. */
  readonly namespaces: readonly [Namespace, ...Namespace[]]
  /** The wallet's self-description. Not verified. */
  readonly wallet: { readonly name: string; readonly url: string; readonly icon?: string }
  /** The signed sign-ins, if a sign-in was requested. Empty if the wallet only connects. */
  readonly signed: readonly SignedCacao[]
  /** Ends the new session. */
  disconnect(): Promise<void>
}

/** Pairs with a wallet outside this page. */
export interface PairingProvider {
  /**
   * Offers a pairing for all namespaces and waits for a wallet. Rejects with `user/rejected`, `pairing/expired`,
   * `request/aborted`, or the relay's error.
   */
  pair(parameters: {
    readonly signal: AbortSignal
    onUri(offer: PairingUri): void
    readonly signIn?: AuthenticateRequest
  }): Promise<PairingResult>
}

/** A value that persists across page loads. */
export interface StoredValue<T> {
  /** Returns the stored value, or `undefined` if it is missing, invalid or not accessible. */
  get(): T | undefined
  /** Stores `value`. Errors of the storage are not thrown. */
  set(value: T): void
  /** Removes the value. Errors of the storage are not thrown. */
  clear(): void
}

/** The stored records of the embedded login. */
export interface LoginRecords {
  /** `'true'` from a login by any method until the user logs out. Without it, no login is restored. */
  readonly emailUsed: StoredValue<'true'>
  /** The email address of the logged-in user, if the frame reported one. */
  readonly email: StoredValue<string>
  /** The user's name at the social provider, if the frame reported one. */
  readonly socialUsername: StoredValue<string>
  /** The chain of the last login: the chain ID as a number on eip155, otherwise a CAIP-2 chain ID. */
  readonly lastChain: StoredValue<string>
  /** When an email was last requested, in epoch milliseconds. Cleared once the user is logged in. */
  readonly lastEmailLoginTime: StoredValue<number>
  /** The provider of a social login, such as `google`. Missing after other logins. */
  readonly connectedSocial: StoredValue<string>
  /** The provider that the page was redirected to, until the user returns. */
  readonly leavingSocial: StoredValue<string>
  /** The networks with smart accounts, as the frame reported them: CAIP-2 references, such as `137`. */
  readonly smartAccountNetworks: StoredValue<readonly string[]>
  /** The account type that was chosen in each namespace: `eoa` or `smartAccount`. */
  readonly accountTypes: StoredValue<Readonly<Partial<Record<Namespace, string>>>>
}

/**
 * The sign-in that the embedded wallet is asked to sign during login (frame 4.16). The account is the placeholder `<<AccountAddress>>`
 * until the frame knows it.
 */
export interface SignInOnLogin {
  /** The fields of the message, with the placeholder as `accountAddress`. */
  readonly fields: SignInFields
  /** The message text, with the placeholder in place of the address. */
  readonly message: string
  /**
   * Verifies and stores the signed message once, even if called several times. Rejects if it is not the requested message. A user who is not
   * signed in by it is prompted as usual.
   */
  keep(signed: { readonly address: string; readonly message: string; readonly signature: string }): Promise<void>
}

/** The instance, as exposed to its multichain connectors. */
export interface ConnectorContext {
  /** The clock of the instance: use it for the time and for timers, so that tests can control them. */
  readonly clock: Clock
  /** The host's `fetch`, or the page's. */
  readonly fetch: typeof fetch
  /** The log of the instance. */
  readonly log: Log
  /** The stored records of the login. They are empty if storage is not available. */
  readonly records: LoginRecords
  /** Returns the page's metadata. */
  dapp(): DappData
  /** Returns the current theme. */
  theme(): ThemeData
  /** Calls `listener` when the theme or, in the mode `system`, the page's color scheme changes. Returns a function that unsubscribes. */
  onTheme(listener: () => void): () => void
  /** The active network of `namespace`, or else its first network. */
  network(namespace?: Namespace): Network | undefined
  /** The account type to use in `namespace`: the stored choice, else the host's default, else the specification's default. */
  accountType(namespace: Namespace): string
  /**
   * Reports that an approval is in front of the user. An open modal shows this and cannot be closed. Returns a function to call when
   * the approval ends. `onForceClose` is called if the modal is force-closed before that.
   */
  showApproval(requestId: string, onForceClose: () => void): () => void
  /** Reports a request that the user must approve in a remote wallet. If the wallet app was opened by a deep link, it is opened again. */
  waiting(parameters: { readonly requestId: number; readonly topic: string }): void
  /** Resolves to `undefined` if sign-in is not required, if the chain is not an EVM chain, or if a session already exists. */
  signInOnLogin(chain: ChainId): Promise<SignInOnLogin | undefined>
  /** Reports the social logins that the frame offers here, including Farcaster. */
  socials(onUri: readonly string[]): void
  /**
   * Reports an error to the page's developer: the frame timed out, the relay or the frame refuses this page, or the page requested a method
   * that the embedded wallet does not support.
   */
  report(
    what: 'iframe_load_failed' | 'iframe_request_timeout' | 'relay_refused' | 'unverified_domain' | 'rpc_not_allowed',
    error: LatchkeyError,
  ): void
}

/** The login client of the embedded wallet. */
export interface EmbeddedWalletClient {
  /** The origin of the frame and of its popup pages. */
  readonly origin: string
  /** Resolves when the frame is loaded and initialized. `late` is called if it takes long enough that the user should be notified. */
  initialised(signal?: AbortSignal, late?: () => void): Promise<void>
  /** Sends a request to the frame and resolves to its response. With `quiet`, a timeout is not reported to the page's developer. */
  request<Name extends MethodName>(
    name: Name,
    payload: MethodParams<Name>,
    options?: { readonly signal?: AbortSignal; readonly quiet?: boolean },
  ): Promise<MethodResult<Name>>
  /** Sends a message without waiting for the response. */
  notify<Name extends MethodName>(name: Name, payload: MethodParams<Name>): void
  /**
   * Whether the frame communicates with its popup itself. If so, `connectSocial` is called with the popup's URL and resolves when the user has
   * returned. Otherwise, the popup posts its result to this page, which passes it to `connectSocial`.
   */
  readonly waitsForPopup: boolean
  /** Logs in with the popup's result. The next `connect` uses that login. */
  connectSocial(uri: string, options?: { readonly signal?: AbortSignal; readonly quiet?: boolean }): Promise<void>
  /**
   * Logs in with a provider in a window that the user opens from the frame, which is visible until then. Resolves to the provider that was used,
   * or `undefined` if the user continued with their existing session. Defined only once the frame has reported that it is
   * on a cross-site page, where other social logins do not work.
   */
  readonly connectInWindow:
    | ((provider: SocialName, options: { readonly signal: AbortSignal }) => Promise<SocialName | undefined>)
    | undefined
  /** Logs in or signs up with a passkey. Rejects if the frame does not support passkeys. */
  connectPasskey(options?: { readonly signal?: AbortSignal }): Promise<void>
  /** URL of the page where users manage their keys. `undefined` if the frame has no such page or has not reported it yet. */
  readonly walletPage: string | undefined
  /** Whether losing a single key would lose the account, as far as the frame knows. */
  hasSingleKey(): Promise<boolean>
  /** Requests the other account type. The session is updated. Resolves to the account type now in use. */
  setAccountType(namespace: Namespace, type: WireAccountType): Promise<WireAccountType>
}
