import * as v from 'valibot'
import { isSafeLink, isWebLink } from '../safeLinks.ts'
import { maxEntries, maxWalletsCount, walletsPageSize } from '../specificationConstants.ts'
import { sanitizeName } from '../untrustedNames.ts'
import { defineEndpoint, type Endpoint, type EndpointErrors } from './endpoint.ts'
import type { Identity } from './url.ts'

export { type Identity, pathOf, type QueryValue, urlOf } from './url.ts'

// The field names come from section 7 of the specification, for compatibility with existing clients and servers.

// --- Helpers -------------------------------------------------------------------------------------------------------

/* @__NO_SIDE_EFFECTS__ */
const text = (max: number) => v.pipe(v.string(), v.maxLength(max))
/* @__NO_SIDE_EFFECTS__ */
const orNothing = <Value>(schema: v.GenericSchema<unknown, Value>) =>
  v.pipe(
    v.nullish(schema),
    v.transform((value): Value | undefined => value ?? undefined),
  )
const identityEntries = {
  projectId: v.optional(text(128)),
  st: v.optional(text(64)),
  sv: v.optional(text(128)),
}
const list = v.optional(
  v.pipe(
    text(64_000),
    v.transform((joined) => joined.split(',').flatMap((item) => item.trim() || [])),
  ),
  '',
)
/* @__NO_SIDE_EFFECTS__ */
const count = (min: number, max: number) =>
  v.pipe(
    text(16),
    v.regex(/^\d+$/),
    v.transform((digits) => Math.min(Number(digits), max)),
    v.minValue(min),
  )

/** The schema for the query parameters sent with every request. */
export const identityQuery: v.GenericSchema<unknown, Identity> = v.object(identityEntries)

// Some directories use "-" or "nothing" for a missing link. Such a link becomes `null`, and the wallet is kept.
/* @__NO_SIDE_EFFECTS__ */
const linkWhere = (fits: (link: string) => boolean) =>
  v.nullish(
    v.pipe(
      text(2048),
      v.trim(),
      v.transform((link) => (fits(link) ? link : null)),
    ),
  )
const appLink = linkWhere(isSafeLink)
const webLink = linkWhere(isWebLink)
/** Returns the schema for a list of up to `max` items. The length is checked first, so that oversized lists are not parsed. */
/* @__NO_SIDE_EFFECTS__ */
const listOf = <Item>(item: v.GenericSchema<unknown, Item>, max: number) =>
  v.pipe(
    v.custom<unknown[]>((value) => Array.isArray(value) && value.length <= max),
    v.array(item),
  )

// --- The directory -------------------------------------------------------------------------------------------------

/** A wallet in the directory. After parsing with the `wallet` schema, its links are safe to show to users. */
export interface Wallet {
  /** The wallet's ID in the directory. At most 128 characters. */
  readonly id: string
  /** The display name. A name without visible characters becomes `Wallet` during parsing. */
  readonly name: string
  /** The URL of the wallet's website. Web links that do not use https become `null` during parsing, except on localhost. */
  readonly homepage?: string | null | undefined
  /** The ID of the wallet's logo, for use with `getWalletImage`. */
  readonly image_id?: string | undefined
  /** The URL of the wallet's logo. Takes precedence over `image_id`. */
  readonly image_url?: string | null | undefined
  /** The wallet's position in lists, in ascending order. Wallets without an `order` come last. */
  readonly order?: number | undefined
  /** `certified` for wallets with a badge, otherwise `none` or absent. */
  readonly badge_type?: string | null | undefined
  /** The CAIP-2 IDs of the supported chains. If absent, the wallet does not match any `chains` filter. */
  readonly chains?: readonly string[] | undefined
  /** A link that opens the wallet's mobile app: a custom URL scheme or a universal link. */
  readonly mobile_link?: string | null | undefined
  /** The universal link that opens the wallet's mobile app in Link Mode. */
  readonly link_mode?: string | null | undefined
  /** A link that opens the wallet's desktop app: a custom URL scheme or a web link. */
  readonly desktop_link?: string | null | undefined
  /** The URL of the wallet's web app. */
  readonly webapp_link?: string | null | undefined
  /** The URL of the wallet in Apple's App Store. */
  readonly app_store?: string | null | undefined
  /** The URL of the wallet in the Google Play store. */
  readonly play_store?: string | null | undefined
  /** The URL of the wallet's extension in the Chrome Web Store. */
  readonly chrome_store?: string | null | undefined
  /** The URL of the wallet's extension on Firefox Add-ons. */
  readonly firefox_store?: string | null | undefined
  /** The URL of the wallet's extension on Microsoft Edge Add-ons. */
  readonly edge_store?: string | null | undefined
  /** The URL of the wallet's extension for Safari. */
  readonly safari_store?: string | null | undefined
  /** The reverse domain name with which the wallet's extension announces itself (EIP-6963), such as `io.metamask`. */
  readonly rdns?: string | null | undefined
  /** The flags that identify the wallet's injected providers, by CAIP-2 namespace. Not empty if the wallet has an extension. */
  readonly injected?: readonly { readonly namespace: string; readonly injected_id: string }[] | null | undefined
}

