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

/** The types of connectors. */
export type ConnectorType =
  | 'WALLET_CONNECT'
  | 'INJECTED'
  | 'ANNOUNCED'
  | 'AUTH'
  | 'EXTERNAL'
  | 'MULTI_CHAIN'
  | 'ID_AUTH'

/**
 * A chain and its RPC endpoints. On eip155, a network is a viem `Chain` with additional properties. Any other properties on the
 * host's object, such as contracts, fees and formatters, are preserved.
 */
export interface Network<N extends Namespace = Namespace> {
  /** The EIP-155 chain ID on eip155. On other chain families, the reference part of the CAIP-2 chain ID. */
  readonly id: number | string
  /** The display name. Wallets also receive it when they add the network (EIP-3085). */
  readonly name: string
  /** The short name in older versions of viem, such as `homestead`. */
  readonly network?: string | undefined
  /** The currency in which fees are paid. `decimals` is its number of decimal places, such as 18 for ether. */
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** The RPC endpoints by name, as in viem. `default` is used unless a transport is configured. */
  readonly rpcUrls: {
    readonly [key: string]: { readonly http: readonly string[]; readonly webSocket?: readonly string[] | undefined }
  }
  /** The block explorers by name, as in viem. The account view links to `default`, if specified. */
  readonly blockExplorers?: { readonly [key: string]: { readonly name: string; readonly url: string } } | undefined
  /** Whether this is a test network. The modal labels it, and does not look up ENS names on it. Default: `false`. */
  readonly testnet?: boolean | undefined
  /** The chain family, which is a CAIP-2 namespace such as `eip155`. */
  readonly chainNamespace: N
  /** The CAIP-2 chain ID, such as `eip155:1`. All calls identify the network by this ID. */
  readonly caipNetworkId: ChainId<N>
  /** The network's image, as a URL or as the ID of an image in the directory. */
  readonly assets?: { readonly imageId?: string; readonly imageUrl?: string } | undefined
}

/** The part of an EIP-1193 provider that all wallets implement. */
export interface Eip1193Provider {
  /** Sends a request to the wallet. Rejects with an EIP-1193 error, such as code 4001 if the user declines. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Adds a listener for an EIP-1193 event, such as `accountsChanged`. Absent in wallets that do not support events. */
  on?(event: string, listener: (value: never) => void): unknown
  /** Removes a listener that was added with `on`. */
  removeListener?(event: string, listener: (value: never) => void): unknown
}

/** A native balance in base units. */
export interface NativeBalance {
  /** The amount in base units, such as wei or lamports. */
  readonly value: bigint
  /** The currency's number of decimal places, such as 18 for ether. */
  readonly decimals: number
  /** The native currency's symbol, such as `ETH`. */
  readonly symbol: string
}

/** The name and image for an address, if a name service has a record for it. */
export interface Identity {
  /** The address's primary name, such as an ENS name. Absent if it has no name. */
  readonly name?: string
  /** The image, as an https or data URL. */
  readonly image?: string
}

/** The estimated network fee of a transfer, in base units of the network's currency. */
export interface TransferFee {
  /** The expected fee, including `deposit`. */
  readonly amount: bigint
  /** The maximum cost of the transfer. Wallets require a balance of at least this amount. Never less than `amount`. */
  readonly maxAmount: bigint
  /** The deposit for the recipient's token account, which the transfer has to open first. Only on solana. */
  readonly deposit?: bigint
  /**
   * The most that the token withholds from the amount, in base units of the token. The recipient receives the rest. Absent if
   * it could not be determined, and for the network's currency.
   */
  readonly withheld?: bigint
}

/** A token and an account's balance of it, according to the token's contract, which can report anything. */
export interface TokenHolding {
  /** The token's name. The name and the symbol are empty if the contract does not report them. */
  readonly name: string
  /** The token's symbol. */
  readonly symbol: string
  /** The number of decimal places. */
  readonly decimals: number
  /** The balance in base units. */
  readonly amount: bigint
}

