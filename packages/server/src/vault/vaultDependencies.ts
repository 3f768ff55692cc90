import type { SocialProvider } from '@latchkey/protocol/http/vault'
import type { Connection } from '../data/databaseConnection.ts'
import type { Metrics } from '../metrics.ts'
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
import type { EscrowKeyService } from './escrowKeyService.ts'

export type { Caller } from '../serverDependencies.ts'

/** An email, as plain text and as HTML. */
export interface Mail {
  /** The recipient's address, without a name. */
  readonly to: string
  /** The subject, as plain text. */
  readonly subject: string
  /** The body for mail programs that do not show HTML. */
  readonly text: string
  /** The body as an HTML document. */
  readonly html: string
}

/** Sends mail. `send` rejects if the mail is not accepted. */
export interface Mailer {
  /** Resolves once the mail is accepted for delivery. Rejects if it is not. */
  send(mail: Mail): Promise<void>
  /** Closes open connections. Called when the server stops. */
  close(): Promise<void>
}

/** The endpoints of a social provider. The published values are in `oauthProviders.ts`. */
export interface SocialEndpoints {
  /** The authorization endpoint (OAuth 2.0), which users are sent to. */
  readonly authorize: string
  /** The token endpoint (OAuth 2.0). */
  readonly token: string
  /** The user endpoint, or `undefined` if the id token contains the identity. */
  readonly user?: string | undefined
  /** OpenID: the issuer of id tokens. `undefined` for a provider with OAuth 2.0 only. */
  readonly issuer?: string | undefined
  /** OpenID: the URL of the JWK set that id tokens are verified with. Used together with `issuer`. */
  readonly keys?: string | undefined
}

/** The operator's OAuth client at a provider. */
export interface SocialClient {
  /** The ID that the provider assigned to the operator's app. */
  readonly clientId: string
  /** The secret of that app. Only sent to the token endpoint. */
  readonly clientSecret: string
  /** Where the provider is reached. */
  readonly endpoints: SocialEndpoints
}

/** The Farcaster relay and ID registry. */
export interface FarcasterEndpoints {
  /** The base URL of the Farcaster Auth relay, without a trailing slash. */
  readonly relay: string
  /** CAIP-2 ID of the registry's chain, which the server must support. */
  readonly chainId: string
  /** The address of the contract that maps addresses to Farcaster IDs. */
  readonly registry: `0x${string}`
}

/** A file of the frame's build. */
export interface FrameFile {
  /** The content of the file. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The Content-Type, such as `text/html; charset=utf-8`. */
  readonly type: string
  /** Whether the file name contains a content hash. */
  readonly hashed: boolean
}

/** The frame's build. Paths without an extension resolve to its page. */
export interface FrameFiles {
  /** Resolves to the file at a path of the keys origin, such as `/assets/index.js`, or `undefined` if there is none. */
  find(path: string): Promise<FrameFile | undefined>
}

/** The operator's policy for the keys origin. */
export interface VaultPolicy {
  /** Lifetime of a session in milliseconds. Once it has expired, no server half is released. */
  readonly sessionMs: number
  /** Whether an unknown browser has to be approved by a mailed link before a code is sent to this address. */
  readonly approveDevices: (email: string) => boolean
  /** Maximum number of emails per hour, in total. Browsers that have signed in before have separate limits. */
  readonly mailsPerHour: number
  /**
   * Waiting period of a new device in milliseconds, counted from its first request. Until it is over, only a device that was unlocked with a
   * passkey or recovery kit can approve the new device; one unlocked with just a mailed code cannot. 0 disables it.
   */
  readonly deviceHoldMs: number
}

/** The bundlers and paymasters of smart accounts, with their limits. */
export interface SmartAccountUpstreams {
  /** The bundlers (ERC-4337) of the chains with smart accounts. */
  readonly bundlers: RpcProxy
  /** The operator's paymasters. */
  readonly sponsors: RpcProxy
  /** The pages whose users the operator sponsors. If empty, every page that can embed the wallet. */
  readonly sponsorOrigins: readonly string[]
  /** Sponsored operations per account and 24 hours. Accounts are free to create, so there are also limits per address and in total. */
  readonly sponsorDailyPerAccount: number
  /** The same limit for all accounts at one network address: an IPv4 address or an IPv6 /64. */
  readonly sponsorDailyPerAddress: number
  /** The same limit for all accounts together. */
  readonly sponsorDailyTotal: number
  /** Maximum cost of a sponsored operation: gas times price, in wei. */
  readonly sponsorMaxCostWei: bigint
  /** Allow-listed origins of paymasters that a page can name. */
  readonly pagePaymasters: readonly string[]
}

/** The dependencies of the keys origin. */
export interface VaultDependencies {
  /** The origin, such as `https://keys.shop.example`. */
  readonly origin: string
  /** Secrets used to sign cookies and to key digests, newest first. The first one signs; all are accepted. */
  readonly secrets: readonly string[]
  /** The database of accounts, devices and sealed vaults. */
  readonly connection: Connection
  /** The projects whose allowed origins can embed the frame. */
  readonly projects: Projects
  /** The nodes for the data that the frame displays and signs. */
  readonly chain: RpcProxy
  /** Sends codes and approval links. Closed with the server. */
  readonly mailer: Mailer
  /** The build of `@latchkey/frame`. */
  readonly frameFiles: FrameFiles
  /** The OAuth clients of the enabled social logins. Empty if there are none. */
  readonly social: ReadonlyMap<SocialProvider, SocialClient>
  /** `undefined` if Farcaster is disabled. */
  readonly farcaster: FarcasterEndpoints | undefined
  /** Absent if smart accounts are disabled. */
  readonly smart?: SmartAccountUpstreams | undefined
  /** Lifetimes, limits and device approval. */
  readonly policy: VaultPolicy
  /** Assisted custody: the service that seals the second share. Absent by default, so that only the owner can open a vault. */
  readonly escrowKeyService?: EscrowKeyService | undefined
  /** Whether users can let pages sign within limits. The frame enforces the limits; the server only publishes this setting. */
  readonly smartSessions?: boolean | undefined
  /** The origin of visitor identification, or `undefined` if it is disabled. */
  readonly identify?: string | undefined
  /** Sends requests to providers. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Wakes waiting requests when a link is opened or another device responds. */
  readonly bus: EventBus
  /** The memory used by open requests. */
  readonly inFlight: InFlight
  /** Counts requests for `rateLimits`. */
  readonly rateLimiter: RateLimiter
  /** Maximum number of requests per minute and address. 0 means no limit. */
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
