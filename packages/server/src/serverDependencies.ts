import type { StoreState } from '@latchkey/protocol/http/healthRoutes'
import type { RelyingParty } from '@latchkey/siwx/server'
import type { ChainApi } from './chainApi/chainApiTypes.ts'
import type { ConnectionMemory, IpAddressGroup } from './ipAddresses/ipAddressGroups.ts'
import type { Metrics } from './monitoring/metrics.ts'

/** A query for one page of the wallets that match all filters. */
export interface DirectoryQuery {
  /** The page number. The first page is 1. */
  page: number
  /** The number of wallets per page. */
  entries: number
  /** Part of the wallet name, case-insensitive. Empty if wallets are not filtered by name. */
  search: string
  /** `certified`, or `none` for wallets without a badge. Empty if wallets are not filtered by badge. */
  badge: string
  /** The IDs of the only wallets to return. Empty if any wallet can be returned. */
  include: readonly string[]
  /** The IDs of the wallets to exclude. */
  exclude: readonly string[]
  /**
   * CAIP-2 chain IDs. Only wallets that support at least one of them are returned. Empty if wallets are not filtered by chain.
   */
  chains: readonly string[]
}

/** A page of serialized wallets, and the total number of matching wallets. */
export interface DirectoryPage {
  /** The wallets as JSON strings, in directory order. Empty past the last page. */
  data: readonly string[]
  /** The number of wallets on all pages that match the query. */
  count: number
}

/** The wallet directory. */
export interface Directory {
  /** Returns one page of the wallets that match all filters, sorted by `order`. */
  find(query: DirectoryQuery): DirectoryPage
  /** The number of wallets in the directory. */
  size: number
}

/** An image that is ready to be sent. */
export interface Image {
  /** The file content. */
  bytes: Uint8Array<ArrayBuffer>
  /** The media type, which is detected from the content. */
  type: 'image/webp' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/svg+xml'
  /** A strong ETag in quotes (RFC 9110), which is derived from the content. */
  etag: string
}

/** The kinds of image in the wire format. Each has its own endpoint. */
export type ImageKind = 'wallet' | 'asset' | 'currency' | 'token'

/** The images that the directory service provides. */
export interface Images {
  /** Resolves to the image with the given ID, or to `undefined` if there is none. */
  find(kind: ImageKind, id: string): Promise<Image | undefined>
  /** Returns the image if it is in memory, otherwise `undefined`. */
  cached?(kind: ImageKind, id: string): Image | undefined
}

/** A registered project, which specifies who can use this server and which features are enabled. */
export interface Project {
  /** The project ID that pages send: the `projectId` passed to `createLatchkey()`. */
  id: string
  /** The operator's name for the project. It is not shown to users. */
  name: string
  /** Origin patterns. An empty list allows every origin. */
  allowedOrigins: readonly string[]
  /**
   * The features that are enabled for the project's pages, such as `swap` or `social_login=google,email`. If empty, the page
   * decides.
   */
  features: readonly string[]
  /** Whether to collect analytics events from the project's pages. Has no effect if analytics is disabled on the server. */
  analytics: boolean
}

/** The store for the operator's projects. If no project is registered, every project ID is allowed. */
export interface Projects {
  /** Resolves to all registered projects, sorted by ID. Called for every request, so implementations should cache the result. */
  all(): Promise<readonly Project[]>
  /** Returns the list if an up-to-date version is in memory, so that most requests do not have to wait for `all`. */
  cached?(): readonly Project[] | undefined
  /** Registers a project, or replaces the project with the same ID. */
  save(project: Project): Promise<void>
  /** Removes a project. Resolves to whether the project was registered. */
  remove(id: string): Promise<boolean>
}

/** A parsed analytics event. The only information about the sender is what the page included. */
export interface AnalyticsEvent {
  /** The project ID that the page sent, up to 128 characters. Empty if the page sent none. */
  projectId: string
  /** The event ID that the page assigned, up to 128 characters. Each ID is stored only once per project. */
  eventId: string
  /** The page URL without its query and fragment. */
  url: string
  /** The host name that the page sent. Empty if the page sent none. */
  domain: string
  /** When the event happened according to the page's clock. */
  timestamp: Date
  /** `track` or `error` for events that Latchkey sends. Empty if the page sent no type. */
  type: string
  /** The event name, such as `CONNECT_SUCCESS`, up to 256 characters. */
  event: string
  /** The event's properties as JSON values, nested up to five levels. Objects and arrays below that are replaced with `null`. */
  properties: Record<string, unknown>
  /** The address of the connected account, or `null` if the page sent none. */
  address: string | null
}

