import type { RelyingParty } from '@latchkey/siwx/server'
import type { Metrics } from './metrics.ts'

/** A directory request of a page, for one page of the wallets that match every filter. */
export interface DirectoryQuery {
  page: number
  entries: number
  search: string
  badge: string
  include: readonly string[]
  exclude: readonly string[]
  chains: readonly string[]
}

/** A page of wallets as serialized JSON, and the total count. */
export interface DirectoryPage {
  data: readonly string[]
  count: number
}

/** The wallet directory. */
export interface Directory {
  find(query: DirectoryQuery): DirectoryPage
  size: number
}

/** An image, ready to be sent. */
export interface Image {
  bytes: Uint8Array<ArrayBuffer>
  type: 'image/webp' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/svg+xml'
  etag: string
}

/** The kinds of image in the wire format, one per endpoint. */
export type ImageKind = 'wallet' | 'asset' | 'currency' | 'token'

/** The images of the directory service. */
export interface Images {
  find(kind: ImageKind, id: string): Promise<Image | undefined>
}

/** A registered project: who can use this server, and which features are enabled for it. */
export interface Project {
  id: string
  name: string
  /** Origin patterns. An empty list allows every origin. */
  allowedOrigins: readonly string[]
  /** The features enabled for its pages, such as `swap` or `social_login=google,email`. If empty, the page decides. */
  features: readonly string[]
  analytics: boolean
}

/** The operator's projects. If none is registered, every project ID is allowed. */
export interface Projects {
  all(): Promise<readonly Project[]>
  save(project: Project): Promise<void>
  remove(id: string): Promise<boolean>
}

/** A parsed analytics event. Its only information about the sender is what the page included. */
export interface AnalyticsEvent {
  projectId: string
  eventId: string
  /** The page, without query and fragment. */
  url: string
  domain: string
  timestamp: Date
  type: string
  event: string
  properties: Record<string, unknown>
  address: string | null
}

/** Stores analytics events. */
export interface Events {
  insert(events: readonly AnalyticsEvent[]): Promise<void>
  count(projectId: string): Promise<number>
  removeBefore(date: Date): Promise<void>
}

/** The response of an upstream node, or the reason why there is none. */
export type RpcResponse =
  | { kind: 'answered'; body: string }
  | { kind: 'unsupported' }
  /** `seconds`: when to retry. */
  | { kind: 'unavailable'; seconds?: number }

/** Charges calls to a client. Each method throws an HttpError if the limit is exceeded. */
export interface RpcCharge {
  /** Called with the number of calls before they are made. */
  calls?(count: number): Promise<void> | void
  /** Called with the number of response bytes as they arrive. */
  bytes?(count: number): void
}

/** The blockchain nodes behind the RPC proxy. */
export interface RpcProxy {
  supported(): readonly string[]
  send(chainId: string, body: string, signal: AbortSignal, charge?: RpcCharge): Promise<RpcResponse>
}

/** A structured log. Entries never contain an address, an IP or a full URL. */
export interface Log {
  (
    level: 'debug' | 'info' | 'warn' | 'error',
    message: string,
    fields?: Record<string, string | number | boolean>,
  ): void
}

/** Notifies listeners of changes, in this process or, if the adapter supports it, in every instance. */
export interface EventBus {
  publish(topic: string): void
  subscribe(topic: string, listener: () => void): () => void
}

/** Returns the time in milliseconds. */
export interface Clock {
  (): number
}

/** Accepts analytics events and writes them in batches. */
export interface EventIngest {
  /** Returns how many of `events` were accepted. */
  accept(events: readonly AnalyticsEvent[]): number
  /** Writes pending events. */
  flush(): Promise<void>
}

/** Limits request rates. Shared by all instances if the adapter supports it. */
export interface RateLimiter {
  /** Takes `count` tokens, 1 by default. Returns the seconds to wait, or 0 if there were enough tokens. */
  take(key: string, perMinute: number, count?: number): number | Promise<number>
}

