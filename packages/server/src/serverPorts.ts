import type { Metrics } from './metrics.ts'
import type { RelyingParty } from './signIn/requestOrigin.ts'

/** What a page asks the directory: one page of the wallets that pass every filter. */
export interface DirectoryQuery {
  page: number
  entries: number
  search: string
  badge: string
  include: readonly string[]
  exclude: readonly string[]
  chains: readonly string[]
}

/** One page of wallets as ready JSON text, and how many there are over all pages. */
export interface DirectoryPage {
  data: readonly string[]
  count: number
}

/** The wallet directory. */
export interface Directory {
  find(query: DirectoryQuery): DirectoryPage
  size: number
}

/** A picture, ready to be sent. */
export interface Image {
  bytes: Uint8Array<ArrayBuffer>
  type: 'image/webp' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/svg+xml'
  etag: string
}

/** The kinds of picture the wire has, one per endpoint. */
export type ImageKind = 'wallet' | 'asset' | 'currency' | 'token'

/** Every picture of the directory service. */
export interface Images {
  find(kind: ImageKind, id: string): Promise<Image | undefined>
}

/** A project of the operator: who may use this server, and what is switched on for them. */
export interface Project {
  id: string
  name: string
  /** Origin patterns; an empty list lets every origin in. */
  allowedOrigins: readonly string[]
  /** What is switched on for its pages, as `swap` or `social_login=google,email`; none leaves that to them. */
  features: readonly string[]
  analytics: boolean
}

/** The operator's projects. None registered means: every project id is welcome. */
export interface Projects {
  all(): Promise<readonly Project[]>
  save(project: Project): Promise<void>
  remove(id: string): Promise<boolean>
}

/** One analytics event, parsed and without anything that tells who sent it beyond what the page wrote. */
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

/** Where analytics events are kept. */
export interface Events {
  insert(events: readonly AnalyticsEvent[]): Promise<void>
  count(projectId: string): Promise<number>
  removeBefore(date: Date): Promise<void>
}

/** What an upstream answered, or why nobody did. */
export type RpcResponse =
  | { kind: 'answered'; body: string }
  | { kind: 'unsupported' }
  /** `seconds`: when to try again. */
  | { kind: 'unavailable'; seconds?: number }

/** Whom a call to a node is charged to; each throws a Failure where the allowance is used up. */
export interface RpcCharge {
  /** Told of the number of calls before any of them is made: a batch is as many as are in it. */
  calls?(count: number): Promise<void> | void
  /** Told of the bytes of the answer as they arrive. */
  bytes?(count: number): void
}

/** The blockchain nodes behind the RPC proxy. */
export interface RpcProxy {
  supported(): readonly string[]
  send(chainId: string, body: string, signal: AbortSignal, charge?: RpcCharge): Promise<RpcResponse>
}

/** A structured line of the log. Never given an address, an IP or a full URL. */
export interface Log {
  (
    level: 'debug' | 'info' | 'warn' | 'error',
    message: string,
    fields?: Record<string, string | number | boolean>,
  ): void
}

/** Tells listeners of this process, or of every instance when the adapter spans them, that something changed. */
export interface EventBus {
  publish(topic: string): void
  subscribe(topic: string, listener: () => void): () => void
}

/** The time in milliseconds. */
export interface Clock {
  (): number
}

/** Takes analytics events in and writes them in batches. */
export interface EventIngest {
  /** How many of `events` there was room for. */
  accept(events: readonly AnalyticsEvent[]): number
  /** Writes what waits. */
  flush(): Promise<void>
}

/** Counts how often something is asked. One for all instances where the adapter spans them. */
export interface RateLimiter {
  /** Takes one, or `count`, from an allowance; answers with the seconds to wait, 0 where there was enough left. */
  take(key: string, perMinute: number, count?: number): number | Promise<number>
}

/** How often may be asked each minute; 0 is as often as one likes. */
export interface RateLimits {
  perAddress: number
  perProject: number
}

/** Who sent a request, where the listener knows. */
export interface Caller {
  readonly address?: string | undefined
  /** The id that a trusted proxy gave the request. */
  readonly requestId?: string | undefined
  /** Calls `listener` when the answer is sent, or the connection is gone. */
  readonly onSent?: ((listener: () => void) => void) | undefined
}

/** The sizes that a request may have. */
export interface RequestLimits {
  analyticsBytes: number
  rpcBytes: number
}

/** The relay, as far as it answers without a connection. */
export interface RelayRpc {
  /** The longest call. */
  readonly bytes: number
  /** The answer to one call, refusals included. */
  call(
    request: Request,
    address: string | undefined,
    /** Reads the call; not asked before the token of the caller is checked. */
    read: () => Promise<string>,
  ): Promise<{ status: number; body: string }>
  /** Rejects where its store does not answer. */
  ping(): Promise<void>
  /** Whether their store has no memory left. */
  isOutOfMemory?(): boolean
}

/** Says in signed words which page sent a message. */
export interface VerifyService {
  /** A JWT for the message whose SHA-256 is `id`. */
  attest(params: { id: string; origin: string; projectId: string }): Promise<string>
  publicKey(): Promise<{
    publicKey: { kty: 'EC'; crv: 'P-256'; x: string; y: string; ext: true; key_ops: readonly ['verify'] }
    /** Unix seconds. */
    expiresAt: number
  }>
}

/** Signs people in with their wallets. */
export interface SignInEndpoints {
  answer(request: Request, relyingParty: RelyingParty, address: string | undefined): Promise<Response>
}

/** All that a server stands on. Each has a memory adapter, so that a whole server runs in a test. */
export interface Ports {
  directory: Directory
  images: Images
  projects: Projects
  intake: EventIngest
  /** Whether analytics are taken at all. */
  analytics: boolean
  chain: RpcProxy
  metrics: Metrics
  /** Bearer token for `/metrics`; without one there are none to be read. */
  metricsToken: string | undefined
  limits: RequestLimits
  /** What open requests hold in memory. */
  inFlight: InFlight
  rateLimiter: RateLimiter
  rateLimits: RateLimits
  /** The social log-ins of the embedded wallet; absent where this server has none. */
  socials?: readonly string[] | undefined
  relay?: RelayRpc | undefined
  verify?: VerifyService | undefined
  signIn?: SignInEndpoints | undefined
  log: Log
  clock: Clock
  /** Whether the stores answer, and whether the server is about to stop. */
  ready(): Promise<Readiness>
}

/** A store that the server needs. */
export interface StoreProbe {
  readonly name: 'database' | 'relay'
  /** Rejects where the store does not answer. */
  ping(): Promise<void>
  /** Whether it answers and has no memory left for more. */
  isOutOfMemory?(): boolean
  /** Whether it answers and its disk has no room left for more. */
  isDiskFull?(): boolean
}

/** How a store is. */
export type StoreState = 'ok' | 'out of memory' | 'disk full' | 'unavailable'

/** Whether the server can do its work. */
export interface Readiness {
  /** Whether it is about to stop: what stands in front should send nothing more. */
  readonly isDraining: boolean
  readonly stores: Readonly<Partial<Record<StoreProbe['name'], StoreState>>>
}

/** What one request holds until its answer is sent. */
export interface Lease {
  /** Counts bytes that are held from now on; throws a Failure where the address or the process holds too much. */
  take(bytes: number): void
  /** Keeps room at the address for bytes that will be taken; throws where there is none. */
  expect(bytes: number): void
  /** Gives everything back. */
  end(): void
}

/** Counts what all open requests hold. */
export interface InFlight {
  begin(address: string | undefined): Lease
  /** What is held now, by all requests together. */
  held(): number
}
