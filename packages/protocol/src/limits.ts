/**
 * The business constants of the specification (section 9), each with its row. Every one is a constant of its own, so
 * that a page carries only those that it uses. Times are milliseconds unless the name says otherwise.
 */
import type { Namespace } from './caip.ts'

// --- Waiting -------------------------------------------------------------------------------------------------------

/** How long the secure frame may take to load, before it is reported and given up. */
export const frameLoadTimeoutMs = 20_000
/** How long the frame may take over e-mail, device, code and social requests. */
export const frameRequestTimeoutMs = 30_000
/** How long a sign-out may hold up the visitor. */
export const signOutTimeoutMs = 3_000
/** What the page waits after the frame's ready message before it counts as ready. */
export const frameReadyDelayMs = 500
/** The least time between two e-mail log-ins. */
export const emailThrottleMs = 30_000

/** How long a pairing lives. */
export const pairingExpiryMs = 240_000
/** With less than this left, a pairing counts as expired. */
export const pairingLeastLifeMs = 10_000
/** How many pairings are offered one after the other to somebody who only looks. */
export const pairingRoundsMost = 10
/** The least time between two retries of a pairing. */
export const retryGapMs = 1_000
/** How often a living connection says so. */
export const heartbeatMs = 5_000
/** How often balances and statuses are asked again. */
export const pollMs = 10_000
/** How often a balance is asked again that only a button shows. */
export const idlePollMs = 30_000
/** When a balance is read anew after something was sent: at once, when a fast chain has it, and when the others have. */
export const sentReadsMs: readonly number[] = [0, 2_000, pollMs]
/** How often an open popup is looked at. */
export const popupPollMs = 1_000

/** What images may hold up a list. */
export const imagePreloadMs = 2_000
/** The least time that a search shows itself loading, so that lists do not flicker. */
export const searchLeastMs = 300
/** How long the modal shakes its head. */
export const shakeMs = 500
/** The pause in typing after which a question is asked. */
export const debounceMs = 500
/** How long a promise may stay open when nothing says better. */
export const promiseTimeoutMs = 300_000
/** The pause between two toasts that follow each other. */
export const toastSwapMs = 150

// --- Remembering ---------------------------------------------------------------------------------------------------

/** How long a portfolio is fresh. */
export const portfolioCacheMs = 30_000
/** How long a native balance is fresh. */
export const nativeBalanceCacheMs = 30_000
/** How long an ENS name is fresh. */
export const ensCacheMs = 300_000
/** How long an identity is fresh. */
export const identityCacheMs = 300_000
/** After a failed balance, how long nobody asks again. */
export const balanceRetryGapMs = 30_000
/** How many wallets are remembered as recent. */
export const recentWalletsMost = 2
/** The layout of the web wallet's stored records; a higher one is left alone. */
export const storageVersion = 1

/** How long a visitor's identification is kept, in seconds. */
export const identificationCacheS = 3_600
/** The longest that an operator may keep one, in seconds. */
export const identificationCacheMostS = 86_400
/** How often the identification script is tried. */
export const identificationAttemptsMost = 5
/** The longest pause between two of those tries. */
export const identificationBackoffMostMs = 3_000
/** When identification as a whole is given up: ours, as the specification names no number. */
export const identificationTimeoutMs = 10_000

// --- The directory -------------------------------------------------------------------------------------------------

/** How many featured wallets are asked for when the host names none. */
export const featuredPageSize = 4
/** How many recommended wallets are asked for. */
export const recommendedPageSize = 4
/** How many wallets a page of the list holds. */
export const walletsPageSize = 40
/** How many wallets a search answers with. */
export const searchPageSize = 100
/** Of a page of the list, how many get their images beforehand. */
export const prefetchedImages = 20
/** More than this on one page is refused: ours, against a lying directory and a greedy client. */
export const entriesMost = 500

// --- Signing in ----------------------------------------------------------------------------------------------------

/** How long a nonce may be answered: as long as a code by e-mail, and what hands nonces out says so (5 to 10 min). */
export const signInNonceLifeMs = 600_000
/** How far the clock of a visitor may be ahead of ours when a message says when it was written: ours. */
export const signInSkewMs = 60_000
/** How long a sign-in may say that it lasts; what was stolen later is worth nothing: ours. */
export const signInLifeMostMs = 2_592_000_000
/** How long a sign-in says that it lasts when the host does not: a day, ours. */
export const signInLifeMs = 86_400_000
/** How long a sign-in server may take over one question: ours. */
export const signInRequestMs = 30_000
/** How many characters a sign-in message may have; a ReCap needs some thousands: ours. */
export const signInMessageMost = 16_384
/** When a node is given up that is asked about a contract's signature: ours, as long as visitors wait for a sign-in. */
export const contractCallTimeoutMs = 10_000
/** What is read of a node's answer about one signature, of which 32 bytes matter: ours, against contracts that answer with megabytes. */
export const contractAnswerMost = 65_536
/** How many characters a signature may have: ours. Those of contracts that are not there yet bring what creates them along. */
export const signatureMost = 65_536

// --- HTTP ----------------------------------------------------------------------------------------------------------

