/**
 * The constants in the specification (section 9). Each is a separate export, so that a bundle includes only the constants that it
 * uses. Times are in milliseconds unless the name indicates otherwise. Constants marked "Not in the specification" were added by
 * Latchkey.
 */
import type { Namespace } from './caip.ts'

// --- Timeouts and delays -------------------------------------------------------------------------------------------

/** The timeout for loading the key frame. */
export const frameLoadTimeoutMs = 20_000
/** The timeout for the frame's email, device, code and social login requests. */
export const frameRequestTimeoutMs = 30_000
/** The maximum time that a sign-out can delay the user. */
export const signOutTimeoutMs = 3_000
/** The delay between the frame's READY message and the time at which the frame is considered settled. */
export const frameReadyDelayMs = 500
/** The minimum time between two email logins. */
export const emailThrottleMs = 30_000

/** The lifetime of a pairing. */
export const pairingExpiryMs = 240_000
/** A pairing that expires sooner than this is considered expired. */
export const minPairingLifeMs = 10_000
/** The maximum number of consecutive pairings offered to an idle user. */
export const maxPairingRounds = 10
/** The minimum time between two retries of a pairing. */
export const retryGapMs = 1_000
/** The interval between heartbeats of a connection. */
export const heartbeatMs = 5_000
/** The polling interval for balances and statuses. */
export const pollMs = 10_000
/** The polling interval for a balance that is shown only on a button. */
export const idlePollMs = 30_000
/**
 * When to read the balance after a transaction is sent: immediately, once a fast chain should have included the transaction, and
 * once slower chains should have included it.
 */
export const sentReadsMs: readonly number[] = [0, 2_000, pollMs]
/** Prices that are older than this are shown as old. Not in the specification. */
export const oldPriceMs = 600_000
/** The maximum number of pending transactions, and of checks for each of them. */
export const maxPendingTransactions = 99
/** The interval at which an open popup is checked. */
export const popupPollMs = 1_000

/** The maximum time that a list waits for its images. */
export const imagePreloadMs = 2_000
/** The minimum time that a search shows its loading state, to avoid flicker. */
export const minSearchMs = 300
/** The duration of the modal's shake animation. */
export const shakeMs = 500
/** The debounce delay for text input. */
export const debounceMs = 500
/** The pause between two consecutive toasts. */
export const toastSwapMs = 150

// --- Swaps ---------------------------------------------------------------------------------------------------------

/** The slippage tolerance of a swap, in percent. */
export const swapSlippagePercent = 1
/** The debounce delay for the amount to swap. */
export const swapDebounceMs = 200
/** The gas of a swap before its transaction is known. */
export const swapInitialGas = 150_000n
/** The maximum number of decimal places of the amount that the user receives. */
export const swapAmountDecimals = 6
/** How long a form waits for the tokens that the host has chosen. */
export const swapPresetWaitMs = 5_000

// --- Caches and storage --------------------------------------------------------------------------------------------

/** The lifetime of a cached portfolio. */
export const portfolioCacheMs = 30_000
/** The lifetime of a cached native balance. */
export const nativeBalanceCacheMs = 30_000
/** The lifetime of a cached ENS name. */
export const ensCacheMs = 300_000
/** The lifetime of a cached identity. */
export const identityCacheMs = 300_000
/** The cooldown after a failed balance request. */
export const balanceRetryGapMs = 30_000
/** The maximum number of recent wallets. */
export const maxRecentWallets = 2
/** The layout version of the embedded wallet's stored records. Records with a higher version are not changed. */
export const storageVersion = 1

/** The default lifetime of a visitor identification, in seconds. */
export const identificationCacheS = 3_600
/** The maximum lifetime of a visitor identification, in seconds. */
export const maxIdentificationCacheS = 86_400
/** The maximum number of attempts to load the identification script. */
export const maxIdentificationAttempts = 5
/** The maximum delay between two attempts to load the identification script. */
export const maxIdentificationBackoffMs = 3_000
/** The timeout for the entire identification. Not in the specification. */
export const identificationTimeoutMs = 10_000

// --- The directory -------------------------------------------------------------------------------------------------

/** The number of recommended wallets to request. */
export const recommendedPageSize = 4
/** The page size of the wallet list. */
export const walletsPageSize = 40
/** The page size of search results. */
export const searchPageSize = 100
/** The number of images to preload per page of the list. */
export const prefetchedImages = 20
/**
 * The maximum number of wallets on a page, as protection against malicious directories and excessive requests. Not in the
 * specification.
 */
export const maxEntries = 500
/** The upper limit for a directory's wallet count, because a longer list could not be laid out. Not in the specification. */
export const maxWalletsCount = 100_000
/**
 * The maximum number of consecutive pages without a new wallet. Protects against endless directories. Not in the specification.
 */
export const maxFruitlessPages = 10
/** The maximum response size per requested wallet, in bytes. Real entries have about 2,000 bytes. Not in the specification. */
export const maxWalletBytes = 16_000
/** The maximum size of other directory responses, in bytes. Enough for a thousand origins. Not in the specification. */
export const maxSmallAnswerBytes = 500_000
/** The timeout for a directory response. Not in the specification. */
export const directoryAnswerMs = 20_000
/** The timeout for a response of the chain API, which can try several nodes. Not in the specification. */
export const chainAnswerMs = 30_000
/** How long the connect view waits for the server's list of social logins. Not in the specification. */
export const socialsAnswerMs = 2_000
/**
 * The maximum length of an SVG image from the directory, in characters. The same limit applies to the icons of announced wallets.
 * Not in the specification.
 */
