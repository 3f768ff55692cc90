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
import type { SignInFields } from '@latchkey/protocol/signIn'
import type { Log } from './lib/log.ts'

export { type Clock, systemClock } from '@latchkey/protocol/clock'
export { keepInSight } from './lib/keepInSight.ts'

/** The connector types of the specification. */
export type ConnectorType =
  | 'WALLET_CONNECT'
  | 'INJECTED'
  | 'ANNOUNCED'
  | 'AUTH'
  | 'EXTERNAL'
  | 'MULTI_CHAIN'
  | 'ID_AUTH'

/**
 * One chain with its RPC. On eip155 it is a viem `Chain` with four names added; whatever else the host's object
 * carries (contracts, fees, formatters) stays on it untouched.
 */
export interface Network<N extends Namespace = Namespace> {
  readonly id: number | string
  readonly name: string
  /** The short name of older viem chains, `homestead`. */
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

/** An EIP-1193 provider, as far as anybody may rely on it. */
export interface Eip1193Provider {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): unknown
  removeListener?(event: string, listener: (value: never) => void): unknown
}

/** What a native balance is: base units, exact. */
export interface NativeBalance {
  readonly value: bigint
  readonly decimals: number
  readonly symbol: string
}

/** What an address is called, where a name system knows it. */
export interface Identity {
  readonly name?: string
  /** https or data URL of a picture. */
  readonly image?: string
}

