import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { OnrampProviderName } from '@latchkey/protocol/http/chainApi'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { Adapter, MultichainConnector } from './adapter.ts'
import type { LogLevel } from './lib/log.ts'
import type { AuthenticationAdapter } from './signIn/signInTypes.ts'
import type { SwapExchange } from './swap/trustedExchanges.ts'

/** Metadata about the host app. Missing values are read from the page on `start()`. */
export interface Metadata {
  /** The app's name, which wallets display. Default: the page's title. */
  readonly name: string
  /** A short description, which wallets display. Default: the page's `<meta name="description">`. */
  readonly description?: string
  /** The app's URL, which wallets display. Default: the page's origin. */
  readonly url?: string
  /** The absolute URLs of the app's icons, which wallets display. Default: the page's `<link rel="icon">`. */
  readonly icons?: readonly string[]
}

/** A way to connect, for `connectMethodsOrder`. */
export type ConnectMethod = 'wallet' | 'email' | 'social'

/** A social login provider that the embedded wallet supports. */
export type SocialProvider = 'google' | 'x' | 'discord' | 'farcaster' | 'github' | 'apple' | 'facebook'

/** An action of the account view, for `walletFeaturesOrder`. */
export type WalletFeature = 'onramp' | 'swaps' | 'receive' | 'send'

/** Feature flags for the modal. An enabled feature is displayed only if it is available. */
export interface Features {
  /** Whether users can buy tokens, or the providers to offer, in display order. The server must have them. Default: `true`. */
  readonly onramp?: readonly OnrampProviderName[] | boolean
  /** Whether users can swap tokens, on networks with an exchange. Default: `true`. */
  readonly swaps?: boolean
  /** Whether users can open a view with the account's address. Default: `true`. */
  readonly receive?: boolean
  /** Whether users can send tokens, on eip155 and solana. Default: `true`. */
  readonly send?: boolean
  /** Whether to show the account's transactions, on eip155. Default: `true`. */
  readonly history?: boolean
  /** Reserved. There is no such feature in this version, so it can only be `false`. */
  readonly pay?: false
  /** Whether to offer login by email. Default: `true`. */
  readonly email?: boolean
  /** Whether to offer login with a passkey, which requires the Latchkey frame as the embedded wallet. Default: `false`. */
  readonly passkey?: boolean
  /** The social logins to offer, in display order, or `false` to offer none. Default: all seven. */
  readonly socials?: readonly SocialProvider[] | false
  /** Whether to send analytics, which requires `server`. Nothing is sent until the user opens the modal. Default: `true`. */
  readonly analytics?: boolean
  /** Whether to offer the list of all wallets. `only-mobile` offers it only on mobile. Default: `true`. */
  readonly allWallets?: boolean | 'only-mobile'
  /** Whether users must accept the terms and privacy policy before they connect. Default: `false`. */
  readonly legalCheckbox?: boolean
  /** Whether to offer smart sessions. Default: `false`. */
  readonly smartSessions?: boolean
  /** Whether to display a single "continue with a wallet" row instead of the wallet list. Default: `false`. */
  readonly collapseWallets?: boolean
}

/** A key-value store that replaces localStorage. */
export interface KeyValueStorage {
  /** Returns the value stored under `key`, or `null`. Like `Storage.getItem`, it can throw. */
  getItem(key: string): string | null
  /** Stores `value` under `key`. Like `Storage.setItem`, it throws if the storage is full. */
  setItem(key: string, value: string): void
  /** Removes the value stored under `key`, if any. */
  removeItem(key: string): void
}

