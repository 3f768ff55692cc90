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
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends mail. `send` rejects if the mail is not accepted. */
export interface Mailer {
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

/** The endpoints of a social provider. The published values are in `oauthProviders.ts`. */
export interface SocialEndpoints {
  readonly authorize: string
  readonly token: string
  /** The user endpoint, or `undefined` if the id token contains the identity. */
  readonly user?: string | undefined
  /** OpenID: the issuer of id tokens, and the URL of its keys. */
  readonly issuer?: string | undefined
  readonly keys?: string | undefined
}

/** The operator's OAuth client at a provider. */
export interface SocialClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly endpoints: SocialEndpoints
}

/** The Farcaster relay and ID registry. */
export interface FarcasterEndpoints {
  readonly relay: string
  /** CAIP-2 ID of the registry's chain, which the server must support. */
  readonly chainId: string
  readonly registry: `0x${string}`
}

/** A file of the frame's build. */
export interface FrameFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  /** Whether the file name contains a content hash. */
  readonly hashed: boolean
}

/** The frame's build. Paths without an extension resolve to its page. */
export interface FrameFiles {
  find(path: string): Promise<FrameFile | undefined>
}

/** The operator's policy for the keys origin. */
export interface VaultPolicy {
  /** Lifetime of a session in milliseconds. Once it has expired, no server half is released. */
  readonly sessionMs: number
  /** Whether an unknown browser has to be approved by a mailed link before a code is sent to this address. */
  readonly approveDevices: (email: string) => boolean
  readonly mailsPerHour: number
  /**
   * Waiting period of a new device in milliseconds, counted from its first request. Until it is over, only a device that was unlocked with a
   * passkey or recovery kit can approve the new device; one unlocked with just a mailed code cannot. 0 disables it.
   */
  readonly deviceHoldMs: number
}

/** The bundlers and paymasters of smart accounts, with their limits. */
export interface SmartAccountUpstreams {
  readonly bundlers: RpcProxy
  /** The operator's paymasters. */
  readonly sponsors: RpcProxy
  /** The pages whose users the operator sponsors. If empty, every page that can embed the wallet. */
  readonly sponsorOrigins: readonly string[]
  /** Sponsored operations per account and day. Accounts are free to create, so there are also limits per address and in total. */
  readonly sponsorDailyPerAccount: number
  readonly sponsorDailyPerAddress: number
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
  readonly connection: Connection
  readonly projects: Projects
  readonly chain: RpcProxy
  readonly mailer: Mailer
  readonly frameFiles: FrameFiles
  readonly social: ReadonlyMap<SocialProvider, SocialClient>
  readonly farcaster: FarcasterEndpoints | undefined
  /** Absent if smart accounts are disabled. */
  readonly smart?: SmartAccountUpstreams | undefined
  readonly policy: VaultPolicy
  /** Assisted custody: the service that seals the second share. Absent by default, so that only the owner can open a vault. */
  readonly escrowKeyService?: EscrowKeyService | undefined
  /** Whether users can let pages sign within limits. The frame enforces the limits; the server only publishes this setting. */
  readonly smartSessions?: boolean | undefined
  /** The origin of visitor identification, or `undefined` if it is disabled. */
  readonly identify?: string | undefined
  /** Sends requests to providers. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly bus: EventBus
  /** The memory used by open requests. */
  readonly inFlight: InFlight
  readonly rateLimiter: RateLimiter
  readonly rateLimits: Pick<RateLimits, 'perAddress'>
  readonly metrics: Metrics
  readonly log: Log
  /** Milliseconds since the Unix epoch. */
  readonly now: Clock
  /** Waits between polls. Replaced in tests. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}