/** The schema for a wallet in the directory. It rejects wrong types, and removes unsafe links and invisible characters. */
export const wallet: v.GenericSchema<unknown, Wallet> = v.object({
  id: v.pipe(text(128), v.nonEmpty()),
  name: v.pipe(
    text(200),
    v.nonEmpty(),
    v.transform((name) => sanitizeName(name) ?? 'Wallet'),
  ),
  homepage: webLink,
  image_id: orNothing(text(128)),
  image_url: webLink,
  order: orNothing(v.pipe(v.number(), v.finite())),
  badge_type: v.nullish(text(64)),
  chains: orNothing(listOf(text(64), 1000)),
  mobile_link: appLink,
  link_mode: webLink,
  desktop_link: appLink,
  webapp_link: webLink,
  app_store: webLink,
  play_store: webLink,
  chrome_store: webLink,
  firefox_store: webLink,
  edge_store: webLink,
  safari_store: webLink,
  rdns: v.nullish(text(253)),
  injected: v.nullish(listOf(v.object({ namespace: text(32), injected_id: text(128) }), 100)),
})

/** The query parameters of `GET /getWallets`. */
export interface WalletsParameters {
  /** The page number, starting at 1. Defaults to 1. */
  readonly page?: number | undefined
  /** The number of wallets per page, at most 500. Defaults to 40. */
  readonly entries?: number | undefined
  /** Matches wallets whose name contains this text, ignoring case. If empty, wallets are not filtered by name. */
  readonly search?: string | undefined
  /** Matches only wallets with this badge, such as `certified`. If empty, wallets are not filtered by badge. */
  readonly badge_type?: string | undefined
  /** The IDs of the wallets to return. If empty, all wallets can be returned. */
  readonly include?: readonly string[] | undefined
  /** The IDs of wallets to exclude. */
  readonly exclude?: readonly string[] | undefined
  /** Matches wallets that support at least one of these CAIP-2 chains. If empty, wallets are not filtered by chain. */
  readonly chains?: readonly string[] | undefined
}

/** The parsed query of `GET /getWallets`, with defaults filled in. */
export interface WalletsQuery extends Identity {
  /** The page number, starting at 1. */
  readonly page: number
  /** The number of wallets per page, from 1 to 500. */
  readonly entries: number
  /** The trimmed text to look for in names. Empty if wallets are not filtered by name. */
  readonly search: string
  /** The required badge. Empty if wallets are not filtered by badge. */
  readonly badge_type: string
  /** The IDs of the wallets to return. Empty if all wallets can be returned. */
  readonly include: readonly string[]
  /** The IDs of wallets to exclude. Can be empty. */
  readonly exclude: readonly string[]
  /** The CAIP-2 chains of which a wallet must support at least one. Empty if wallets are not filtered by chain. */
  readonly chains: readonly string[]
}