/** Configuration options. All of them are optional. */
export interface LatchkeyOptions {
  /** The ID of a second instance on the page, which is appended to every storage prefix. Default: none. */
  readonly id?: string
  /** The app's name, URL and icons, which wallets display. Default: read from the page. */
  readonly app?: Metadata
  /** The base URL of a Latchkey server. Required for the directory, analytics and the chain API. Default: none. */
  readonly server?: string
  /** The project ID on the server. Without a project ID, the server is not used, and an alert is logged. Default: none. */
  readonly projectId?: string
  /** One adapter for each chain family, such as `evm()`. Default: none. */
  readonly adapters?: readonly Adapter[]
  /** The connectors for several chain families: `walletConnect()` and `embedded()`. Default: none. */
  readonly wallets?: readonly MultichainConnector[]
  /** The initial network for new users. Default: the first network. */
  readonly defaultNetwork?: ChainId
  /** Feature flags for the modal. */
  readonly features?: Features
  /** The order of the connect methods. By default, `wallet` is first if a wallet was discovered, and last otherwise. */
  readonly connectMethodsOrder?: readonly ConnectMethod[]
  /** The order of the account view's actions. Actions that are not listed are last. Default: onramp, swaps, receive, send. */
  readonly walletFeaturesOrder?: readonly WalletFeature[]
  /**
   * The exchanges whose contracts you trust, by chain, in addition to Uniswap's. Swaps through other contracts, which the server
   * can choose, need the user's explicit confirmation. Default: none.
   */
  readonly swapExchanges?: Readonly<Record<ChainId, SwapExchange>>
  /** The directory IDs of the wallets to list. Default: all wallets. */
  readonly includeWalletIds?: readonly string[]
  /** The directory IDs of wallets to exclude. Discovered wallets with the same name or rdns are hidden, too. Default: none. */
  readonly excludeWalletIds?: readonly string[]
  /** The directory IDs of the wallets to list first, in display order. Default: none. */
  readonly featuredWalletIds?: readonly string[]
  /** Custom wallets to list in addition to the directory's wallets. Default: none. */
  readonly customWallets?: readonly Wallet[]
  /** The URL of the terms of service, linked in the legal notice or next to the legal checkbox. Default: none. */
  readonly termsUrl?: string
  /** The URL of the privacy policy, linked in the legal notice or next to the legal checkbox. Default: none. */
  readonly privacyUrl?: string
  /**
   * The theme of the modal and buttons. `system` follows the page's `color-scheme` or its class `dark` or `light`, or else the
   * operating system. Default: `system`.
   */
  readonly themeMode?: 'light' | 'dark' | 'system'
  /**
   * CSS custom properties for the modal and buttons, without the `--latchkey-` prefix, such as `{ accent: '#0a7' }`. The names
   * are accent, on-accent, accent-text, font, radius, hue, surface, fill, fill-hover, field, line, line-strong, text, text-soft,
   * success, warning, danger, focus, backdrop, shadow, density, width and z.
   */
  readonly themeVariables?: Readonly<Record<string, string>>
  /** The default account types. Default: `smartAccount` on eip155, `eoa` on solana and polkadot, and `payment` on bip122. */
  readonly defaultAccountTypes?: Partial<Readonly<Record<Namespace, string>>>
  /** Whether users sign in after connecting. Default: `off`. */
  readonly signIn?: 'required' | 'optional' | 'off'
  /** Creates sign-in messages, verifies signed messages and stores sessions. Default: uses `server` with a session cookie. */
  readonly authentication?: AuthenticationAdapter
  /** Whether to display alerts for developers on the page. Default: `false`. */
  readonly debug?: boolean
  /** Whether to render the modal inline in the page. Default: `false`. */
  readonly embedded?: boolean
  /** Whether the host controls WalletConnect itself. Default: `false`. */
  readonly manualWalletConnect?: boolean
  /** Whether to prefer universal links over custom URL schemes on mobile. Default: `true`. */
  readonly universalLinks?: boolean
  /** Whether to restore the last session on `start()`. Default: `true`. */
  readonly reconnect?: boolean
  /** Whether users can stay on a network that the host does not support. If not, UnsupportedChain opens. Default: `false`. */
  readonly allowUnsupportedNetwork?: boolean
  /** Whether users can switch networks. Default: `true`. */
  readonly networkSwitching?: boolean
  /** Whether several wallets can be connected. ProfileWallets lists them. Default: `false`. */
  readonly multiWallet?: boolean
  /** Whether to write the state cookie that `initialState()` reads on a server. Default: `false`. */
  readonly cookie?: boolean
  /** The state with which the server rendered the page. See `initialState()`. */
  readonly initialState?: InitialState | undefined
  /** The storage. Default: localStorage, if available. */
  readonly storage?: KeyValueStorage
  /** The clock, which tests can replace. Default: the system clock. */
  readonly clock?: Clock
  /** The `fetch` function for all requests, except reads through your own transports. Default: the page's `fetch`. */
  readonly fetch?: typeof fetch
  /** The platform. Default: detected on `start()`. */
  readonly platform?: 'desktop' | 'mobile'
  /** An alternative URL for the server, tried first in time zones where the main URL can be hard to reach. Default: none. */
  readonly serverAlternative?: string
  /** The URL to which analytics events are sent. Default: `server`. */
  readonly analyticsUrl?: string
  /** The minimum level for console output. Default: `error`. */
  readonly logLevel?: LogLevel
}

/** The contents of the opt-in state cookie, which are the connected account and chain. The cookie contains no secrets. */
export interface InitialState {
  /** The chain family of `chain`, which is a CAIP-2 namespace. */
  readonly namespace: Namespace
  /** The address, without the chain ID. It does not prove the user's identity, because anyone can set the cookie. */
  readonly address: string
  /** The wallet's last chain (CAIP-2), such as `eip155:1`. */
  readonly chain: ChainId
}