export const maxDrawingLength = 131_072
/**
 * The maximum number of SVG elements that are references or reference targets. Limited because nested references multiply the
 * work of rendering. Not in the specification.
 */
export const maxDrawingReferences = 12

// --- Sign-in -------------------------------------------------------------------------------------------------------

/** The lifetime of a nonce, the same as that of an email code. The specification allows 5 to 10 minutes. */
export const signInNonceLifeMs = 600_000
/** How far in the future a message's issue time can be, in case the user's clock is ahead. Not in the specification. */
export const signInSkewMs = 60_000
/** The maximum lifetime of a sign-in, so that a stolen message cannot be used for long. Not in the specification. */
export const maxSignInLifeMs = 2_592_000_000
/** The default lifetime of a sign-in: one day. Not in the specification. */
export const signInLifeMs = 86_400_000
/** The timeout for a request to the sign-in server. Not in the specification. */
export const signInRequestMs = 30_000
/** The maximum length of a sign-in message. ReCaps need a few thousand characters. Not in the specification. */
export const maxSignInMessageLength = 16_384
/** The timeout for a node's response to a call that verifies a contract signature. Not in the specification. */
export const contractCallTimeoutMs = 10_000
/**
 * The maximum size of a node's response to a call that verifies a contract signature. Only 32 bytes are used. Protects against
 * contracts that return megabytes. Not in the specification.
 */
export const maxContractResponseBytes = 65_536
/**
 * The maximum length of a signature. A signature for an undeployed contract includes the contract's deployment. Not in the
 * specification.
 */
export const maxSignatureLength = 65_536

// --- HTTP ----------------------------------------------------------------------------------------------------------

/** The HTTP status for a forbidden request. */
export const httpForbidden = 403
/** The HTTP status that stops balance polling. */
export const httpUnavailable = 503

// --- Logging and telemetry -----------------------------------------------------------------------------------------

export { defaultLogLevel, logBufferBytes } from './logDefaults.ts'
/** The maximum number of error reports per rolling minute. */
export const errorReportsPerMinute = 5
/** The version in the frame's URL. */
export const frameSdkVersion = '4'
/**
 * The placeholder for the account in a sign-in message that the embedded wallet signs before its account is known (frame 4.16).
 */
export const accountPlaceholder = '<<AccountAddress>>'
/** The SDK type, sent to Latchkey's services as the parameter `st`. */
export const sdkType = 'latchkey'

// --- Supported features --------------------------------------------------------------------------------------------

/** The namespaces that support email and social login. */
export const authNamespaces: readonly Namespace[] = [
  // #region generated: login families (npm run generate)
  'eip155',
  'solana',
  // #endregion
]

/** The namespaces on which tokens can be sent. */
export const sendNamespaces: readonly Namespace[] = ['eip155', 'solana']

/** Tether's contracts whose `transfer` returns nothing, by CAIP-2 chain ID. The addresses are those that Tether publishes. */
const tetherContracts: Readonly<Record<string, string>> = {
  'eip155:1': '0xdac17f958d2ee523a2206206994597c13d831ec7',
}

/** Whether `token` is one of Tether's contracts whose `transfer` returns nothing. The case of the address is ignored. */
export function returnsNothing(chain: string, token: string): boolean {
  return tetherContracts[chain] === token.toLowerCase()
}

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

/** The default order of the account view's actions. */
export const walletFeatures = ['onramp', 'swaps', 'receive', 'send'] as const
/** The namespaces in which tokens are listed, sent and bought. */
export const tokenNamespaces: readonly Namespace[] = ['eip155', 'solana']
/** The namespaces that have a transaction history. */
export const historyNamespaces: readonly Namespace[] = ['eip155']
/** The networks with swaps. A server can support others. */
export const swapNetworks: readonly string[] = [
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
]

/** The default order of connect methods if a wallet was discovered. */
export const connectMethodsWithWallet = ['wallet', 'email', 'social'] as const
/** The default order of connect methods if no wallet was discovered. Methods that do not require an installation come first. */
export const connectMethodsWithoutWallet = ['email', 'social', 'wallet'] as const

// --- Connectors ----------------------------------------------------------------------------------------------------

/** The connector IDs defined by the specification. */
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
/** The published IDs of the Coinbase/Base connector. Both are recognized, but only the first is stored. */
export const coinbaseConnectorIds = ['coinbaseWallet', 'coinbaseWalletSDK'] as const

// --- Well-known directory entries ----------------------------------------------------------------------------------

/** The directory IDs of Coinbase/Base. Both are recognized, but only the first is stored. */
export const coinbaseWalletIds = [
  'd0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8',
  'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa',
] as const
/** Phantom's directory ID. On mobile, Phantom is listed for Solana even if the directory has no link for it. */
export const phantomWalletId = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
/** Solflare's directory ID. */
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
 * Whether the main server URL is often unreachable in this time zone. If so, the alternative URL is tried first. Nothing is
 * blocked.
 */
export function isRestrictedTimeZone(zone: string | undefined): boolean {
  return (restrictedTimeZones as readonly (string | undefined)[]).includes(zone)
}