/** A page of wallets, with the total number of matches. */
export interface WalletsAnswer {
  /** The wallets on the requested page, sorted by `order`. Empty if the page is past the last one. */
  readonly data: readonly Wallet[]
  /** The total number of wallets that match the query. Absent if the server does not report a total. */
  readonly count?: number | undefined
}

/** Returns the schema for a page of at most `entries` wallets. A response with more wallets than requested is rejected. */
export function walletsAnswer(entries: number = maxEntries): v.GenericSchema<unknown, WalletsAnswer> {
  return v.object({
    data: listOf(wallet, entries),
    count: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.transform((all) => Math.min(all, maxWalletsCount)),
      ),
    ),
  })
}

/** `GET /getWallets`: returns a page of wallets. `entries` is capped at `maxEntries`. */
export const getWallets: Endpoint<undefined, WalletsAnswer, WalletsQuery> = defineEndpoint({
  method: 'GET',
  path: '/getWallets',
  query: v.object({
    ...identityEntries,
    page: v.optional(count(1, 1_000_000), '1'),
    entries: v.optional(count(1, maxEntries), String(walletsPageSize)),
    search: v.optional(v.pipe(text(200), v.trim()), ''),
    badge_type: v.optional(text(64), ''),
    include: list,
    exclude: list,
    chains: list,
  }),
  answer: walletsAnswer(),
})

/** `GET /getWalletImage/{id}`: returns a wallet's logo. */
export const getWalletImage: Endpoint<undefined, unknown, Identity> = defineEndpoint({
  method: 'GET',
  path: '/getWalletImage/:id',
  query: identityQuery,
  answer: v.unknown(),
})

/** `GET /public/getAssetImage/{id}`: returns the image for a network or connector. */
export const getAssetImage: Endpoint<undefined, unknown, Identity> = defineEndpoint({
  method: 'GET',
  path: '/public/getAssetImage/:id',
  query: identityQuery,
  answer: v.unknown(),
})

/** `GET /public/getCurrencyImage/{id}`: returns the image for a currency, such as `USD`. */
export const getCurrencyImage: Endpoint<undefined, unknown, Identity> = defineEndpoint({
  method: 'GET',
  path: '/public/getCurrencyImage/:id',
  query: identityQuery,
  answer: v.unknown(),
})

/** `GET /public/getTokenImage/{id}`: returns the image for a token, such as `ETH`. */
export const getTokenImage: Endpoint<undefined, unknown, Identity> = defineEndpoint({
  method: 'GET',
  path: '/public/getTokenImage/:id',
  query: identityQuery,
  answer: v.unknown(),
})

// --- Projects and analytics ----------------------------------------------------------------------------------------

/** The project settings that a page needs. */
export interface OriginsAnswer {
  /** The origins that can use the project. Empty if any origin can use it. */
  readonly allowedOrigins: readonly string[]
  /** The social logins that the embedded wallet offers, including Farcaster. Absent if the server does not report them. */
  readonly socials?: readonly string[] | undefined
  /** The domain under which users can register account names, such as `shop.example`. Absent if there are no names. */
  readonly namesZone?: string | undefined
}

/** `GET /projects/v1/origins`: returns the project settings. */
export const getOrigins: Endpoint<undefined, OriginsAnswer, Identity> = defineEndpoint({
  method: 'GET',
  path: '/projects/v1/origins',
  query: identityQuery,
  answer: v.object({
    allowedOrigins: listOf(text(300), 1000),
    // Latchkey added these fields. If a different server uses the same names for something else, the response must still be valid.
    socials: v.fallback(v.optional(listOf(text(64), 100)), undefined),
    namesZone: v.fallback(v.optional(text(127)), undefined),
  }),
})

/** The analytics settings of a project. */
export interface AnalyticsConfig {
  /** Whether clients send events. False if the operator has disabled analytics for the server or for this project. */
  readonly isAnalyticsEnabled: boolean
}

