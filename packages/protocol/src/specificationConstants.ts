/**
 * The constants of the specification (section 9). Each is a separate export, so that a bundle only includes those it uses. Times are in
 * milliseconds unless the name indicates otherwise. Constants marked "not in the specification" were added by Latchkey.
 */
import type { Namespace } from './caip.ts'

// --- Timeouts and delays -------------------------------------------------------------------------------------------

/** Timeout for loading the key frame. */
export const frameLoadTimeoutMs = 20_000
/** Timeout of the frame's email, device, code and social requests. */
export const frameRequestTimeoutMs = 30_000
/** Maximum time that a sign-out can delay the user. */
export const signOutTimeoutMs = 3_000
/** Delay after the frame's READY message until the frame counts as ready. */
export const frameReadyDelayMs = 500
/** Minimum time between two email logins. */
export const emailThrottleMs = 30_000

/** Lifetime of a pairing. */
export const pairingExpiryMs = 240_000
/** A pairing with less remaining time counts as expired. */
export const minPairingLifeMs = 10_000
/** Maximum number of consecutive pairings offered to an idle user. */
export const maxPairingRounds = 10
/** Minimum time between two retries of a pairing. */
export const retryGapMs = 1_000
/** Interval between heartbeats of a connection. */
export const heartbeatMs = 5_000
/** Polling interval of balances and statuses. */
export const pollMs = 10_000
/** Polling interval of a balance that only a button shows. */
export const idlePollMs = 30_000
/** When to read the balance after a transaction: immediately, after a fast chain has included it, and after the other chains have. */
export const sentReadsMs: readonly number[] = [0, 2_000, pollMs]
/** Interval at which an open popup is checked. */
export const popupPollMs = 1_000

/** Maximum time that a list waits for its images. */
export const imagePreloadMs = 2_000
/** Minimum time that a search shows its loading state, to avoid flicker. */
export const minSearchMs = 300
/** Duration of the modal's shake animation. */
export const shakeMs = 500
/** Debounce delay of text input. */
export const debounceMs = 500
/** Pause between two consecutive toasts. */
export const toastSwapMs = 150

// --- Caches and storage --------------------------------------------------------------------------------------------

/** Lifetime of a cached portfolio. */
export const portfolioCacheMs = 30_000
/** Lifetime of a cached native balance. */
export const nativeBalanceCacheMs = 30_000
/** Lifetime of a cached ENS name. */
export const ensCacheMs = 300_000
/** Lifetime of a cached identity. */
export const identityCacheMs = 300_000
/** Cooldown after a failed balance request. */
export const balanceRetryGapMs = 30_000
/** Maximum number of recent wallets. */
export const recentWalletsMost = 2
/** The layout version of the embedded wallet's stored records. Records of a higher version are not changed. */
export const storageVersion = 1

/** Default lifetime of a visitor identification, in seconds. */
export const identificationCacheS = 3_600
/** Maximum lifetime of a visitor identification, in seconds. */
export const identificationCacheMostS = 86_400
/** Maximum number of attempts to load the identification script. */
export const identificationAttemptsMost = 5
/** Maximum delay between two of those attempts. */
export const identificationBackoffMostMs = 3_000
/** Timeout of the whole identification. Not in the specification. */
export const identificationTimeoutMs = 10_000

// --- The directory -------------------------------------------------------------------------------------------------

/** Number of recommended wallets to request. */
export const recommendedPageSize = 4
/** Page size of the wallet list. */
export const walletsPageSize = 40
/** Page size of search results. */
export const searchPageSize = 100
/** Number of images to preload per page of the list. */
export const prefetchedImages = 20
/** Maximum number of wallets per page, against malicious directories and excessive requests. Not in the specification. */
export const maxEntries = 500
/** Upper limit for a directory's wallet count, against lists too long to lay out. Not in the specification. */
export const maxWalletsCount = 100_000
/** Maximum number of consecutive pages without a new wallet, against endless directories. Not in the specification. */
export const maxFruitlessPages = 10
/** Maximum response size per requested wallet, in bytes. Real entries have about 2,000. Not in the specification. */
export const maxWalletBytes = 16_000
/** Maximum size of other directory responses, in bytes, enough for a thousand origins. Not in the specification. */
export const maxSmallAnswerBytes = 500_000
/** Timeout of a directory response. Not in the specification. */
export const directoryAnswerMs = 20_000
/** How long the connect view waits for the server's list of social logins. Not in the specification. */
export const socialsAnswerMs = 2_000
/** Maximum length of an SVG image from the directory, in characters. Same limit as for the icons of announced wallets. Not in the specification. */
export const maxDrawingLength = 131_072
/** Maximum number of SVG elements that are references or targets, because nested references multiply. Not in the specification. */
export const maxDrawingReferences = 12