/** Not allowed. */
export const httpForbidden = 403
/** Stops balance polling. */
export const httpUnavailable = 503

// --- The modal -----------------------------------------------------------------------------------------------------

/** The width of the modal in pixels. */
export const modalWidthPx = 360
/** The modal's place above the page. */
export const modalZIndex = 999
/** Up to this viewport width the modal is a sheet from the bottom. */
export const sheetWidthPx = 430

// --- Logging and telemetry -----------------------------------------------------------------------------------------

export { defaultLogLevel, logBufferBytes } from './logLimits.ts'
/** How many errors are reported in a rolling minute. */
export const errorReportsPerMinute = 5
/** The version in the frame's address. */
export const frameSdkVersion = '4'
/** What stands for the account in a sign-in message that an embedded wallet is asked to sign before anybody knows it (frame 4.16). */
export const accountPlaceholder = '<<AccountAddress>>'
/** What Latchkey calls itself to its services, the parameter `st`. */
export const sdkType = 'latchkey'

// --- Money ---------------------------------------------------------------------------------------------------------

/** After this many events the watcher of pending transactions stops. */
export const pendingTransactionsMost = 99
/** Percent by which a swap may slip. */
export const slippagePercent = 1
/** Digits after the point of a balance. */
export const balancePlaces = 3
/** Digits after the point of an amount of money. */
export const fiatPlaces = 2
/** Digits after the point of a quantity in a transaction. */
export const quantityPlaces = 3

/** Who sells crypto to visitors, with the range of their fees in percent. */
export const onrampProviders = [
  { name: 'coinbase', feeRange: '1-2%' },
  { name: 'meld', feeRange: '1-2%' },
] as const
/** What may be bought at once when the providers do not say; the same in USD and EUR. */
export const onrampLimits = [
  { id: 'card', least: '10.00', most: '7500.00' },
  { id: 'ach_bank_account', least: '10.00', most: '25000.00' },
] as const
/** The currencies of those limits. */
export const onrampCurrencies = ['USD', 'EUR'] as const

/** Base units of one coin, as a power of ten, where the family has one coin for all its chains. */
export const nativeDecimals = { solana: 9, bip122: 8 } as const

/** USDT as its issuer published it, by chain: these contracts' `transfer` may answer with nothing at all. */
export const usdtContracts = {
  'eip155:1': '0xdac17f958d2ee523a2206206994597c13d831ec7',
  'eip155:8217': '0xd077a400968890eacc75cdc901f0356c943e4fdb',
  'eip155:42220': '0x48065fbbe25f71c9282ddf5e1cd6d6a887483d5e',
  'eip155:43114': '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7',
} as const

/** Whether `address` on `chain` is one of the issuer's USDT contracts; compares without case. */
export function isUsdt(chain: string, address: string): boolean {
  return (usdtContracts as Readonly<Record<string, string>>)[chain] === address.toLowerCase()
}

// --- What works where ----------------------------------------------------------------------------------------------

/** The chains with swaps; an operator may configure more. */
export const swapChains = [
  'eip155:1',
  'eip155:42161',
  'eip155:10',
  'eip155:324',
  'eip155:8453',
  'eip155:56',
  'eip155:137',
  'eip155:100',
  'eip155:43114',
  'eip155:250',
  'eip155:8217',
  'eip155:1313161554',
] as const
/** The families with token balances. */
export const balanceNamespaces: readonly Namespace[] = ['eip155', 'solana']
/** The families with the Send view. */
export const sendNamespaces: readonly Namespace[] = ['eip155', 'solana']
/** The families with buying. */
export const onrampNamespaces: readonly Namespace[] = ['eip155', 'solana']
/** The families with names. */
export const nameNamespaces: readonly Namespace[] = ['eip155']
/** The families with history. */
export const activityNamespaces: readonly Namespace[] = ['eip155']
/** The families with e-mail and social log-in. */
export const authNamespaces: readonly Namespace[] = ['eip155', 'solana']

// --- Defaults of the host's options --------------------------------------------------------------------------------

/** The social providers, in the order they are shown. */
export const socialProviders = ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'] as const
/** Of those, the ones that log in through a popup of their own. */
export const popupSocialProviders = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const

/** What is on when the host says nothing; what is on shows only where it can work. */
export const defaultFeatures = {
  swaps: true,
  onramp: true,
  receive: true,
  send: true,
  email: true,
  socials: ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
  history: true,
  analytics: true,
  allWallets: true,
  legalCheckbox: false,
  smartSessions: false,
  collapseWallets: false,
  pay: false,
} as const

/** The account type that a new visitor gets; Cosmos knows only one kind. */
export const defaultAccountTypes = {
  eip155: 'smartAccount',
  solana: 'eoa',
  polkadot: 'eoa',
  bip122: 'payment',
} as const

/** The actions of the account view, in order. */
export const walletFeaturesOrder = ['onramp', 'swaps', 'receive', 'send'] as const
/** The ways to connect when a wallet was found in this browser. */
export const connectMethodsWithWallet = ['wallet', 'email', 'social'] as const
/** The ways to connect when none was: what needs nothing installed comes first. */
export const connectMethodsWithoutWallet = ['email', 'social', 'wallet'] as const