/** `GET /getAnalyticsConfig`: returns whether analytics is enabled. */
export const getAnalyticsConfig: Endpoint<undefined, AnalyticsConfig, Identity> = defineEndpoint({
  method: 'GET',
  path: '/getAnalyticsConfig',
  query: identityQuery,
  answer: v.object({ isAnalyticsEnabled: v.boolean() }),
})

/** An analytics event. */
export interface AnalyticsEvent {
  /** A UUID. Sending an event again with the same ID does not store it twice. */
  readonly eventId: string
  /** The page's URL. The query and fragment are removed, because they can contain private data. Empty outside a browser. */
  readonly url: string
  /** The page's host name. Empty outside a browser. */
  readonly domain: string
  /** When the event occurred, in epoch milliseconds. Error reports use an ISO 8601 date. */
  readonly timestamp: number | string
  /** The event's type, name and properties, and the address of the connected account. */
  readonly props: {
    /** `track` or `error`. */
    readonly type: string
    readonly event: string
    readonly properties?: Readonly<Record<string, unknown>> | undefined
    readonly address?: string | undefined
  }
}

/** `POST /e`: sends a single event. */
export const postEvent: Endpoint<AnalyticsEvent, unknown, Identity> = defineEndpoint({
  method: 'POST',
  path: '/e',
  query: identityQuery,
  body: v.object({
    eventId: v.pipe(v.string(), v.uuid()),
    url: text(2048),
    domain: text(253),
    timestamp: v.union([v.pipe(v.number(), v.integer(), v.minValue(0)), v.pipe(text(40), v.isoTimestamp())]),
    props: v.object({
      type: text(16),
      event: v.pipe(text(64), v.regex(/^\w+$/)),
      properties: v.optional(v.record(text(64), v.unknown())),
      address: v.optional(text(128)),
    }),
  }),
  answer: v.unknown(),
})

// --- The RPC proxy -------------------------------------------------------------------------------------------------

/** A JSON-RPC request. */
export interface RpcRequest {
  /** Identifies the request within a batch. The response has the same ID. */
  readonly id?: string | number | null | undefined
  /** The JSON-RPC version, always `2.0`. */
  readonly jsonrpc: '2.0'
  /** The RPC method to call on the node, such as `eth_getBalance`. At most 128 characters. */
  readonly method: string
  /** The method's parameters, by position or by name. Absent if the method takes no parameters. */
  readonly params?: readonly unknown[] | Readonly<Record<string, unknown>> | undefined
}

/** A JSON-RPC response with `result` or `error`. */
export interface RpcAnswer {
  /** The ID of the request. `null` if the request had no ID or could not be parsed. */
  readonly id?: string | number | null | undefined
  /** The JSON-RPC version, always `2.0`. */
  readonly jsonrpc: '2.0'
  /** The result of a successful call. Its type depends on the method, and its value can be `null`. */
  readonly result?: unknown
  /** The error of a failed call. Present instead of `result`. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined
}

const rpcId = v.nullish(v.union([text(128), v.number()]))

/** The schema for a JSON-RPC request. */
export const rpcRequest: v.GenericSchema<unknown, RpcRequest> = v.object({
  id: rpcId,
  jsonrpc: v.literal('2.0'),
  method: v.pipe(text(128), v.nonEmpty()),
  params: v.optional(v.union([v.array(v.unknown()), v.record(v.string(), v.unknown())])),
})

/** The schema for a JSON-RPC response. */
export const rpcAnswer: v.GenericSchema<unknown, RpcAnswer> = v.object({
  id: rpcId,
  jsonrpc: v.literal('2.0'),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ code: v.number(), message: text(10_000), data: v.optional(v.unknown()) })),
})

/** The query parameters of `POST /v1/`. */
export interface RpcQuery extends Identity {
  /** A CAIP-2 chain ID. Namespaces that the modal does not support are allowed. */
  readonly chainId: string
  /** A session ID, sent by clients that want consecutive requests to reach the same node. Latchkey's server ignores it. */
  readonly sessionId?: string | undefined
  /** The client feature that sends the request, such as `fund-wallet`. Latchkey's server ignores it. */
  readonly source?: string | undefined
  /** The node provider to use. Meant for tests. Latchkey's server ignores it. */
  readonly providerId?: string | undefined
}

