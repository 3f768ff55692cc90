import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import type {
  DappData,
  MethodName,
  MethodParams,
  MethodResult,
  SocialName,
  ThemeData,
  WireAccountType,
} from '@latchkey/protocol/frame/messages'
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
  readonly id: number | string
  readonly name: string
  /** The short name used by older versions of viem, such as `homestead`. */
  readonly network?: string | undefined
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: {
    readonly [key: string]: { readonly http: readonly string[]; readonly webSocket?: readonly string[] | undefined }
  }
  readonly blockExplorers?: { readonly [key: string]: { readonly name: string; readonly url: string } } | undefined
  readonly testnet?: boolean | undefined
  readonly chainNamespace: N
  readonly caipNetworkId: ChainId<N>
  readonly assets?: { readonly imageId?: string; readonly imageUrl?: string } | undefined
}

/** The part of an EIP-1193 provider that all wallets implement. */
export interface Eip1193Provider {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): unknown
  removeListener?(event: string, listener: (value: never) => void): unknown
}

/** A native balance, in exact base units. */
export interface NativeBalance {
  readonly value: bigint
  readonly decimals: number
  readonly symbol: string
}

/** The name and picture of an address, if a name service has a record for it. */
export interface Identity {
  readonly name?: string
  /** An https or data URL. */
  readonly image?: string
}

/** Support for one chain family. Adapters are stateless; sessions hold the state. */
export interface Adapter<N extends Namespace = Namespace> {
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
  readonly name: string
  readonly type: ConnectorType
  readonly namespace: N
  /** A data: or https: URL, validated by the adapter. */
  readonly icon?: string
  readonly imageId?: string
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
  accounts: readonly [AccountId<N>, ...AccountId<N>[]]
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
  readonly connector: Connector<N>
  /** Read from the wallet on each access. The first account is the active account. */
  readonly accounts: readonly [AccountId<N>, ...AccountId<N>[]]
  readonly chain: ChainId<N>
  /** Details of the first account, updated when the accounts change. */
  readonly details?: AccountDetails | undefined
  readonly can: SessionCapabilities<N>
  /** The provider for the host's own library: EIP-1193 on eip155, Wallet Standard features on other families. */
  readonly provider: unknown
  on<Event extends keyof SessionEvents<N>>(event: Event, listener: (value: SessionEvents<N>[Event]) => void): () => void
  /** Checks whether the wallet responds, and emits `health` if that changed. */
  ping(): Promise<void>
  disconnect(): Promise<void>
}

/** The operations that a session supports. An absent operation is unsupported and not offered in the UI. */
export interface SessionCapabilities<N extends Namespace = Namespace> {
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
  readonly id: string
  /** Called on start, before any connector is requested. Returns a function that detaches. */
  attach?(host: ConnectorContext): () => void
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
  readonly addresses: readonly string[]
  readonly chain: ChainId
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
  readonly issuedAt: string
}

/** A sign-in that a wallet signed while it connected. Not verified. */
export interface SignedCacao {
  readonly account: AccountId<'eip155'>
  /** The signed text, including the statement of the requested permissions (ERC-5573). */
  readonly message: string
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
  get(): T | undefined
  set(value: T): void
  clear(): void
}

/** The stored records of the embedded login. */
export interface LoginRecords {
  readonly emailUsed: StoredValue<'true'>
  readonly email: StoredValue<string>
  readonly socialUsername: StoredValue<string>
  readonly lastChain: StoredValue<string>
  readonly lastEmailLoginTime: StoredValue<number>
  readonly connectedSocial: StoredValue<string>
  /** The provider that the page was redirected to, until the user returns. */
  readonly leavingSocial: StoredValue<string>
  readonly smartAccountNetworks: StoredValue<readonly string[]>
  readonly accountTypes: StoredValue<Readonly<Partial<Record<Namespace, string>>>>
}

/**
 * The sign-in that the embedded wallet is asked to sign during login (frame 4.16). The account is the placeholder `<<AccountAddress>>`
 * until the frame knows it.
 */
export interface SignInOnLogin {
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
  readonly clock: Clock
  /** The host's `fetch`, or the page's. */
  readonly fetch: typeof fetch
  readonly log: Log
  readonly records: LoginRecords
  /** Returns the page's metadata. */
  dapp(): DappData
  /** Returns the current theme. */
  theme(): ThemeData
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
