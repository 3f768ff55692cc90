import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { Wallet } from '@latchkey/protocol/http/apiRoutes'
import type { Adapter, MultichainConnector } from './adapter.ts'
import type { LogLevel } from './lib/log.ts'
import type { AuthenticationAdapter } from './signIn/signInTypes.ts'

/** Metadata of the host app. Missing values are read from the page on `start()`. */
export interface Metadata {
  /** The app's name, as wallets display it. [the page's title] */
  readonly name: string
  /** A short description for wallets. [the page's `<meta name="description">`] */
  readonly description?: string
  /** The app's URL, as wallets display it. [the page's origin] */
  readonly url?: string
  /** Absolute URLs of the app's icon, for wallets. [the page's `<link rel="icon">`] */
  readonly icons?: readonly string[]
}

/** A way to connect, for `connectMethodsOrder`. */
export type ConnectMethod = 'wallet' | 'email' | 'social'

/** A social provider that the embedded wallet supports. */
export type SocialProvider = 'google' | 'x' | 'discord' | 'farcaster' | 'github' | 'apple' | 'facebook'

/** Feature flags of the modal, with defaults in brackets. An enabled feature is shown only if it is available. */
export interface Features {
  /** [true] */ readonly receive?: boolean
  /** [true] */ readonly email?: boolean
  /** [false] Passkey login. Requires the Latchkey frame as the embedded wallet. */ readonly passkey?: boolean
  /** [all seven] */ readonly socials?: readonly SocialProvider[] | false
  /** [true] Nothing is sent without `server`, or before the first click. */ readonly analytics?: boolean
  /** [true] */ readonly allWallets?: boolean | 'only-mobile'
  /** [false] Require consent to the terms and privacy policy before connecting. */ readonly legalCheckbox?: boolean
  /** [false] */ readonly smartSessions?: boolean
  /** [false] Show a single "continue with a wallet" row instead of the wallet list. */ readonly collapseWallets?: boolean
}

/** A key-value store that replaces localStorage. */
export interface KeyValueStorage {
  /** Returns the value stored under `key`, or `null`. Like `Storage.getItem`, it can throw. */
  getItem(key: string): string | null
  /** Stores `value` under `key`. Like `Storage.setItem`, it throws if the storage is full. */
  setItem(key: string, value: string): void
  /** Removes the value stored under `key`. Does nothing if there is none. */
  removeItem(key: string): void
}

/** Configuration options. All are optional. */
export interface LatchkeyOptions {
  /** The id of a second instance on a page. Appended to every storage prefix. [none] */
  readonly id?: string
  /** The app's name, URL and icon, as wallets display them. [read from the page] */
  readonly app?: Metadata
  /** Base URL of a Latchkey server. Required for the directory, analytics and the chain API. [none] */
  readonly server?: string
  /** The project ID at that server. The server is not used without it (alert in debug mode). [none] */
  readonly projectId?: string
  /** One adapter for each chain family, such as `evm()`. [none] */
  readonly adapters?: readonly Adapter[]
  /** Connectors for several chain families: `walletConnect()`, `embedded()`. */
  readonly wallets?: readonly MultichainConnector[]
  /** The initial network for new users. [the first] */
  readonly defaultNetwork?: ChainId
  /** Feature flags of the modal. [the defaults of `Features`] */
  readonly features?: Features
  /** The order of the connect methods. [wallet, email, social if a wallet was discovered, else email, social, wallet] */
  readonly connectMethodsOrder?: readonly ConnectMethod[]
  /** Directory IDs. If given, only these wallets are listed. */
  readonly includeWalletIds?: readonly string[]
  /** Directory IDs. These wallets are not listed, and discovered wallets with the same name or rdns are hidden. [none] */
  readonly excludeWalletIds?: readonly string[]
  /** Listed first, in this order. */
  readonly featuredWalletIds?: readonly string[]
  /** Custom wallets, in addition to those of the directory. */
  readonly customWallets?: readonly Wallet[]
  /** URL of the terms of service, linked in the legal notice or beside the checkbox of `legalCheckbox`. [none] */
  readonly termsUrl?: string
  /** URL of the privacy policy, linked in the legal notice or beside the checkbox of `legalCheckbox`. [none] */
  readonly privacyUrl?: string
  /** The theme of the modal and buttons. `system` follows the page's `color-scheme` or its class `dark` or `light`, else the operating system. [system] */
  readonly themeMode?: 'light' | 'dark' | 'system'
  /**
   * Custom properties of the modal and buttons, without the `--latchkey-` prefix, e.g. `{ accent: '#0a7' }`: accent, on-accent, accent-text,
   * font, radius, hue, surface, fill, fill-hover, field, line, line-strong, text, text-soft, success, warning, danger, focus, backdrop,
   * shadow, density, width, z.
   */
  readonly themeVariables?: Readonly<Record<string, string>>
  /** [eip155 smartAccount, solana eoa, polkadot eoa, bip122 payment] */
  readonly defaultAccountTypes?: Partial<Readonly<Record<Namespace, string>>>
  /** Whether users sign in after connecting. [off] */
  readonly signIn?: 'required' | 'optional' | 'off'
  /** Creates sign-in messages, verifies signed messages and stores the sessions. [the adapter of `server`, with a cookie] */
  readonly authentication?: AuthenticationAdapter
  /** Displays alerts and logs detailed messages to the console. [false] */
  readonly debug?: boolean
  /** Renders the modal inline in the page. [false] */
  readonly embedded?: boolean
  /** The host controls WalletConnect itself. [false] */
  readonly manualWalletConnect?: boolean
  /** Prefers universal links over custom URL schemes on mobile. [true] */
  readonly universalLinks?: boolean
  /** Restores the last session on `start()`. [true] */
  readonly reconnect?: boolean
  /** Allows staying on a network that the host does not list. [false: UnsupportedChain opens] */
  readonly allowUnsupportedNetwork?: boolean
  /** Lets the user switch networks. [true] */
  readonly networkSwitching?: boolean
  /** [false] Allows several connected wallets, listed in ProfileWallets. */
  readonly multiWallet?: boolean
  /** Writes the state cookie that `initialState()` reads on a server. [false] */
  readonly cookie?: boolean
  /** The state that the server rendered with. See `initialState()`. */
  readonly initialState?: InitialState | undefined
  /** [localStorage, if available] */
  readonly storage?: KeyValueStorage
  /** [the system clock] For tests. */
  readonly clock?: Clock
  /** [the page's `fetch`] Used for every request made by the page, including reads from chain nodes, except with your own transports. */
  readonly fetch?: typeof fetch
  /** [detected on `start()`] */
  readonly platform?: 'desktop' | 'mobile'
  /** An alternative URL of the same server, tried first if the main URL is known to be hard to reach. [none] */
  readonly serverAlternative?: string
  /** Destination of analytics events. [`server`] */
  readonly analyticsUrl?: string
  /** The log level of the console. [error] */
  readonly logLevel?: LogLevel
}

/** The contents of the opt-in state cookie: the connected account and chain. Contains no secrets. */
export interface InitialState {
  /** The chain family of `chain` (a CAIP-2 namespace). */
  readonly namespace: Namespace
  /** The address without the chain. Anyone can set the cookie, so it is not proof of identity. */
  readonly address: string
  /** The chain that the wallet was on (CAIP-2), such as `eip155:1`. */
  readonly chain: ChainId
}