/** `POST /v1/`: forwards a request or a batch of requests to a node. */
export const postRpc: Endpoint<RpcRequest | readonly RpcRequest[], RpcAnswer | readonly RpcAnswer[], RpcQuery> =
  defineEndpoint({
    method: 'POST',
    path: '/v1/',
    query: v.object({
      ...identityEntries,
      chainId: v.pipe(v.string(), v.regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/)),
      sessionId: v.optional(text(128)),
      source: v.optional(text(64)),
      providerId: v.optional(text(64)),
    }),
    body: v.union([rpcRequest, v.pipe(v.array(rpcRequest), v.minLength(1), v.maxLength(100))]),
    answer: v.union([rpcAnswer, v.pipe(v.array(rpcAnswer), v.maxLength(100))]),
  })

// --- Errors --------------------------------------------------------------------------------------------------------

/** An error response from the server. */
export interface FailureAnswer {
  /** Always `FAILED`. */
  readonly status: 'FAILED'
  /** The reasons for the error. Each names the invalid header, parameter or field and describes the problem for developers. */
  readonly reasons: readonly { readonly field: string; readonly description: string }[]
}

/** The schema for an error response. */
export const failureAnswer: v.GenericSchema<unknown, FailureAnswer> = v.object({
  status: v.literal('FAILED'),
  reasons: v.array(v.object({ field: text(200), description: text(2000) })),
})

/** Returns an error response with a single reason. */
export function failed(field: string, description: string): FailureAnswer {
  return { status: 'FAILED', reasons: [{ field, description }] }
}

/** The values of `field` in error responses. `*` stands for any field of the query or the body. */
type ApiErrorField =
  | '*'
  | 'address'
  | 'body'
  | 'chainId'
  | 'imageId'
  | 'name'
  | 'origin'
  | 'path'
  | 'project'
  | 'projectId'
  | 'server'
  | 'store'
  | 'useCache'

/** An error from the public API: the status and, except for `500`, the `field` of the reason, such as `401 origin`. */
export type ApiErrorCode = `${400 | 401 | 403 | 404 | 413 | 422 | 429 | 503} ${ApiErrorField}` | '500'

/** The errors that any endpoint of the public API can respond with. */
export const commonApiErrors: readonly ApiErrorCode[] = [
  '404 path',
  '429 address',
  '429 project',
  '500',
  '503 server',
  '503 store',
]

/** The errors of these endpoints, in addition to `commonApiErrors`. */
export const apiErrors: EndpointErrors<ApiErrorCode> = [
  [getWallets, '400 *', '401 projectId', '401 origin'],
  [getWalletImage, '404 imageId'],
  [getAssetImage, '404 imageId'],
  [getCurrencyImage, '404 imageId'],
  [getTokenImage, '404 imageId'],
  [getOrigins, '401 projectId'],
  [getAnalyticsConfig, '401 projectId', '401 origin'],
  [postEvent, '400 *', '403 projectId', '403 origin', '413 body'],
  [postRpc, '400 body', '400 chainId', '401 projectId', '401 origin', '413 body', '503 chainId'],
]

/** All endpoints of the wallet directory, the project settings, analytics and the RPC proxy. */
export const routes: {
  readonly getWallets: typeof getWallets
  readonly getWalletImage: typeof getWalletImage
  readonly getAssetImage: typeof getAssetImage
  readonly getCurrencyImage: typeof getCurrencyImage
  readonly getTokenImage: typeof getTokenImage
  readonly getOrigins: typeof getOrigins
  readonly getAnalyticsConfig: typeof getAnalyticsConfig
  readonly postEvent: typeof postEvent
  readonly postRpc: typeof postRpc
} = {
  getWallets,
  getWalletImage,
  getAssetImage,
  getCurrencyImage,
  getTokenImage,
  getOrigins,
  getAnalyticsConfig,
  postEvent,
  postRpc,
}
