import type { SocialProvider } from '@latchkey/protocol/http/keys'
import type { Mailer } from '../mail/mailer.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type {
  Clock,
  EventBus,
  InFlight,
  Log,
  Projects,
  RateLimiter,
  RateLimits,
  RpcProxy,
} from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import type { EscrowKeyService } from './assistedShareKeyService.ts'
import type { FrameFiles } from './frameFile.ts'

export type { Caller } from '../serverDependencies.ts'

/** The endpoints of a social provider. The published values are in `oauthProviders.ts`. */
export interface SocialEndpoints {
  /** The authorization endpoint (OAuth 2.0), which users are sent to. */
  readonly authorize: string
  /** The token endpoint (OAuth 2.0). */
  readonly token: string
  /** The user endpoint, or `undefined` if the ID token contains the identity. */
  readonly user?: string | undefined
  /** The issuer of ID tokens (OpenID Connect), or `undefined` if the provider supports only OAuth 2.0. */
  readonly issuer?: string | undefined
  /** The URL of the JWK set for verifying ID tokens (OpenID Connect). Used together with `issuer`. */
  readonly keys?: string | undefined
}

/** The operator's OAuth client at a provider. */
export interface SocialClient {
  /** The ID that the provider assigned to the operator's app. */
  readonly clientId: string
  /** The app's client secret. It is sent only to the token endpoint. */
  readonly clientSecret: string
  /** The provider's endpoints. */
  readonly endpoints: SocialEndpoints
}

/** The Farcaster relay and ID registry. */
export interface FarcasterEndpoints {
  /** The base URL of the Farcaster Auth relay, without a trailing slash. */
  readonly relay: string
  /** The CAIP-2 ID of the registry's chain, which the server must support. */
  readonly chainId: string
  /** The address of the contract that maps addresses to Farcaster IDs. */
  readonly registry: `0x${string}`
}

/** The operator's policy for the keys origin. */
export interface KeysPolicy {
  /** The lifetime of a session in milliseconds. After a session expires, no server half is released to it. */
  readonly sessionMs: number
  /** Whether an unknown browser must be approved through an emailed link before a code is sent to this address. */
  readonly approveDevices: (email: string) => boolean
  /** The maximum total number of emails per hour. Browsers that have signed in before have separate limits. */
  readonly mailsPerHour: number
  /**
   * The waiting period for a new device in milliseconds, counted from its first request. During this period, only a device that
   * was unlocked with a passkey or recovery kit can approve the new device; a device unlocked with an emailed code cannot. 0
   * disables the waiting period.
   */
  readonly deviceHoldMs: number
}

/** The bundlers and paymasters for smart accounts, with their limits. */
export interface SmartAccountUpstreams {
  /** The bundlers (ERC-4337) for the chains with smart accounts. */
  readonly bundlers: RpcProxy
  /** The operator's paymasters. */
  readonly sponsors: RpcProxy
  /** The pages whose users' fees the operator sponsors. If empty, the operator sponsors all pages that can embed the wallet. */
  readonly sponsorOrigins: readonly string[]
  /**
   * The number of sponsored operations per account in 24 hours. Creating accounts is free, so the other limits are also needed.
   */
  readonly sponsorDailyPerAccount: number
  /** The same limit for all accounts at one IPv4 address or in one IPv6 /64. */
  readonly sponsorDailyPerAddress: number
  /** The same limit for all accounts together. */
  readonly sponsorDailyTotal: number
  /** The maximum cost of a sponsored operation in wei, which is gas times price. */
  readonly sponsorMaxCostWei: bigint
  /** The allowed origins of the paymasters that a page can specify. */
  readonly pagePaymasters: readonly string[]
}

/** The dependencies of the keys origin. */
export interface KeysDependencies {
  /** The origin, such as `https://keys.shop.example`. */
  readonly origin: string
  /** The secrets for signing cookies and keying digests, newest first. The first secret signs, and all secrets are accepted. */
  readonly secrets: readonly string[]
  /** The database that stores accounts, devices and sealed vaults. */
  readonly connection: Connection
  /** The projects whose allowed origins can embed the frame. */
  readonly projects: Projects
  /** The blockchain nodes that provide the data that the frame displays and signs. */
  readonly chain: RpcProxy
  /** Sends codes and approval links. Closed together with the server. */
  readonly mailer: Mailer
  /** The build of `@latchkey/frame`. */
  readonly frameFiles: FrameFiles
  /** The OAuth clients for the enabled social logins. Empty if no social login is enabled. */
  readonly social: ReadonlyMap<SocialProvider, SocialClient>
  /** The Farcaster endpoints, or `undefined` if Farcaster login is disabled. */
  readonly farcaster: FarcasterEndpoints | undefined
  /** The bundlers and paymasters. Absent if smart accounts are disabled. */
  readonly smart?: SmartAccountUpstreams | undefined
  /** Lifetimes, limits and device approval. */
  readonly policy: KeysPolicy
  /** The service that seals the second share in assisted custody. Absent by default, so that only the owner can open a vault. */
  readonly escrowKeyService?: EscrowKeyService | undefined
  /** Whether users can let pages sign within limits. The frame enforces the limits; the server only publishes this setting. */
  readonly smartSessions?: boolean | undefined
  /** The origin for visitor identification, or `undefined` if it is disabled. */
  readonly identify?: string | undefined
  /** Sends requests to providers. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Wakes waiting requests when a browser is approved or another device responds. */
  readonly bus: EventBus
  /** Tracks the memory used by requests in progress. */
  readonly inFlight: InFlight
  /** Counts requests for `rateLimits`. */
  readonly rateLimiter: RateLimiter
  /** The maximum number of requests per minute from one address. 0 disables the limit. */
  readonly rateLimits: Pick<RateLimits, 'perAddress'>
  /** Counts the requests to the keys origin. */
  readonly metrics: Metrics
  /** Receives warnings and errors, and an entry for each request. */
  readonly log: Log
  /** Milliseconds since the Unix epoch. */
  readonly now: Clock
  /** Waits between polls. Replaced in tests. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}