/** The store for analytics events. */
export interface Events {
  /** Stores events. Ignores events whose project ID and event ID are already stored. */
  insert(events: readonly AnalyticsEvent[]): Promise<void>
  /** Resolves to the number of events stored for a project. */
  count(projectId: string): Promise<number>
  /** Deletes the events whose `timestamp` is before `date`. */
  removeBefore(date: Date): Promise<void>
}

/** The response from an upstream node, or the reason why there is no response. */
export type RpcResponse =
  | { kind: 'answered'; body: string }
  | { kind: 'unsupported' }
  /** `seconds` is the time after which the client can retry. */
  | { kind: 'unavailable'; seconds?: number }

/** Charges calls to a client. Each method throws an `HttpError` if a limit is exceeded. */
export interface RpcCharge {
  /** Called before calls are made, with the number of calls. */
  calls?(count: number): Promise<void> | void
  /** Called as response bytes arrive, with the number of bytes. */
  bytes?(count: number): void
}

/** An RPC proxy to the nodes of each chain. */
export interface RpcProxy {
  /** Returns the CAIP-2 IDs of the chains that have a node. */
  supported(): readonly string[]
  /**
   * Sends a JSON-RPC call or batch to a node of the given CAIP-2 chain. Rejects with an `HttpError` if the body is invalid or a
   * limit is exceeded.
   */
  send(chainId: string, body: string, signal: AbortSignal, charge?: RpcCharge): Promise<RpcResponse>
}

/** A structured log. Entries never contain account addresses, IP addresses or full URLs. */
export interface Log {
  /** Writes an entry if its level is enabled. `message` is constant, and variable parts belong in `fields`. */
  (
    level: 'debug' | 'info' | 'warn' | 'error',
    message: string,
    fields?: Record<string, string | number | boolean>,
  ): void
}

/** Notifies listeners of changes. Depending on the adapter, listeners in this process or in all instances are notified. */
export interface EventBus {
  /** Calls the listeners that are subscribed to a topic. */
  publish(topic: string): void
  /** Calls `listener` whenever a topic is published. Returns a function that unsubscribes. */
  subscribe(topic: string, listener: () => void): () => void
}

/** A clock that returns the time in milliseconds. */
export interface Clock {
  /** Returns the time in milliseconds. The option that takes the clock defines whether the time counts from the Unix epoch. */
  (): number
}

/** Accepts analytics events and writes them in batches. */
export interface EventIngest {
  /** Queues events. Returns the number of accepted events. */
  accept(events: readonly AnalyticsEvent[]): number
  /** Writes all pending events. */
  flush(): Promise<void>
}

/** Limits request rates. Depending on the adapter, all instances share the limits. */
export interface RateLimiter {
  /** Takes `count` tokens (default 1). Returns the number of seconds to wait, or 0 if there were enough tokens. */
  take(key: string, perMinute: number, count?: number): number | Promise<number>
}

/** The maximum number of requests per minute. 0 means no limit. */
export interface RateLimits {
  /**
   * The limit per client IP address, for each part of the server. For images, the limit is five times as high. For analytics and
   * sign-in, it is a quarter of this number.
   */
  perAddress: number
  /**
   * The limit per registered project. It applies to each part of the server in the same proportions. Unregistered project IDs
   * have no such limit.
   */
  perProject: number
}

/** The information that the listener has about the sender of a request. */
export interface Caller {
  /** The client's IP address. If absent, limits per address do not apply. */
  readonly address?: string | undefined
  /** An object that the listener creates for each connection. The server uses it to remember the caller's address groups. */
  readonly connection?: ConnectionMemory | undefined
  /** The request ID that a trusted proxy has set. */
  readonly requestId?: string | undefined
  /** Registers a listener that is called when the response has been sent or the connection has closed. */
  readonly onSent?: ((listener: () => void) => void) | undefined
}

/** The maximum sizes of request bodies. */
export interface RequestLimits {
  /** The maximum body size for `POST /e` and `POST /batch`, in bytes. */
  analyticsBytes: number
  /** The maximum body size for `POST /v1/`, in bytes. */
  rpcBytes: number
}

/** The relay's HTTP interface. */
export interface RelayRpc {
  /** The maximum size of a call, in bytes. */
  readonly bytes: number
  /** Handles a call. Resolves to the response, even if the call is rejected. */
  call(
    request: Request,
    address: string | undefined,
    /** Reads the call. Not called until the caller's token has been verified. */
    read: () => Promise<string>,
  ): Promise<{ status: number; body: string }>
  /** Rejects if the store does not respond. */
  ping(): Promise<void>
  /** Returns whether the store is out of memory. */
  isOutOfMemory?(): boolean
}