/** When a transaction can no longer be executed. Only on solana, where transactions expire. */
export interface TransactionExpiry {
  /** The height of the last block that can contain the transaction. */
  readonly block: number
  /**
   * A slot before the transaction was sent. Only a node that has all slots since then can tell that the transaction was not
   * executed.
   */
  readonly slot: number
}

/** Support for one chain family. */
export interface Adapter<N extends Namespace = Namespace> {
  /** The chain family that the adapter supports, which is a CAIP-2 namespace such as `eip155`. */
  readonly namespace: N
  /** The host's networks, in the host's order. If there are none, any network that the wallet uses is accepted. */
  readonly networks: readonly Network<N>[]
  /** Adds a network to `networks`, or removes one. Not set if the networks cannot change. */
  change?(parameters: { readonly add: Network<N> } | { readonly remove: ChainId<N> }): void
  /**
   * Reports each connector when it is discovered, until `signal` aborts. A connector that has changed is reported again with the
   * same ID. Providers for which `isOwn` returns `true` are not reported, because this instance announced them itself.
   */
  discover(found: (connector: Connector<N>) => void, signal: AbortSignal, isOwn?: (provider: unknown) => boolean): void
  /** Describes a chain that is not one of the host's networks, for display only. */
  describe?(chain: ChainId<N>): Network<N>
  /** Resolves to the native balance of `account`, read from the network's RPC node or, if there is none, through the session. */
  balance?(parameters: {
    account: AccountId<N>
    network: Network<N>
    session?: Session<N>
    /** The host's `fetch` function for requests to nodes, if provided. */
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<NativeBalance>
  /**
   * Resolves to the status of a transaction, read from the network's RPC node or, if there is none, through the session. A
   * transaction that the node does not know is `pending`. If `sent` is specified and a block contains another transaction of
   * the sender with the same or a later nonce, it is `replaced`. If `expiry` is specified and the transaction has expired
   * without being executed, it is `dropped`.
   */
  transactionStatus?(parameters: {
    hash: string
    /** The sender and the nonce, from `transactionNonce()`. Only on eip155. */
    sent?: { readonly by: AccountId<N>; readonly nonce: number }
    /** From `transactionExpiry()`. Only on solana. */
    expiry?: TransactionExpiry
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<'pending' | 'done' | 'failed' | 'replaced' | 'dropped'>
  /**
   * Resolves to when a transaction certainly expires. It must have been sent at most a minute ago, and must not use a durable
   * nonce. Only on solana.
   */
  transactionExpiry?(parameters: {
    network: Network<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<TransactionExpiry>
  /**
   * Resolves to the nonce of a transaction that the node knows, or to `undefined` if it does not know it or if `account` is not the
   * sender, such as a smart account, whose transactions others send. Only on eip155.
   */
  transactionNonce?(parameters: {
    hash: string
    account: AccountId<N>
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<number | undefined>
  /**
   * Resolves to the number of decimal places of a token, according to its contract, or to `undefined` if the contract does not
   * report it. Read from the network's RPC node or, if there is none, through the session.
   */
  tokenDecimals?(parameters: {
    token: string
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<number | undefined>
  /**
   * Resolves to the symbol of a token, according to its contract or, on solana, its metadata, or to `undefined` if there is none.
   * Anyone can create a token with any symbol, so do not trust it.
   */
  tokenSymbol?(parameters: {
    token: string
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<string | undefined>
  /**
   * Resolves to a token's name, symbol and decimals according to its contract, and to the balance of `account`, or to `undefined` if
   * there is no token at the address. Only on eip155.
   */
  tokenHolding?(parameters: {
    account: AccountId<N>
    token: string
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<TokenHolding | undefined>
  /** Resolves to the name and image for `address`. On eip155, they are read from ENS. */
  identity?(parameters: {
    address: string
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<Identity>
  /**
   * Resolves to the address on `network` that a name resolves to, or to `undefined` if the name is not registered or has no address
   * there. On eip155, names are read from ENS, except on test networks.
   */
  resolveName?(parameters: {
    name: string
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<string | undefined>
  /** Resolves to the checksummed form of an address (EIP-55). Absent if addresses have no checksum. */
  checksumAddress?(address: string): Promise<string>
  /**
   * Resolves to the fee of sending `amount` base units of the network's currency, or of `token`. Rejects with `send/would-fail` if
   * the network would not execute the transfer. `account` is the sender.
   */
  transferFee?(parameters: {
    account: AccountId<N>
    to: string
    amount: bigint
    token?: string
    /**
     * The decimal places for which `amount` was computed. If the token's contract reports a different number, `transferFee` rejects
     * with `send/would-fail`.
     */
    decimals?: number
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<TransferFee>
  /** Resolves to whether the address belongs to a contract or program instead of a key. */
  isContract?(parameters: {
    address: string
    network: Network<N>
    session?: Session<N>
    fetch?: typeof fetch
    signal: AbortSignal
  }): Promise<boolean>
}

/** A way to connect to one wallet in the current environment. */
export interface Connector<N extends Namespace = Namespace> {
  /** The connector's ID, which is unique within its namespace. For announced wallets, it is usually the rdns. */
  readonly id: string
  /** The display name that the wallet reports or the host configures. Wallets can spoof it. */
  readonly name: string
  /** How the wallet is connected, such as `ANNOUNCED` for EIP-6963 or `WALLET_CONNECT` for pairing. */
  readonly type: ConnectorType
  /** The chain family (a CAIP-2 namespace). A wallet that supports several families has one connector for each. */
  readonly namespace: N
  /** The icon, as a data or https URL that the adapter has validated. */
  readonly icon?: string
  /** The ID of the wallet's image in the wallet directory, displayed if there is no `icon`. */
  readonly imageId?: string
  /** The reverse domain name that the wallet reports (EIP-6963), such as `io.metamask`. Wallets can spoof it. */
  readonly rdns?: string
  /** The wallet's ID in the wallet directory. */
  readonly explorerId?: string
  /** The wallet's website, used as the install link. */
  readonly homepage?: string
  /**
   * Connects the wallet. If `silent` is `true`, restores an earlier session without prompting the user, or rejects with
   * `wallet/not-authorized`. For a silent connection, `chain` is the session's last network, which some wallets do not store.
   */
  connect(parameters: { chain?: ChainId<N>; silent?: boolean; signal: AbortSignal }): Promise<Session<N>>
}

/** Events that a session emits. */
export interface SessionEvents<N extends Namespace = Namespace> {
  /** The user selected a different account or changed which accounts are exposed. The first account is active. */
  accounts: readonly [AccountId<N>, ...AccountId<N>[]]
  /** The wallet switched to this chain. The session's accounts are now on this chain, too. */
  chain: ChainId<N>
  /** The wallet stopped responding (`silent`), or responds again (`ok`). */
  health: 'ok' | 'silent'
  /** A transaction was sent through the session, so balances can change soon. */
  sent: undefined
  /** The wallet ended the session. The session can no longer be used. */
  disconnect: undefined
}

/** Details about an account. Values that the wallet does not provide are absent. */
export interface AccountDetails {
  /** The account type: `eoa` for an account owned by a key or `smartAccount` for an ERC-4337 account. Embedded wallet only. */
  readonly type?: string | undefined
  /** The public key in the chain family's usual encoding, such as base58 on Solana. */
  readonly publicKey?: string | undefined
  /** The account type in each namespace. Embedded wallet only. */
  readonly preferredAccountTypes?: Readonly<Partial<Record<Namespace, string>>> | undefined
}

/** An open connection to a wallet. All signing goes through a session. */
export interface Session<N extends Namespace = Namespace> {
  /** The connector that opened the session. */
  readonly connector: Connector<N>
  /** The wallet's current accounts. The first account is active. */
  readonly accounts: readonly [AccountId<N>, ...AccountId<N>[]]
  /** The wallet's current chain (CAIP-2), which is not necessarily one of the host's networks. */
  readonly chain: ChainId<N>
  /** Details about the first account. They change along with the accounts. */
  readonly details?: AccountDetails | undefined
  /** The operations that the wallet supports. Check that an operation exists before you use it: `session.can.send?.(…)`. */
  readonly can: SessionCapabilities<N>
  /** The provider, for use with the host's own library. On eip155, this is an EIP-1193 provider. */
  readonly provider: unknown
  /** Calls `listener` on each event. Returns a function that removes the listener. */
  on<Event extends keyof SessionEvents<N>>(event: Event, listener: (value: SessionEvents<N>[Event]) => void): () => void
  /** Checks whether the wallet responds, and emits `health` if the result has changed. */
  ping(): Promise<void>
  /** Ends the session without emitting events. On eip155, the page's permission is revoked by default (EIP-2255). */
  disconnect(): Promise<void>
}

/** The operations that a session supports. An operation is absent if the wallet does not support it, and the UI omits it. */
export interface SessionCapabilities<N extends Namespace = Namespace> {
  /**
   * Signs a message. Resolves to the signature, which is an EIP-191 signature on eip155 and the JSON of an ADR-36 signature on
   * cosmos. Rejects with a `LatchkeyError`.
   */
  signMessage?(parameters: { account: AccountId<N>; message: Uint8Array }): Promise<Uint8Array>
  /**
   * Sends `amount` base units of the native currency, or of `token` if specified. With `from`, rejects with `send/changed` unless
   * this is the active account, on the active chain. `decimals` are the token's decimal places for which `amount` was computed.
   * Tokens on solana require them, and the network rejects the transfer if they are wrong. With `maxWithheld`, rejects with
   * `send/would-fail` if the token would withhold more of the amount. Only on solana (Token-2022).
   */
  send?(parameters: {
    to: string
    amount: bigint
    token?: string
    decimals?: number
    maxWithheld?: bigint
    from?: AccountId<N>
  }): Promise<{ hash: string }>
  /**
   * Sends a transaction with any calldata, such as a swap. `value` is in base units of the native currency, and `data` is hex.
   * Rejects with `network/unsupported` if the wallet has switched from the chain of `account`, and with `wallet/not-authorized` if
   * `account` is no longer the active account. Only on eip155.
   */
  sendTransaction?(parameters: {
    account: AccountId<N>
    to: string
    data?: string
    value?: bigint
    /** The gas limit. By default, the wallet estimates it. */
    gas?: bigint
  }): Promise<{ hash: string }>
  /**
   * Replaces a pending transaction of `account`, which is an EOA, with the same one at a higher fee or, with `cancels`, with a zero
   * payment to the sender. Both have the same nonce, so only one of them is executed. Rejects with `send/not-pending` if the
   * transaction is not pending, and with `send/not-verified` if the node returns a different one. Absent in wallets that choose the
   * nonce themselves, where the new transaction would be a second one.
   */
  replaceTransaction?(parameters: { account: AccountId<N>; hash: string; cancels: boolean }): Promise<{ hash: string }>
  /** Switches to `network` (EIP-3326). If the wallet does not have the network, adds it first (EIP-3085). */
  switchChain?(network: Network<N>): Promise<void>
  /** Resolves to the active account's EIP-5792 capabilities by hex chain ID, or to `{}` if the wallet reports none. */
  capabilities?(): Promise<Readonly<Record<string, unknown>>>
}

/** A connector for several chain families, such as WalletConnect. It creates one `Connector` per adapter. */
export interface MultichainConnector {
  /** The `id` that all of its connectors have, such as `walletConnect`. */
  readonly id: string
  /**
   * Attaches this connector to an instance. Returns a function that detaches it. Called on start, before `connectorFor`. If the
   * connector provides `pairing`, `attach` can also be called later, but before the first call to `pairing` or to a connector's
   * `connect`.
   */
  attach?(host: ConnectorContext): () => void
  /** Returns the connector for the adapter's chain family, or `undefined` if the family is not supported. */
  connectorFor(adapter: Adapter): Connector | undefined
  /** Loads the embedded wallet's login client, if this connector has one. This does not load the frame. */
  wallet?(): Promise<EmbeddedWalletClient>
  /** Loads the pairing provider for remote wallets, if this connector has one and a relay is configured. */
  pairing?(): Promise<PairingProvider>
  /** Loads the announcer that offers this wallet to other kits on the page, if the host enabled it. Called on start. */
  readonly announcer?: (() => Promise<WalletAnnouncer>) | undefined
}

/** Announces a wallet to other kits on the page (EIP-6963, Wallet Standard). */
export interface WalletAnnouncer {
  /** Announces the wallet until the returned function is called. Kits do not list a wallet twice if it is announced again. */
  start(wallet: AnnouncedWallet): () => void
  /** Whether `provider` is the announced provider. Compares object identity, because names and rdns can be spoofed. */
  isOwn(provider: unknown): boolean
}

/** This instance's wallet, as exposed to other kits on the page. */
export interface AnnouncedWallet {
  /** Returns the host's chains in `namespace`, with the preferred chain first, or `[]` if the wallet is not available there. */
  chains(namespace: Namespace): readonly ChainId[]
  /** Returns the wallet's session in `namespace`, even if a different wallet is active. */
  session(namespace: Namespace): AnnouncedSession | undefined
  /** Calls `listener` when a session might have been added, changed or removed. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
  /**
   * Waits until the stored session, if any, has been restored. If there is still no session, opens the modal so that the user can
   * log in, unless `silent` is `true`. Rejects with the EIP-1193 code 4001 if the user closes the modal.
   */
  connect(parameters: { namespace: Namespace; silent: boolean | undefined }): Promise<void>
  /** Ends the wallet's sessions, like "Disconnect" in the modal. */
  leave(): Promise<null>
}

/** The part of a session that is exposed to other kits. */
export interface AnnouncedSession {
  /** The addresses on `chain`, without the chain prefix. The active address is first. */
  readonly addresses: readonly string[]
  /** The current chain (CAIP-2). */
  readonly chain: ChainId
  /** The session's `provider`. */
  readonly provider: unknown
}

/** A pairing that is waiting for a wallet. */
export interface PairingUri {
  /**
   * The pairing URI. It is a secret, because anyone who has it can respond in place of the wallet. Use it only in a QR code or in
   * the wallet's own link.
   */
  readonly uri: string
  /** When the pairing expires, in epoch milliseconds. */
  readonly expiresAt: number
}

/** The sign-in message that a wallet signs while it connects (CAIP-222). The account is not known in advance. */
export interface AuthenticateRequest extends Omit<SignInFields, 'accountAddress' | 'chainId' | 'issuedAt' | 'version'> {
  /** The chains that the wallet can sign in on, with the preferred chain first. */
  readonly chains: readonly [ChainId<'eip155'>, ...ChainId<'eip155'>[]]
  /** The time at which the message was created, in ISO 8601. Unlike in `SignInFields`, it is required, as in EIP-4361. */
  readonly issuedAt: string
}

/** A sign-in message that a wallet signed while it connected. It has not been verified. */
export interface SignedCacao {
  /** The CAIP-10 account that the wallet reports as the signer. */
  readonly account: AccountId<'eip155'>
  /** The signed message, including the statement about the requested permissions (ERC-5573). */
  readonly message: string
  /** The signature for `message` in hex, from a key (EIP-191) or a contract (ERC-1271). */
  readonly signature: string
  /** The signed fields as reported by the wallet. */
  readonly fields: Omit<SignInFields, 'accountAddress' | 'chainId' | 'version'> & Partial<Pick<SignInFields, 'version'>>
  /** The original CACAO (CAIP-74). */
  readonly cacao: unknown
}

/** The result of a pairing. The next `connect()` call on each namespace's connector uses it. */
export interface PairingResult {
  /** The requested namespaces that the wallet supports. */
  readonly namespaces: readonly [Namespace, ...Namespace[]]
  /** The wallet's description of itself. It has not been verified. */
  readonly wallet: { readonly name: string; readonly url: string; readonly icon?: string }
  /** The signed sign-in messages, if a sign-in was requested. Empty if the wallet only connected. */
  readonly signed: readonly SignedCacao[]
  /** Ends the new session. */
  disconnect(): Promise<void>
}

/** Pairs this page with remote wallets. */
export interface PairingProvider {
  /**
   * Offers a pairing for all namespaces and waits until a wallet connects. Rejects with `user/rejected`, `pairing/expired`,
   * `request/aborted` or the relay's error.
   */
  pair(parameters: {
    readonly signal: AbortSignal
    onUri(offer: PairingUri): void
    readonly signIn?: AuthenticateRequest
  }): Promise<PairingResult>
}

/** A value that persists across page loads. */
export interface StoredValue<T> {
  /** Returns the stored value, or `undefined` if it is missing, invalid or inaccessible. */
  get(): T | undefined
  /** Stores `value`. Does not throw storage errors. */
  set(value: T): void
  /** Removes the value. Does not throw storage errors. */
  clear(): void
}

/** The embedded wallet's stored login records. */
export interface LoginRecords {
  /** `'true'` while a user is logged in with any method. If it is missing, no login is restored. */
  readonly emailUsed: StoredValue<'true'>
  /** The logged-in user's email address, if the frame reported it. */
  readonly email: StoredValue<string>
  /** The user's name at the social login provider, if the frame reported it. */
  readonly socialUsername: StoredValue<string>
  /** The chain of the last login: the numeric chain ID on eip155, or the CAIP-2 chain ID on other chain families. */
  readonly lastChain: StoredValue<string>
  /** When a login email was last requested, in epoch milliseconds. Cleared once the user is logged in. */
  readonly lastEmailLoginTime: StoredValue<number>
  /** The provider that the user logged in with, such as `google`. Missing after other kinds of login. */
  readonly connectedSocial: StoredValue<string>
  /** The provider to which the page redirected the user. Cleared when the user returns. */
  readonly leavingSocial: StoredValue<string>
  /** The networks that support smart accounts, as CAIP-2 references such as `137`. The frame reports them. */
  readonly smartAccountNetworks: StoredValue<readonly string[]>
  /** The account type that the user chose in each namespace: `eoa` or `smartAccount`. */
  readonly accountTypes: StoredValue<Readonly<Partial<Record<Namespace, string>>>>
}

/**
 * The sign-in message that the embedded wallet signs during login. It contains the placeholder `<<AccountAddress>>`, which the
 * frame replaces with the account's address.
 */
export interface SignInOnLogin {
  /** The message's fields, with the placeholder as `accountAddress`. */
  readonly fields: SignInFields
  /** The message text, with the placeholder in place of the address. */
  readonly message: string
  /**
   * Verifies and stores the signed message. Only the first call has an effect. Rejects if the message is not the requested one.
   * A user who is still not signed in afterwards is prompted as usual.
   */
  keep(signed: { readonly address: string; readonly message: string; readonly signature: string }): Promise<void>
}

/** The parts of the Latchkey instance that multichain connectors can use. */
export interface ConnectorContext {
  /** The instance's clock. Use it for the time and for timers, so that tests can control them. */
  readonly clock: Clock
  /** The host's `fetch` function, or the page's if the host provides none. */
  readonly fetch: typeof fetch
  /** The instance's log. */
  readonly log: Log
  /** The stored login records. They are empty if storage is not available. */
  readonly records: LoginRecords
  /** Returns the page's metadata. */
  dapp(): DappData
  /** Returns the current theme. */
  theme(): ThemeData
  /**
   * Calls `listener` when the theme changes or, in the mode `system`, when the page's color scheme changes. Returns a function
   * that removes the listener.
   */
  onTheme(listener: () => void): () => void
  /** Returns the active network in `namespace`, or else the first network in `namespace`. */
  network(namespace?: Namespace): Network | undefined
  /** Returns the account type for `namespace`: the user's choice, or else the host's default, or else the built-in default. */
  accountType(namespace: Namespace): string
  /**
   * Reports that the frame displays an approval. An open modal shows the approval view and cannot be closed until the returned
   * function is called. `onForceClose` is called if the modal is force-closed before then.
   */
  showApproval(requestId: string, onForceClose: () => void): () => void
  /** Reports a request that the user must approve in a remote wallet. If a link opened the wallet app before, reopens the app. */
  waiting(parameters: { readonly requestId: number; readonly topic: string }): void
  /**
   * Creates a sign-in message for the embedded wallet to sign during login. Resolves to `undefined` if sign-in is off, `chain` is
   * not an EVM chain, or the message does not contain the address exactly once on a separate line.
   */
  signInOnLogin(chain: ChainId): Promise<SignInOnLogin | undefined>
  /** Reports the social logins that the frame supports on this page, including Farcaster. */
  socials(providers: readonly string[]): void
  /**
   * Reports an error to the page's developer, for example if the frame timed out, the relay or the frame rejected this page, or
   * the page requested a method that the embedded wallet does not support.
   */
  report(
    what: 'iframe_load_failed' | 'iframe_request_timeout' | 'relay_refused' | 'unverified_domain' | 'rpc_not_allowed',
    error: LatchkeyError,
  ): void
}

/** The embedded wallet's login client. */
export interface EmbeddedWalletClient {
  /** The origin of the frame and its popup pages. */
  readonly origin: string
  /** Resolves when the frame is loaded and initialized. Calls `late` if this takes so long that the user should be notified. */
  initialised(signal?: AbortSignal, late?: () => void): Promise<void>
  /** Sends a request to the frame and resolves to its response. If `quiet` is `true`, a timeout is not reported. */
  request<Name extends MethodName>(
    name: Name,
    payload: MethodParams<Name>,
    options?: { readonly signal?: AbortSignal; readonly quiet?: boolean },
  ): Promise<MethodResult<Name>>
  /** Sends a message without waiting for the response. */
  notify<Name extends MethodName>(name: Name, payload: MethodParams<Name>): void
  /**
   * Whether the frame communicates with the popup directly. If so, `connectSocial` is called with the popup's URL and resolves
   * once the user has returned. Otherwise, the popup posts its result to this page, which passes it to `connectSocial`.
   */
  readonly waitsForPopup: boolean
  /** Logs in with the result from the popup. The next `connect()` call uses this login. */
  connectSocial(uri: string, options?: { readonly signal?: AbortSignal; readonly quiet?: boolean }): Promise<void>
  /**
   * Displays the frame, from which the user opens a window to log in with a provider. Resolves to the provider that the user
   * logged in with, or to `undefined` if the user continued with an existing session. Defined only once the frame has reported
   * that it is on a cross-site page, where other social logins do not work.
   */
  readonly connectInWindow:
    | ((provider: SocialName, options: { readonly signal: AbortSignal }) => Promise<SocialName | undefined>)
    | undefined
  /** Logs in or signs up with a passkey. Rejects if the frame does not support passkeys. */
  connectPasskey(options?: { readonly signal?: AbortSignal }): Promise<void>
  /** The URL of the page where users manage their keys. `undefined` if the frame has not reported one. */
  readonly walletPage: string | undefined
  /** Resolves to whether the user would lose access to the account by losing a single key, according to the frame. */
  hasSingleKey(): Promise<boolean>
  /** Requests an account type, and updates the session. Resolves to the account type that is now in use. */
  setAccountType(namespace: Namespace, type: WireAccountType): Promise<WireAccountType>
}
