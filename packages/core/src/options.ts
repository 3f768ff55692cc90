import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { Wallet } from '@latchkey/protocol/http/contract'
import type { Adapter, MultichainConnector } from './adapter.ts'
import type { LogLevel } from './lib/log.ts'
import type { AuthenticationAdapter } from './signIn/signIn.ts'

/** What the host says about itself. Missing parts are read from the page at `start()`. */
export interface Metadata {
  readonly name: string
  readonly description?: string
  readonly url?: string
  readonly icons?: readonly string[]
}

/** A way of connecting, for `connectMethodsOrder`. */
export type ConnectMethod = 'wallet' | 'email' | 'social'

/** A social provider of the embedded wallet. */
export type SocialProvider = 'google' | 'x' | 'discord' | 'farcaster' | 'github' | 'apple' | 'facebook'

/** Switches for parts of the modal; each default is in brackets. What is on shows only where it can work. */
export interface Features {
  /** [true] */ readonly receive?: boolean
  /** [true] */ readonly email?: boolean
  /** [false] A passkey as a way in, where the embedded wallet's frame is one of ours. */ readonly passkey?: boolean
  /** [all seven] */ readonly socials?: readonly SocialProvider[] | false
  /** [true] Sends nothing without `server`, nor before the first click. */ readonly analytics?: boolean
  /** [true] */ readonly allWallets?: boolean | 'only-mobile'
  /** [false] Consent to terms and privacy before any way of connecting. */ readonly legalCheckbox?: boolean
  /** [false] */ readonly smartSessions?: boolean
  /** [false] One "continue with a wallet" row in place of the wallet list. */ readonly collapseWallets?: boolean
}

/** Where a name takes the part of localStorage. */
export interface KeyValueStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Everything a host may say. All of it is optional. */
export interface LatchkeyOptions {
  /** Names a second instance on one page; stands after every storage prefix. [none] */
  readonly id?: string
  readonly app?: Metadata
  /** Base URL of a Latchkey server. Without it there is no directory, no analytics, no chain API. [none] */
  readonly server?: string
  /** The project's id at that server; without one the server stays off (alert in debug). [none] */
  readonly projectId?: string
  readonly adapters?: readonly Adapter[]
  /** Bridges over several families: `walletConnect()`, `embedded()`. */
  readonly wallets?: readonly MultichainConnector[]
  /** The network a new visitor starts on. [the first] */
  readonly defaultNetwork?: ChainId
  readonly features?: Features
  /** The ways to connect, first one first. [wallet, email, social with a wallet here; else email, social, wallet] */
  readonly connectMethodsOrder?: readonly ConnectMethod[]
  /** Directory ids; the only ones listed when given. */
  readonly includeWalletIds?: readonly string[]
  readonly excludeWalletIds?: readonly string[]
  /** Listed first, in this order. */
  readonly featuredWalletIds?: readonly string[]
  /** Wallets of the host's own, beside the directory's. */
  readonly customWallets?: readonly Wallet[]
  readonly termsUrl?: string
  readonly privacyUrl?: string
  /** Of the modal and the buttons. `system`: as the page says by `color-scheme` or a class `dark` or `light`, else the operating system. [system] */
  readonly themeMode?: 'light' | 'dark' | 'system'
  /**
   * Custom properties of the modal and the buttons, without their `--latchkey-`, e.g. `{ accent: '#0a7' }`: accent, on-accent, accent-text,
   * font, radius, hue, surface, fill, fill-hover, field, line, line-strong, text, text-soft, success, warning, danger, focus, backdrop,
   * shadow, density, width, z.
   */
  readonly themeVariables?: Readonly<Record<string, string>>
  /** [eip155 smartAccount, solana eoa, polkadot eoa, bip122 payment] */
  readonly defaultAccountTypes?: Partial<Readonly<Record<Namespace, string>>>
  /** Whether sign-in follows connecting. [off] */
  readonly signIn?: 'required' | 'optional' | 'off'
  /** Who gives a sign-in its words, checks what was signed and keeps it. [that of `server`, by cookie] */
  readonly signInKeeper?: AuthenticationAdapter
  /** Alerts on screen, long messages on the console. [false] */
  readonly debug?: boolean
  /** Draw the modal in the page's flow. [false] */
  readonly embedded?: boolean
  /** The host drives WalletConnect itself. [false] */
  readonly manualWalletConnect?: boolean
  /** Prefer universal links over schemes on phones. [true] */
  readonly universalLinks?: boolean
  /** Restore the last session on `start()`. [true] */
  readonly reconnect?: boolean
  /** Stay on a network that the host did not name. [false: UnsupportedChain opens] */
  readonly allowUnsupportedNetwork?: boolean
  /** Let the visitor change network. [true] */
  readonly networkSwitching?: boolean
  /** [false] Several wallets at once, listed in ProfileWallets. */
  readonly multiWallet?: boolean
  /** Write the state cookie that `initialState()` reads on a server. [false] */
  readonly cookie?: boolean
  /** What a server rendered with; see `initialState()`. */
  readonly initialState?: InitialState | undefined
  /** [localStorage where there is one] */
  readonly storage?: KeyValueStorage
  /** [the real one] For tests. */
  readonly clock?: Clock
  /** [the page's own] Every request of the page side goes through it, also reads of the chains' nodes (but for transports of your own). */
  readonly fetch?: typeof fetch
  /** [asked of the browser at `start()`] */
  readonly platform?: 'desktop' | 'mobile'
  /** A second address of the same server, tried first where the first is known to be hard to reach. [none] */
  readonly serverAlternative?: string
  /** Where analytics events go. [`server`] */
  readonly analyticsUrl?: string
  /** What reaches the console. [error] */
  readonly logLevel?: LogLevel
}

/** What the opt-in cookie tells a server: who was connected, where. No secret. */
export interface InitialState {
  readonly namespace: Namespace
  readonly address: string
  readonly chain: ChainId
}