/** Signs attestations that identify the page that sent a message. */
export interface AttestationSigner {
  /** Resolves to a JWT for the message whose SHA-256 hash is `id`. */
  attest(params: { id: string; origin: string; projectId: string }): Promise<string>
  /**
   * Resolves to the public key for current attestations as a JSON Web Key, and to the time at which clients should request the
   * key again.
   */
  publicKey(): Promise<{
    publicKey: { kty: 'EC'; crv: 'P-256'; x: string; y: string; ext: true; key_ops: readonly ['verify'] }
    /** The time in Unix seconds. */
    expiresAt: number
  }>
}

/** The endpoints for sign-in with a wallet. */
export interface SignInEndpoints {
  /** Resolves to the response to a request for `/auth/v1/`. `address` is the client's IP address, if known. */
  answer(request: Request, relyingParty: RelyingParty, address: string | undefined): Promise<Response>
}

/** The dependencies of a server. Each has an in-memory adapter, so that a complete server can run in a test. */
export interface ServerDependencies {
  /** The wallet directory, which serves `/getWallets`. */
  directory: Directory
  /** The store for wallet logos and for the icons of networks, currencies and tokens. */
  images: Images
  /** The store for projects, which determine which project IDs and origins can use the server. */
  projects: Projects
  /** Receives analytics events from pages. */
  intake: EventIngest
  /** Whether the server collects analytics events. */
  analytics: boolean
  /** The RPC proxy, which serves `/v1/`. */
  chain: RpcProxy
  /** The chain API, which serves accounts, swaps, names and purchases at `/v1/`. Parts that are not configured are absent. */
  chainApi: ChainApi
  /** The metrics, which are served at `/metrics`. */
  metrics: Metrics
  /** The bearer token for `/metrics`. Without a token, metrics are unavailable. */
  metricsToken: string | undefined
  /** The maximum sizes of request bodies. */
  limits: RequestLimits
  /** Counts the memory that open requests use. */
  inFlight: InFlight
  /** Enforces `rateLimits`. */
  rateLimiter: RateLimiter
  /** The rate limits for the directory, images, analytics, chains and sign-in. */
  rateLimits: RateLimits
  /** The social logins that the embedded wallet supports. `undefined` if the wallet is not configured. */
  socials?: readonly string[] | undefined
  /** Handles the relay's calls over HTTP. `undefined` if the relay is disabled. The listener serves its WebSocket connections. */
  relay?: RelayRpc | undefined
  /** Serves the WalletConnect verify API. `undefined` if it is disabled. */
  verify?: AttestationSigner | undefined
  /** Serves sign-in with a wallet at `/auth/v1/`. `undefined` if sign-in is disabled. */
  signIn?: SignInEndpoints | undefined
  /** Receives a log entry for each request and each unexpected error. Pass `() => {}` to discard the entries. */
  log: Log
  /** A monotonic clock for durations, such as `performance.now`. */
  clock: Clock
  /** Resolves to the state of the stores and to whether the server is shutting down. */
  ready(): Promise<Readiness>
}

/** A store that the server needs. */
export interface StoreProbe {
  /** The name of the store in the response of `/ready`. */
  readonly name: 'database' | 'relay'
  /** Rejects if the store does not respond. */
  ping(): Promise<void>
  /** Returns whether the store responds but is out of memory. */
  isOutOfMemory?(): boolean
  /** Returns whether the store responds but its disk is full. */
  isDiskFull?(): boolean
}

/** The result of a readiness check. */
export interface Readiness {
  /** Whether the server is shutting down. If so, load balancers should stop sending requests to it. */
  readonly isDraining: boolean
  /** The state of each store that was checked. */
  readonly stores: Readonly<Partial<Record<StoreProbe['name'], StoreState>>>
}

/** The memory that is reserved for a request until its response has been sent. */
export interface Lease {
  /**
   * Counts bytes as in use.
   *
   * @throws {HttpError} if the address or the process would use too much memory.
   */
  take(bytes: number): void
  /**
   * Reserves bytes that will be taken later, so that other requests from the same address cannot use them.
   *
   * @throws {HttpError} if the address would use too much memory.
   */
  expect(bytes: number): void
  /** Releases all bytes. */
  end(): void
}

/** Counts the memory that all open requests use. */
export interface InFlight {
  /**
   * Starts counting a request from the given IP address. Without an address, the request counts only towards the total. `groups`
   * defaults to the groups of the address.
   */
  begin(address: string | undefined, groups?: readonly IpAddressGroup[]): Lease
  /** Returns the number of bytes that all requests use together. */
  held(): number
}
