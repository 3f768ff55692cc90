import type { RelyingParty } from '@latchkey/siwx/server'
import type { Metrics } from './metrics.ts'

/** A directory request of a page, for one page of the wallets that match every filter. */
export interface DirectoryQuery {
  /** Starts at 1. */
  page: number
  /** The number of wallets per page. */
  entries: number
  /** A part of the name, in any case. Empty if wallets are not filtered by name. */
  search: string
  /** `certified` or `none`, for wallets without a badge. Empty if the badge does not matter. */
  badge: string
  /** The IDs of the only wallets to return. Empty if all can be returned. */
  include: readonly string[]
  /** The IDs of wallets to leave out. Can be empty. */
  exclude: readonly string[]
  /** Only wallets that support any of these CAIP-2 chains. Empty if the chain does not matter. */
  chains: readonly string[]
}

/** A page of wallets as serialized JSON, and the total count. */
export interface DirectoryPage {
  /** One JSON text per wallet, in the order of the directory. Empty after the last page. */
  data: readonly string[]
  /** The number of wallets that match the query, over all pages. */
  count: number
}

/** The wallet directory. */
export interface Directory {
  /** Returns one page of the wallets that match every filter, sorted by their `order`. */
  find(query: DirectoryQuery): DirectoryPage
  /** The number of wallets with different IDs. */
  size: number
}

/** An image, ready to be sent. */
export interface Image {
  /** The content of the file. */
  bytes: Uint8Array<ArrayBuffer>
  /** The media type, detected from the content. */
  type: 'image/webp' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/svg+xml'
  /** A strong ETag with its quotes (RFC 9110), derived from the content. */
  etag: string
}

/** The kinds of image in the wire format, one per endpoint. */
export type ImageKind = 'wallet' | 'asset' | 'currency' | 'token'

/** The images of the directory service. */
export interface Images {
  /** Resolves to the image with this ID, or `undefined` if there is none. */
  find(kind: ImageKind, id: string): Promise<Image | undefined>
}

/** A registered project: who can use this server, and which features are enabled for it. */
export interface Project {
  /** The project ID that pages send: the `projectId` of `createLatchkey()`. */
  id: string
  /** The operator's name for the project. Not shown to users. */
  name: string
  /** Origin patterns. An empty list allows every origin. */
  allowedOrigins: readonly string[]
  /** The features enabled for its pages, such as `swap` or `social_login=google,email`. If empty, the page decides. */
  features: readonly string[]
  /** Whether analytics events of its pages are collected. Has no effect if the server collects none. */
  analytics: boolean
}

/** The operator's projects. If none is registered, every project ID is allowed. */
export interface Projects {
  /** Resolves to all registered projects, sorted by ID. Called for every request, so an implementation should cache. */
  all(): Promise<readonly Project[]>
  /** Registers the project, or replaces the one with its ID. */
  save(project: Project): Promise<void>
  /** Resolves to whether a project with this ID was registered. */
  remove(id: string): Promise<boolean>
}

/** A parsed analytics event. Its only information about the sender is what the page included. */
export interface AnalyticsEvent {
  /** The project ID that the page sent, of at most 128 characters. Empty if it sent none. */
  projectId: string
  /** The page's ID of the event, of at most 128 characters. A project's event is stored once per ID. */
  eventId: string
  /** The page, without query and fragment. */
  url: string
  /** The host name that the page sent, or empty. */
  domain: string
  /** When the event happened, by the page's clock. */
  timestamp: Date
  /** `track` or `error` in events of Latchkey. Empty if the page sent none. */
  type: string
  /** The name of the event, such as `CONNECT_SUCCESS`, of at most 256 characters. */
  event: string
  /** The event's properties as JSON values, nested at most five levels deep. Deeper objects are `null`. */
  properties: Record<string, unknown>
  /** The address of the connected account, or `null` if the page sent none. */
  address: string | null
}

/** Stores analytics events. */
export interface Events {
  /** Stores events. Ignores those whose project and event ID are stored already. */
  insert(events: readonly AnalyticsEvent[]): Promise<void>
  /** Resolves to the number of stored events of a project. */
  count(projectId: string): Promise<number>
  /** Deletes the events with an earlier `timestamp`. */
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
  /** Returns the CAIP-2 IDs of the chains with a node. */
  supported(): readonly string[]
  /** Sends a JSON-RPC call or batch to a node of a CAIP-2 chain. Rejects with an `HttpError` if the body is invalid or a limit is exceeded. */
  send(chainId: string, body: string, signal: AbortSignal, charge?: RpcCharge): Promise<RpcResponse>
}