// --- Connectors ----------------------------------------------------------------------------------------------------

/** The connector ids of the specification. */
export const connectorIds = [
  'walletConnect',
  'injected',
  'announced',
  'coinbaseWallet',
  'coinbaseWalletSDK',
  'safe',
  'ledger',
  'okx',
  'eip6963',
  'ID_AUTH',
] as const
/** The connector types of the specification. */
export const connectorTypes = [
  'WALLET_CONNECT',
  'INJECTED',
  'ANNOUNCED',
  'AUTH',
  'EXTERNAL',
  'MULTI_CHAIN',
  'ID_AUTH',
] as const
/** Both published ids of the Coinbase/Base connector are recognised; the first is the one written. */
export const coinbaseConnectorIds = ['coinbaseWallet', 'coinbaseWalletSDK'] as const

// --- The directory's well-known entries ----------------------------------------------------------------------------

/** MetaMask in the directory. */
export const metamaskWalletId = 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96'
/** Coinbase/Base in the directory: kept on phones without a link. */
export const coinbaseWalletId = 'd0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8'
/** Both ids under which directories list Coinbase/Base; the first is the one written. */
export const coinbaseWalletIds = [
  'd0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8',
  'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa',
] as const
/** Phantom in the directory: kept on phones without a link where Solana is asked for. */
export const phantomWalletId = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
/** Solflare in the directory. */
export const solflareWalletId = '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79'
/** Binance in the directory. */
export const binanceWalletId = '2fafea35bb471d22889ccb49c08d99dd0a18a37982602c33f696a5723934ba25'
/** Trust Wallet in the directory. */
export const trustWalletId = '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0'
/** OKX in the directory, reached as an announced wallet. */
export const okxWalletId = '971e689d0a5be527bac79629b4ee9b925e82208e5168b733496a09c0faed0709'
/** Ledger in the directory, reached over WalletConnect. */
export const ledgerWalletId = '19177a98252e07ddfc9af2083ba8e07ef627cb6103467ffebb3f8f4205fd7927'
/** Safe in the directory. */
export const safeWalletId = '225affb176778569276e484e1b92637ad061b01e13a048b35a9d280c3b58970f'

/** The image ids under which existing clients ask for a network's logo (`/public/getAssetImage/{id}`). */
export const networkImageIds = {
  'eip155:1': 'ba0ba0cd-17c6-4806-ad93-f9d174f17900',
  'eip155:10': 'ab9c186a-c52f-464b-2906-ca59d760a400',
  'eip155:56': '93564157-2e8e-4ce7-81df-b264dbee9b00',
  'eip155:100': '02b53f6a-e3d4-479e-1cb4-21178987d100',
  'eip155:137': '41d04d42-da3b-4453-8506-668cc0727900',
  'eip155:324': 'b310f07f-4ef7-49f3-7073-2a0a39685800',
  'eip155:5000': 'e86fae9b-b770-4eea-e520-150e12c81100',
  'eip155:8453': '7289c336-3981-4081-c5f4-efc26ac64a00',
  'eip155:42161': '3bff954d-5cb0-47a0-9a23-d20192e74600',
  'eip155:42220': 'ab781bbc-ccc6-418d-d32d-789b15da1f00',
  'eip155:43114': '30c46e53-e989-45fb-4549-be3bd4eb3b00',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'a1b58899-f671-4276-6a5e-56ca5bd59700',
  'bip122:000000000019d6689c085ae165831e93': '0b4838db-0161-4ffe-022d-532bf03dba00',
} as const

/** The image ids under which existing clients ask for a connector's logo. */
export const connectorImageIds = {
  walletConnect: 'ef1a1fcf-7fe8-4d69-bd6d-fda1345b4400',
  injected: '07ba87ed-43aa-4adf-4540-9e6a2b9cae00',
  coinbaseWallet: '0c2840c3-5b04-4c44-9661-fbd4b49e1800',
  coinbaseWalletSDK: '0c2840c3-5b04-4c44-9661-fbd4b49e1800',
  safe: '461db637-8616-43ce-035a-d89b8a1d5800',
  ledger: '54a1aa77-d202-4f8d-0fb2-5d2bb6db0300',
} as const

// --- Time zones ----------------------------------------------------------------------------------------------------

/** The zones of China, Hong Kong and Macau with IANA's other names for them. */
export const restrictedTimeZones = [
  'Asia/Shanghai',
  'Asia/Urumqi',
  'Asia/Hong_Kong',
  'Asia/Macau',
  'Asia/Chongqing',
  'Asia/Chungking',
  'Asia/Harbin',
  'Asia/Kashgar',
  'Asia/Macao',
  'PRC',
  'Hongkong',
] as const

/**
 * Whether first addresses are known to fail often in this zone, so that the alternative is tried first. Nobody is
 * blocked by it.
 */
export function isRestrictedTimeZone(zone: string | undefined): boolean {
  return (restrictedTimeZones as readonly (string | undefined)[]).includes(zone)
}