// --- Sign-in -------------------------------------------------------------------------------------------------------

/** Lifetime of a nonce, the same as that of an email code. The specification allows 5 to 10 minutes. */
export const signInNonceLifeMs = 600_000
/** How far a user's clock can be ahead in the issue time of a message. Not in the specification. */
export const signInSkewMs = 60_000
/** Maximum lifetime of a sign-in, to limit the use of a stolen message. Not in the specification. */
export const signInLifeMostMs = 2_592_000_000
/** Default lifetime of a sign-in: one day. Not in the specification. */
export const signInLifeMs = 86_400_000
/** Timeout of a request to the sign-in server. Not in the specification. */
export const signInRequestMs = 30_000
/** Maximum length of a sign-in message. ReCaps need a few thousand characters. Not in the specification. */
export const signInMessageMost = 16_384
/** Timeout of a node's response about a contract's signature. Not in the specification. */
export const contractCallTimeoutMs = 10_000
/** Maximum size of that response, of which 32 bytes are used. Protects against contracts that return megabytes. Not in the specification. */
export const contractAnswerMost = 65_536
/** Maximum length of a signature. Signatures of undeployed contracts include their deployment. Not in the specification. */
export const signatureMost = 65_536

// --- HTTP ----------------------------------------------------------------------------------------------------------

/** Forbidden. */
export const httpForbidden = 403
/** Stops balance polling. */
export const httpUnavailable = 503

// --- Logging and telemetry -----------------------------------------------------------------------------------------

export { defaultLogLevel, logBufferBytes } from './logLimits.ts'
/** Maximum number of error reports per rolling minute. */
export const errorReportsPerMinute = 5
/** The version in the frame's URL. */
export const frameSdkVersion = '4'
/** The placeholder for the account in a sign-in message that the embedded wallet signs before its account is known (frame 4.16). */
export const accountPlaceholder = '<<AccountAddress>>'
/** The SDK type sent to Latchkey's services, the parameter `st`. */
export const sdkType = 'latchkey'

// --- Supported features --------------------------------------------------------------------------------------------

/** The namespaces that support email and social login. */
export const authNamespaces: readonly Namespace[] = [
  // #region generated: login families (npm run generate)
  'eip155',
  'solana',
  // #endregion
]

// --- Defaults of host options --------------------------------------------------------------------------------------

/** The social providers, in display order. */
export const socialProviders = ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'] as const
/** The social providers that log in through a popup. */
export const popupSocialProviders = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const

/** The default account type in each namespace. Cosmos has only one type. */
export const defaultAccountTypes = {
  // #region generated: account types (npm run generate)
  eip155: 'smartAccount',
  solana: 'eoa',
  polkadot: 'eoa',
  bip122: 'payment',
  // #endregion
} as const

/** The default order of connect methods if a wallet was discovered. */
export const connectMethodsWithWallet = ['wallet', 'email', 'social'] as const
/** The default order of connect methods if no wallet was discovered. Methods without an installation come first. */
export const connectMethodsWithoutWallet = ['email', 'social', 'wallet'] as const

// --- Connectors ----------------------------------------------------------------------------------------------------

/** The connector ids defined by the specification. */
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
/** The published ids of the Coinbase/Base connector. Both are recognized, and the first is used when writing. */
export const coinbaseConnectorIds = ['coinbaseWallet', 'coinbaseWalletSDK'] as const

// --- Well-known directory entries ----------------------------------------------------------------------------------

/** The directory ids of Coinbase/Base. Both are recognized, and the first is used when writing. */
export const coinbaseWalletIds = [
  'd0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8',
  'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa',
] as const
/** Phantom's directory id. On mobile it is listed for Solana even without a link. */
export const phantomWalletId = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
/** Solflare's directory id. */
export const solflareWalletId = '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79'

// --- Time zones ----------------------------------------------------------------------------------------------------

/** The time zones of China, Hong Kong and Macau, including their IANA aliases. */
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
 * Whether the main server URL is known to be often unreachable in this time zone, so that the alternative is tried first. Nothing is
 * blocked.
 */
export function isRestrictedTimeZone(zone: string | undefined): boolean {
  return (restrictedTimeZones as readonly (string | undefined)[]).includes(zone)
}