/** A structured log. Entries never contain an address, an IP or a full URL. */
export interface Log {
  /** Writes an entry if its level is enabled. `message` is constant; variable parts belong in `fields`. */
  (
    level: 'debug' | 'info' | 'warn' | 'error',
    message: string,
    fields?: Record<string, string | number | boolean>,
  ): void
}

/** Notifies listeners of changes, in this process or, if the adapter supports it, in every instance. */
export interface EventBus {
  /** Calls the listeners of a topic. */
  publish(topic: string): void
  /** Calls `listener` for each change of a topic. Returns a function that unsubscribes. */
  subscribe(topic: string, listener: () => void): () => void
}

/** Returns the time in milliseconds. */
export interface Clock {
  /** Returns milliseconds. What takes the clock defines whether they count from the Unix epoch. */
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
  /** Per client IP address, for each part of the server. Images have five times the limit, analytics and sign-in a quarter. */
  perAddress: number
  /** Per registered project, with the same shares. IDs that are not registered have no such limit. */
  perProject: number
}

/** The sender of a request, as far as the listener knows it. */
export interface Caller {
  /** The client's IP address. Limits per address do not apply without it. */
  readonly address?: string | undefined
  /** The request ID set by a trusted proxy. */
  readonly requestId?: string | undefined
  /** Registers a listener that is called when the response has been sent or the connection has closed. */
  readonly onSent?: ((listener: () => void) => void) | undefined
}

/** Maximum request sizes. */
export interface RequestLimits {
  /** Maximum size of the body of `POST /e` and `POST /batch`, in bytes. */
  analyticsBytes: number
  /** Maximum size of the body of `POST /v1/`, in bytes. */
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
  /** Resolves to the public key of the current attestations, as a JSON Web Key, and when to request it again. */
  publicKey(): Promise<{
    publicKey: { kty: 'EC'; crv: 'P-256'; x: string; y: string; ext: true; key_ops: readonly ['verify'] }
    /** Unix seconds. */
    expiresAt: number
  }>
}

/** The endpoints for sign-in with a wallet. */
export interface SignInEndpoints {
  /** Resolves to the response to a request of `/auth/v1/`. `address` is the client's IP address, if known. */
  answer(request: Request, relyingParty: RelyingParty, address: string | undefined): Promise<Response>
}

/** The dependencies of a server. Each has an in-memory adapter, so that a complete server can run in a test. */
export interface ServerDependencies {
  /** Serves `/getWallets`. */
  directory: Directory
  /** Serves the logos of wallets and the icons of networks, currencies and tokens. */
  images: Images
  /** Decides which project IDs and origins can use the server. */
  projects: Projects
  /** Receives the analytics events of pages. */
  intake: EventIngest
  /** Whether analytics events are collected. */
  analytics: boolean
  /** Serves `/v1/`, the JSON-RPC of the chains. */
  chain: RpcProxy
  /** Counts requests, and is served at `/metrics`. */
  metrics: Metrics
  /** Bearer token for `/metrics`. Without a token, metrics are unavailable. */
  metricsToken: string | undefined
  /** Maximum sizes of request bodies. */
  limits: RequestLimits
  /** The memory that open requests hold. */
  inFlight: InFlight
  /** Counts requests for `rateLimits`. */
  rateLimiter: RateLimiter
  /** The rate limits of directory, images, analytics, chains and sign-in. */
  rateLimits: RateLimits
  /** The social logins of the embedded wallet. `undefined` if it is not configured. */
  socials?: readonly string[] | undefined
  /** Serves the relay's calls over HTTP. `undefined` without a relay; its WebSockets are served by the listener. */
  relay?: RelayRpc | undefined
  /** Serves the verify API for WalletConnect. `undefined` if it is disabled. */
  verify?: AttestationSigner | undefined
  /** Serves `/auth/v1/`, the sign-in with a wallet. `undefined` if it is disabled. */
  signIn?: SignInEndpoints | undefined
  /** Receives an entry for each request and each unexpected error. Pass `() => {}` to discard them. */
  log: Log
  /** A monotonic clock for durations, such as `performance.now`. */
  clock: Clock
  /** Resolves to whether the stores respond and whether the server is shutting down. */
  ready(): Promise<Readiness>
}

/** A store that the server needs. */
export interface StoreProbe {
  /** The name under which `/ready` reports the store. */
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
  /** The state of each store that was checked. */
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
  /** Starts counting a request from this IP address. Without an address, it only counts towards the total. */
  begin(address: string | undefined): Lease
  /** The bytes held by all requests together. */
  held(): number
}
