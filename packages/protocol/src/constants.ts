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
export const minPairingLifeMs = 10_000
/** How many pairings are offered one after the other to somebody who only looks. */
export const maxPairingRounds = 10
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
export const minSearchMs = 300
/** How long the modal shakes its head. */
export const shakeMs = 500
/** The pause in typing after which a question is asked. */
export const debounceMs = 500
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

/** How many recommended wallets are asked for. */
export const recommendedPageSize = 4
/** How many wallets a page of the list holds. */
export const walletsPageSize = 40
/** How many wallets a search answers with. */
export const searchPageSize = 100
/** Of a page of the list, how many get their images beforehand. */
export const prefetchedImages = 20
/** More than this on one page is refused: ours, against a lying directory and a greedy client. */
export const maxEntries = 500
/** More wallets than any directory has: a higher count is cut down to it. Ours, against a list too long to be laid out. */
export const maxWalletsCount = 100_000
/** After so many pages in a row without a new wallet no more are asked for: ours, against a directory whose pages never end. */
export const maxFruitlessPages = 10
/** What is read of an answer for each wallet that was asked for, in bytes; real entries have two thousand. Ours. */
export const maxWalletBytes = 16_000
/** What is read of other answers of the directory, in bytes: a thousand origins have room in it. Ours. */
export const maxSmallAnswerBytes = 500_000
/** How long the directory may take over one answer: ours. */
export const directoryAnswerMs = 20_000
/** How long Connect keeps room for the social log-ins until the server says which there are: ours. */
export const socialsAnswerMs = 2_000
/** The longest drawing (SVG) of the directory that is shown, in characters: ours, as long as an announced wallet's icon may be. */
export const maxDrawingLength = 131_072
/** How many parts of a drawing may be references, or be made to be referred to; nested, they multiply: ours. */
export const maxDrawingReferences = 12

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

// --- What works where ----------------------------------------------------------------------------------------------

/** The families with e-mail and social log-in. */
export const authNamespaces: readonly Namespace[] = ['eip155', 'solana']

// --- Defaults of the host's options --------------------------------------------------------------------------------

/** The social providers, in the order they are shown. */
export const socialProviders = ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'] as const
/** Of those, the ones that log in through a popup of their own. */
export const popupSocialProviders = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const

/** The account type that a new visitor gets; Cosmos knows only one kind. */
export const defaultAccountTypes = {
  eip155: 'smartAccount',
  solana: 'eoa',
  polkadot: 'eoa',
  bip122: 'payment',
} as const

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
/** Both published ids of the Coinbase/Base connector are recognised; the first is the one written. */
export const coinbaseConnectorIds = ['coinbaseWallet', 'coinbaseWalletSDK'] as const

// --- The directory's well-known entries ----------------------------------------------------------------------------

/** Both ids under which directories list Coinbase/Base; the first is the one written. */
export const coinbaseWalletIds = [
  'd0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8',
  'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa',
] as const
/** Phantom in the directory: kept on phones without a link where Solana is asked for. */
export const phantomWalletId = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
/** Solflare in the directory. */
export const solflareWalletId = '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79'

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