/** One family of chains, taught to Latchkey. It holds no state: sessions do. */
export interface Adapter<N extends Namespace = Namespace> {
  readonly namespace: N
  /** The host's networks, in its order. Empty: any network the wallet is on is taken as it is (`/quick`). */
  readonly networks: readonly Network<N>[]
  /** Changes `networks`, where that can be done: takes one more, or lets one go. */
  change?(parameters: { readonly add: Network<N> } | { readonly remove: ChainId<N> }): void
  /**
   * Reports each way in as it appears, until `signal` aborts. Reports a connector again (same id) when it changed. `isOwn` tells the
   * providers that this instance itself announces to the page: they are no way in.
   */
  discover(found: (connector: Connector<N>) => void, signal: AbortSignal, isOwn?: (provider: unknown) => boolean): void
  /** A description of a chain that the host did not name, for display only. */
  describe?(chain: ChainId<N>): Network<N>
  /** The native balance of `account`, through the network's RPC or, where it has none, the session. */
  balance?(parameters: {
    account: AccountId<N>
    network: Network<N>
    session?: Session<N>
    /** The host's, where it has one: what asks a node goes through it. */
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<NativeBalance>
  /** Name and picture of `address` (ENS on eip155). */
  identity?(parameters: {
    address: string
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<Identity>
}

/** A way to reach one wallet, here and now. */
export interface Connector<N extends Namespace = Namespace> {
  /** Unique within its namespace: rdns for announced wallets, one of the specification's ids for the others. */
  readonly id: string
  readonly name: string
  readonly type: ConnectorType
  readonly namespace: N
  /** A data: or https: URL, already checked by the adapter. */
  readonly icon?: string
  readonly imageId?: string
  readonly rdns?: string
  /** The wallet's id in the directory. */
  readonly explorerId?: string
  /** The wallet's own page, for "get it" links. */
  readonly homepage?: string
  /**
   * `silent` restores an earlier session or fails with `wallet/not-authorized`; it never prompts. `chain` is then the last network of
   * that session, for wallets that do not know it themselves.
   */
  connect(parameters: { chain?: ChainId<N>; silent?: boolean; signal: AbortSignal }): Promise<Session<N>>
}

/** What happens to a session without anybody asking. */
export interface SessionEvents<N extends Namespace = Namespace> {
  accounts: readonly [AccountId<N>, ...AccountId<N>[]]
  chain: ChainId<N>
  /** `silent`: the wallet stopped answering; `ok`: it answers again. */
  health: 'ok' | 'silent'
  /** Something was sent through it: what the account has is about to change. */
  sent: undefined
  /** The wallet ended it; the session is of no further use. */
  disconnect: undefined
}

/** What is known of one account beside its address. What a wallet does not tell is absent. */
export interface AccountDetails {
  /** Of the embedded wallet: `eoa`, an account with a key, or `smartAccount`, a contract account (ERC-4337). */
  readonly type?: string | undefined
  /** As the family writes it: base58 on Solana. */
  readonly publicKey?: string | undefined
  /** Of the embedded wallet: which type is used in each namespace. */
  readonly preferredAccountTypes?: Readonly<Partial<Record<Namespace, string>>> | undefined
}

/** What connecting gives you, and the only thing you can sign with. */
export interface Session<N extends Namespace = Namespace> {
  readonly connector: Connector<N>
  /** Read anew at each access: the first is the active one. */
  readonly accounts: readonly [AccountId<N>, ...AccountId<N>[]]
  readonly chain: ChainId<N>
  /** Of the first account. Read anew whenever the accounts change. */
  readonly details?: AccountDetails | undefined
  readonly can: SessionCapabilities<N>
  /** The provider to hand to the host's own library: EIP-1193 on eip155, Wallet Standard features elsewhere. */
  readonly provider: unknown
  on<Event extends keyof SessionEvents<N>>(event: Event, listener: (value: SessionEvents<N>[Event]) => void): () => void
  /** Asks the wallet whether it is still there; settles the `health` event. */
  ping(): Promise<void>
  disconnect(): Promise<void>
}

/** What this session can do. Absent means unable, and the UI does not offer it. */
export interface SessionCapabilities<N extends Namespace = Namespace> {
  signMessage?(parameters: { account: AccountId<N>; message: Uint8Array }): Promise<Uint8Array>
  /** `amount` in base units; without `token` the native currency. */
  send?(parameters: { to: string; amount: bigint; token?: string }): Promise<{ hash: string }>
  /** Switches, adding the network to the wallet when it does not know it (EIP-3326, EIP-3085). */
  switchChain?(network: Network<N>): Promise<void>
  /** EIP-5792 capabilities of the active account, keyed by hex chain id; `{}` where the wallet offers none. */
  capabilities?(): Promise<Readonly<Record<string, unknown>>>
}

/** A connector source over several families (WalletConnect, embedded wallet): asked once by each adapter's namespace. */
export interface MultichainConnector {
  readonly id: string
  /** Called at start, before any connector is asked for; the answer lets go. */
  attach?(host: ConnectorContext): () => void
  connectorFor(adapter: Adapter): Connector | undefined
  /** The way to log in, where this bridge has one; loaded when it is asked for, and no frame before that. */
  wallet?(): Promise<EmbeddedWalletClient>
  /** The way to wallets elsewhere, where this bridge has one and it is configured; loaded when it is asked for. */
  pairing?(): Promise<PairingProvider>
  /** What offers this wallet to other kits of the page, where the host wants that; loaded at the start. */
  readonly announcer?: (() => Promise<WalletAnnouncer>) | undefined
}

/** Offers one wallet to other kits of the page (EIP-6963, Wallet Standard). */
export interface WalletAnnouncer {
  /** Offers it until the answer is called. Offering it again is the same wallet to whoever knows it already. */
  start(wallet: AnnouncedWallet): () => void
  /** Whether `provider` is the one that is announced: by identity, as names and rdns can be anybody's. */
  isOwn(provider: unknown): boolean
}

/** The wallet of this instance, as other kits of the page may use it. */
export interface AnnouncedWallet {
  /** The host's chains of a family in which it can be connected, the one that counts first; none in other families. */
  chains(namespace: Namespace): readonly ChainId[]
  /** Its session in that family, whichever wallet is the active one. */
  session(namespace: Namespace): AnnouncedSession | undefined
  /** Told when a session may have come, changed or ended. */
  onChange(listener: () => void): () => void
  /**
   * Waits for what is being restored; where there is no session then, the visitor is asked to log in, in the modal. Rejects as EIP-1193 has
   * it (4001) when they close it. `silent`: nobody is asked.
   */
  connect(parameters: { namespace: Namespace; silent: boolean | undefined }): Promise<void>
  /** Ends its sessions, as the visitor's own "Disconnect" does. */
  leave(): Promise<null>
}

/** As much of a session as other kits are told. */
export interface AnnouncedSession {
  readonly addresses: readonly string[]
  readonly chain: ChainId
  readonly provider: unknown
}

/** A pairing that waits for a wallet. */
export interface PairingUri {
  /** A secret: whoever reads it can answer in the wallet's place. For a QR code or the wallet's own link, and nothing else. */
  readonly uri: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** What the wallet is asked to sign as it connects (CAIP-222), before anybody knows its account. */
export interface AuthenticateRequest extends Omit<SignInFields, 'accountAddress' | 'chainId' | 'issuedAt' | 'version'> {
  /** Every chain that may be signed for, the wanted one first. */
  readonly chains: readonly [ChainId<'eip155'>, ...ChainId<'eip155'>[]]
  readonly issuedAt: string
}

/** A sign-in that a wallet signed as it connected. Nobody has verified it. */
export interface SignedCacao {
  readonly account: AccountId<'eip155'>
  /** The text that was signed, with the sentence of what it allows beside signing in (ERC-5573). */
  readonly message: string
  readonly signature: string
  /** What the wallet says that it signed. */
  readonly fields: Omit<SignInFields, 'accountAddress' | 'chainId' | 'version'> & Partial<Pick<SignInFields, 'version'>>
  /** The whole as it came (CAIP-74). */
  readonly cacao: unknown
}

/** What a pairing came to. The next `connect` of each namespace's connector goes on from there. */
export interface PairingResult {
  /** What the wallet serves, among the namespaces that were asked for. */
  readonly namespaces: readonly [Namespace, ...Namespace[]]
  /** How the wallet describes itself; nobody vouches for it. */
  readonly wallet: { readonly name: string; readonly url: string; readonly icon?: string }
  /** What it signed, where it was asked to sign in; none from a wallet that only connects. */
  readonly signed: readonly SignedCacao[]
  /** Ends what was just begun. */
  disconnect(): Promise<void>
}

/** Pairs with a wallet that is not in this page. */
export interface PairingProvider {
  /**
   * Offers a pairing over all namespaces and waits for a wallet. Rejects with `user/rejected`, `pairing/expired`,
   * `request/aborted`, or what the relay said.
   */
  pair(parameters: {
    readonly signal: AbortSignal
    onUri(offer: PairingUri): void
    readonly signIn?: AuthenticateRequest
  }): Promise<PairingResult>
}

/** One value that outlives the page, as a bridge may use it. */
export interface StoredValue<T> {
  get(): T | undefined
  set(value: T): void
  clear(): void
}

/** The records of an embedded login. */
export interface LoginRecords {
  readonly emailUsed: StoredValue<'true'>
  readonly email: StoredValue<string>
  readonly socialUsername: StoredValue<string>
  readonly lastChain: StoredValue<string>
  readonly lastEmailLoginTime: StoredValue<number>
  readonly connectedSocial: StoredValue<string>
  /** The provider to which the whole page went, until it is back. */
  readonly leavingSocial: StoredValue<string>
  readonly smartAccountNetworks: StoredValue<readonly string[]>
  readonly accountTypes: StoredValue<Readonly<Partial<Record<Namespace, string>>>>
}

/**
 * What the embedded wallet is asked to sign as somebody logs in (frame 4.16): the account stands as `<<AccountAddress>>` until the frame
 * knows it.
 */
export interface SignInOnLogin {
  readonly fields: SignInFields
  /** The text, with the placeholder in the place of the address. */
  readonly message: string
  /**
   * Verified and kept once, however often it is called; rejects when it is not what was asked. Whoever is not signed in by it is asked as
   * usual.
   */
  keep(signed: { readonly address: string; readonly message: string; readonly signature: string }): Promise<void>
}

/** What a bridge is told about the instance that it serves. */
export interface ConnectorContext {
  readonly clock: Clock
  /** The host's own, or the page's. */
  readonly fetch: typeof fetch
  readonly log: Log
  readonly records: LoginRecords
  /** What the page says of itself. */
  dapp(): DappData
  /** How the page looks now. */
  theme(): ThemeData
  onTheme(listener: () => void): () => void
  /** The network that counts in `namespace`: the active one, else the first. */
  network(namespace?: Namespace): Network | undefined
  /** Which account type `namespace` wants: the stored choice, else the host's, else the specification's. */
  accountType(namespace: Namespace): string
  /**
   * An approval waits in front of the visitor: an open modal says so behind it and stays. The answer ends that; `takeBack` is
   * called when the modal is closed by force meanwhile.
   */
  approving(requestId: string, takeBack: () => void): () => void
  /** A person has to answer in the wallet at the other end of a session: whoever opened its app by a link opens it again. */
  waiting(parameters: { readonly requestId: number; readonly topic: string }): void
  /** `undefined` where nobody has to sign in, on another family than EVM, or where the session is there already. */
  signInOnLogin(chain: ChainId): Promise<SignInOnLogin | undefined>
  /** The social log-ins that the frame says work here, Farcaster among them. */
  socials(onUri: readonly string[]): void
  /**
   * For the page's developer: the frame took too long, the relay or the frame does not serve this page, or the page asked for what no
   * embedded wallet does.
   */
  report(
    what: 'iframe_load_failed' | 'iframe_request_timeout' | 'relay_refused' | 'unverified_domain' | 'rpc_not_allowed',
    error: LatchkeyError,
  ): void
}

/** What logging in says to the embedded wallet. */
export interface EmbeddedWalletClient {
  /** Where the frame and the pages of its popups live. */
  readonly origin: string
  /** Ready, settled, told about the page; `late` is told when that takes longer than somebody waits without a word. */
  initialised(signal?: AbortSignal, late?: () => void): Promise<void>
  request<Name extends MethodName>(
    name: Name,
    payload: MethodParams<Name>,
    options?: { readonly signal?: AbortSignal; readonly quiet?: boolean },
  ): Promise<MethodResult<Name>>
  /** Says something whose answer nobody waits for. */
  notify<Name extends MethodName>(name: Name, payload: MethodParams<Name>): void
  /**
   * The frame hears from its popup itself: `connectSocial` is asked with the address that the popup was sent to, and answers once the
   * person is back. Otherwise the popup tells this page, and what it told is handed over.
   */
  readonly waitsForPopup: boolean
  /** Logs in with what a popup brought; the next `connect` goes on from there. */
  connectSocial(uri: string, options?: { readonly signal?: AbortSignal; readonly quiet?: boolean }): Promise<void>
  /**
   * Logs in with a provider in a window that the visitor opens from the frame, which is in front of them until then. Answers the provider
   * that they came in by; there they may go on as whoever is signed in. `undefined` unless the frame has said that it stands on a page of
   * another site: there, no other social log-in works.
   */
  readonly connectInWindow:
    | ((provider: SocialName, options: { readonly signal: AbortSignal }) => Promise<SocialName | undefined>)
    | undefined
  /** Comes in by passkey, or begins with one, in front of the visitor; refused where the frame knows no passkeys. */
  connectPasskey(options?: { readonly signal?: AbortSignal }): Promise<void>
  /** Where owners look after their keys; `undefined` where the frame has no such page, or has not said so yet. */
  readonly walletPage: string | undefined
  /** Whether the loss of one thing would lose the account, as far as the frame says. */
  hasSingleKey(): Promise<boolean>
  /** Wants the other kind of account; the session follows. Answers the kind that it is now. */
  setAccountType(namespace: Namespace, type: WireAccountType): Promise<WireAccountType>
}
