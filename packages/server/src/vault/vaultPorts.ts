import type { SocialProvider } from '@latchkey/protocol/http/vault'
import type { Connection } from '../data/databaseConnection.ts'
import type { Metrics } from '../metrics.ts'
import type { Clock, EventBus, InFlight, Log, Projects, RateLimiter, RateLimits, RpcProxy } from '../serverPorts.ts'
import type { KeyService } from './keyService.ts'

export type { Caller } from '../serverPorts.ts'

/** One mail, as text and as HTML. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands mail over to whoever delivers it; fails where that is not taken. */
export interface Mailer {
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

/** The addresses of a social provider. The published ones stand in `providers.ts`. */
export interface SocialEndpoints {
  readonly authorize: string
  readonly token: string
  /** Where an access token is exchanged for who it is; absent where the id token says so. */
  readonly user?: string | undefined
  /** OpenID: who signs id tokens, and with which keys. */
  readonly issuer?: string | undefined
  readonly keys?: string | undefined
}

/** What a provider gave the operator. */
export interface SocialClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly endpoints: SocialEndpoints
}

/** Where sign-in with Farcaster is relayed, and where its ids are registered. */
export interface FarcasterEndpoints {
  readonly relay: string
  /** CAIP-2 of the registry's chain; has to be one of the server's. */
  readonly chainId: string
  readonly registry: `0x${string}`
}

/** A file of the frame's build, ready to be sent. */
export interface FrameFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  /** Whether the name changes with the content. */
  readonly hashed: boolean
}

/** The frame's build. Paths without an ending are its page. */
export interface FrameFiles {
  find(path: string): Promise<FrameFile | undefined>
}

/** What the operator has decided. */
export interface VaultPolicy {
  /** How long a sign-in lasts; after it no half is given out. */
  readonly sessionMs: number
  /** Whether a browser that an account does not know has to be approved by a mailed link before a code is sent. */
  readonly approveDevices: (email: string) => boolean
  readonly mailsPerHour: number
  /**
   * How long after a new device first asked a device that was opened with a code by mail alone may let it in. One that was opened with a
   * passkey or the recovery kit lets it in at once.
   */
  readonly deviceHoldMs: number
}

/** Where user operations go, and who may pay for them. */
export interface SmartAccountPorts {
  readonly bundlers: RpcProxy
  /** The operator's paymasters. */
  readonly sponsors: RpcProxy
  /** The pages whose visitors the operator pays for; none: every page that may embed the wallet. */
  readonly sponsorOrigins: readonly string[]
  /** For one account; accounts cost nothing, so there are two more limits. */
  readonly sponsorDailyPerAccount: number
  readonly sponsorDailyPerAddress: number
  readonly sponsorDailyTotal: number
  /** The most that one operation may cost: gas times price, in the smallest unit. */
  readonly sponsorMaxCostWei: bigint
  /** Origins of the paymasters that a page may name. */
  readonly pagePaymasters: readonly string[]
}

/** All that the keys origin stands on. */
export interface VaultPorts {
  /** `https://keys.shop.example`. */
  readonly origin: string
  /** Sign cookies and digest codes, the newest first: it signs, the others are still believed. */
  readonly secrets: readonly string[]
  readonly connection: Connection
  readonly projects: Projects
  readonly chain: RpcProxy
  readonly mailer: Mailer
  readonly frameFiles: FrameFiles
  readonly social: ReadonlyMap<SocialProvider, SocialClient>
  readonly farcaster: FarcasterEndpoints | undefined
  /** Absent where accounts are keys only. */
  readonly smart?: SmartAccountPorts | undefined
  readonly policy: VaultPolicy
  /** Assisted custody: who seals the second share. Absent, as by default, nobody but its owner can open a vault. */
  readonly keyService?: KeyService | undefined
  /** Whether owners may let pages sign within limits. The frame keeps those limits; it is only told here. */
  readonly smartSessions?: boolean | undefined
  /** The origin of visitor identification; none where it is off. */
  readonly identify?: string | undefined
  /** How providers are asked. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly bus: EventBus
  /** What open requests hold in memory. */
  readonly inFlight: InFlight
  readonly rateLimiter: RateLimiter
  readonly rateLimits: Pick<RateLimits, 'perAddress'>
  readonly metrics: Metrics
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: Clock
  /** Lets time pass while a frame waits for something. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}