/** Requests per minute. 0 means no limit. */
export interface RateLimits {
  perAddress: number
  perProject: number
}

/** The sender of a request, as far as the listener knows it. */
export interface Caller {
  readonly address?: string | undefined
  /** The request ID set by a trusted proxy. */
  readonly requestId?: string | undefined
  /** Registers a listener that is called when the response has been sent or the connection has closed. */
  readonly onSent?: ((listener: () => void) => void) | undefined
}

/** Maximum request sizes. */
export interface RequestLimits {
  analyticsBytes: number
  rpcBytes: number
}

/** The relay's HTTP interface. */
export interface RelayRpc {
  /** Maximum size of a call. */
  readonly bytes: number
  /** Handles a call. Resolves to the response, including rejections. */
  call(
    request: Request,
    address: string | undefined,
    /** Reads the call. Not called before the caller's token is verified. */
    read: () => Promise<string>,
  ): Promise<{ status: number; body: string }>
  /** Rejects if the store does not respond. */
  ping(): Promise<void>
  /** Whether the store is out of memory. */
  isOutOfMemory?(): boolean
}

/** Signs attestations of which page sent a message. */
export interface AttestationSigner {
  /** Returns a JWT for the message whose SHA-256 is `id`. */
  attest(params: { id: string; origin: string; projectId: string }): Promise<string>
  publicKey(): Promise<{
    publicKey: { kty: 'EC'; crv: 'P-256'; x: string; y: string; ext: true; key_ops: readonly ['verify'] }
    /** Unix seconds. */
    expiresAt: number
  }>
}

/** The endpoints for sign-in with a wallet. */
export interface SignInEndpoints {
  answer(request: Request, relyingParty: RelyingParty, address: string | undefined): Promise<Response>
}

/** The dependencies of a server. Each has an in-memory adapter, so that a complete server can run in a test. */
export interface ServerDependencies {
  directory: Directory
  images: Images
  projects: Projects
  intake: EventIngest
  /** Whether analytics events are collected. */
  analytics: boolean
  chain: RpcProxy
  metrics: Metrics
  /** Bearer token for `/metrics`. Without a token, metrics are unavailable. */
  metricsToken: string | undefined
  limits: RequestLimits
  /** The memory that open requests hold. */
  inFlight: InFlight
  rateLimiter: RateLimiter
  rateLimits: RateLimits
  /** The social logins of the embedded wallet. `undefined` if it is not configured. */
  socials?: readonly string[] | undefined
  relay?: RelayRpc | undefined
  verify?: AttestationSigner | undefined
  signIn?: SignInEndpoints | undefined
  log: Log
  clock: Clock
  /** Resolves to whether the stores respond and whether the server is shutting down. */
  ready(): Promise<Readiness>
}

/** A store that the server needs. */
export interface StoreProbe {
  readonly name: 'database' | 'relay'
  /** Rejects if the store does not respond. */
  ping(): Promise<void>
  /** Whether the store responds but is out of memory. */
  isOutOfMemory?(): boolean
  /** Whether the store responds but its disk is full. */
  isDiskFull?(): boolean
}

/** The state of a store. */
export type StoreState = 'ok' | 'out of memory' | 'disk full' | 'unavailable'

/** Whether the server can serve requests. */
export interface Readiness {
  /** Whether the server is shutting down. Load balancers should stop sending requests. */
  readonly isDraining: boolean
  readonly stores: Readonly<Partial<Record<StoreProbe['name'], StoreState>>>
}

/** The memory reserved for a request until its response has been sent. */
export interface Lease {
  /**
   * Counts bytes as held.
   *
   * @throws {HttpError} if the address or the process holds too much.
   */
  take(bytes: number): void
  /**
   * Reserves room at the address for bytes that will be taken.
   *
   * @throws {HttpError} if there is not enough room.
   */
  expect(bytes: number): void
  /** Releases everything. */
  end(): void
}

/** Counts the memory that all open requests hold. */
export interface InFlight {
  begin(address: string | undefined): Lease
  /** The bytes held by all requests together. */
  held(): number
}
