import * as v from 'valibot'
import { maxEntries, maxWalletsCount, walletsPageSize } from '../constants.ts'
import { shownName } from '../displayName.ts'
import { isSafeLink, isWebLink } from '../safeLinks.ts'
import { defineEndpoint, type Endpoint } from './endpoint.ts'
import type { Identity } from './url.ts'

export { type Identity, pathOf, type QueryValue, urlOf } from './url.ts'

// The names on the wire are those of the specification (section 7), for compatibility with existing clients and servers.

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

/** A schema for the parameters sent with every request. */
export const identityQuery: v.GenericSchema<unknown, Identity> = v.object(identityEntries)

// Real directories have "-" or "nothing" for missing links. Such links are dropped, and the wallet is kept.
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
/** A schema for a list of at most `most` items. Checks the length first, so that the items of an oversized list are never parsed. */
/* @__NO_SIDE_EFFECTS__ */
const listOf = <Item>(item: v.GenericSchema<unknown, Item>, max: number) =>
  v.pipe(
    v.custom<unknown[]>((value) => Array.isArray(value) && value.length <= max),
    v.array(item),
  )

// --- The directory -------------------------------------------------------------------------------------------------

/** A wallet of the directory. Its links are safe to offer after parsing with `wallet`. */
export interface Wallet {
  /** The wallet's ID in the directory, of at most 128 characters. */
  readonly id: string
  /** The display name. Never empty after parsing: a name without visible characters becomes `Wallet`. */
  readonly name: string
  /** The URL of the wallet's website. Web links that are not https:, except on localhost, are `null` after parsing. */
  readonly homepage?: string | null | undefined
  /** The ID of its logo, for `getWalletImage`. */
  readonly image_id?: string | undefined
  /** The URL of its logo, used instead of `image_id` if there is one. */
  readonly image_url?: string | null | undefined
  /** Its rank in lists, in ascending order. Wallets without one are last. */
  readonly order?: number | undefined
  /** `certified` for wallets with a badge, otherwise `none` or absent. */
  readonly badge_type?: string | null | undefined
  /** The CAIP-2 IDs of the supported chains. Without them, the wallet matches no `chains` filter. */
  readonly chains?: readonly string[] | undefined
  /** A custom URL scheme or a universal link. */
  readonly mobile_link?: string | null | undefined
  /** The universal link that opens the wallet's mobile app. */
  readonly link_mode?: string | null | undefined
  /** A link that opens the wallet's desktop app: a custom URL scheme or a web link. */
  readonly desktop_link?: string | null | undefined
  /** The URL of the wallet's web app. */
  readonly webapp_link?: string | null | undefined
  /** The URL of the wallet in Apple's App Store. */
  readonly app_store?: string | null | undefined
  /** The URL of the wallet on Google Play. */
  readonly play_store?: string | null | undefined
  /** The URL of the wallet's extension in the Chrome Web Store. */
  readonly chrome_store?: string | null | undefined
  /** The URL of the wallet's extension among the Firefox add-ons. */
  readonly firefox_store?: string | null | undefined
  /** The URL of the wallet's extension among the Edge add-ons. */
  readonly edge_store?: string | null | undefined
  /** The URL of the wallet's extension for Safari. */
  readonly safari_store?: string | null | undefined
  /** The reverse domain name with which the wallet's extension announces itself (EIP-6963), such as `io.metamask`. */
  readonly rdns?: string | null | undefined
  /** The flags of the wallet's injected providers, by CAIP-2 namespace. Not empty if the wallet has an extension. */
  readonly injected?: readonly { readonly namespace: string; readonly injected_id: string }[] | null | undefined
}

/** A schema for a wallet of the directory. Wrong types are rejected; unsafe links and invisible characters in names are removed. */
export const wallet: v.GenericSchema<unknown, Wallet> = v.object({
  id: v.pipe(text(128), v.nonEmpty()),
  name: v.pipe(
    text(200),
    v.nonEmpty(),
    v.transform((name) => shownName(name) ?? 'Wallet'),
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
  /** Starts at 1. */
  readonly page?: number | undefined
  /** The number of wallets per page, at most 500. [40] */
  readonly entries?: number | undefined
  /** A part of the name, in any case. If empty, wallets are not filtered by name. */
  readonly search?: string | undefined
  /** Only wallets with this badge, such as `certified`. If empty, the badge does not matter. */
  readonly badge_type?: string | undefined
  /** If not empty, only these wallets are returned. */
  readonly include?: readonly string[] | undefined
  /** The IDs of wallets to leave out. */
  readonly exclude?: readonly string[] | undefined
  /** Wallets that support any of these CAIP-2 chains. */
  readonly chains?: readonly string[] | undefined
}

/** The parsed query of `GET /getWallets`, with defaults filled in. */
export interface WalletsQuery extends Identity {
  /** Starts at 1. [1] */
  readonly page: number
  /** The number of wallets per page, from 1 to 500. [40] */
  readonly entries: number
  /** A part of the name, trimmed. Empty if wallets are not filtered by name. */
  readonly search: string
  /** Only wallets with this badge. Empty if the badge does not matter. */
  readonly badge_type: string
  /** The IDs of the only wallets to return. Empty if all can be returned. */
  readonly include: readonly string[]
  /** The IDs of wallets to leave out. Can be empty. */
  readonly exclude: readonly string[]
  /** Only wallets that support any of these CAIP-2 chains. Empty if the chain does not matter. */
  readonly chains: readonly string[]
}

/** A page of wallets, and the total number over all pages. */
export interface WalletsAnswer {
  /** The wallets of the requested page, by rank. Empty after the last page. */
  readonly data: readonly Wallet[]
  /** The number of wallets that match the query, over all pages. Absent if the server does not report it. */
  readonly count?: number | undefined
}

/** A schema for a page of at most `entries` wallets. A response with more wallets than requested is rejected. */
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

/** `GET /getWallets`. `entries` is limited to `maxEntries`. */
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

/** `GET /getWalletImage/{id}`: the image of a wallet. */
export const getWalletImage: Endpoint<undefined, unknown, Identity> = defineEndpoint({
  method: 'GET',
  path: '/getWalletImage/:id',
  query: identityQuery,
  answer: v.unknown(),
})

/** `GET /public/getAssetImage/{id}`: the image of a network or connector. */
export const getAssetImage: Endpoint<undefined, unknown, Identity> = defineEndpoint({
  method: 'GET',
  path: '/public/getAssetImage/:id',
  query: identityQuery,
  answer: v.unknown(),
})

/** `GET /public/getCurrencyImage/{id}`: the image of a currency, such as `USD`. */
export const getCurrencyImage: Endpoint<undefined, unknown, Identity> = defineEndpoint({
  method: 'GET',
  path: '/public/getCurrencyImage/:id',
  query: identityQuery,
  answer: v.unknown(),
})

/** `GET /public/getTokenImage/{id}`: the image of a token, such as `ETH`. */
export const getTokenImage: Endpoint<undefined, unknown, Identity> = defineEndpoint({
  method: 'GET',
  path: '/public/getTokenImage/:id',
  query: identityQuery,
  answer: v.unknown(),
})

// --- Projects and analytics ----------------------------------------------------------------------------------------

/** The settings of a project that its pages need. */
export interface OriginsAnswer {
  /** The origins that can use the project. Empty if any origin can. */
  readonly allowedOrigins: readonly string[]
  /** The social logins of the embedded wallet, including Farcaster. Absent if the server does not report them. */
  readonly socials?: readonly string[] | undefined
}

/** `GET /projects/v1/origins`. */
export const getOrigins: Endpoint<undefined, OriginsAnswer, Identity> = defineEndpoint({
  method: 'GET',
  path: '/projects/v1/origins',
  query: identityQuery,
  answer: v.object({
    allowedOrigins: listOf(text(300), 1000),
    // An addition of Latchkey: another server's field of that name must not invalidate the response.
    socials: v.fallback(v.optional(listOf(text(64), 100)), undefined),
  }),
})

/** Whether the operator wants analytics events. */
export interface AnalyticsConfig {
  /** False if the operator has turned analytics off, for the server or for this project. Clients then send no events. */
  readonly isAnalyticsEnabled: boolean
}

/** `GET /getAnalyticsConfig`. */
export const getAnalyticsConfig: Endpoint<undefined, AnalyticsConfig, Identity> = defineEndpoint({
  method: 'GET',
  path: '/getAnalyticsConfig',
  query: identityQuery,
  answer: v.object({ isAnalyticsEnabled: v.boolean() }),
})

/** An analytics event. */
export interface AnalyticsEvent {
  /** A UUID. An event that is sent again with the same ID is stored once. */
  readonly eventId: string
  /** The page's URL without query and fragment, which can be private. Empty outside a browser. */
  readonly url: string
  /** The page's host name. Empty outside a browser. */
  readonly domain: string
  /** Epoch milliseconds. Error reports have an ISO date. */
  readonly timestamp: number | string
  /** The type and name of the event, its properties, and the address of the connected account. */
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
  /** Identifies the request in a batch. Repeated in the response. */
  readonly id?: string | number | null | undefined
  /** The JSON-RPC version, always `2.0`. */
  readonly jsonrpc: '2.0'
  /** The method of the chain's node, such as `eth_getBalance`, of at most 128 characters. */
  readonly method: string
  /** The arguments of the method, by position or by name. Absent if it has none. */
  readonly params?: readonly unknown[] | Readonly<Record<string, unknown>> | undefined
}

/** A JSON-RPC response with `result` or `error`. */
export interface RpcAnswer {
  /** The ID of the request. `null` if it had none or could not be parsed. */
  readonly id?: string | number | null | undefined
  /** The JSON-RPC version, always `2.0`. */
  readonly jsonrpc: '2.0'
  /** The result of a successful call. Its type depends on the method, and its value can be `null`. */
  readonly result?: unknown
  /** Set if the call failed, in place of `result`. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined
}

const rpcId = v.nullish(v.union([text(128), v.number()]))

/** A schema for a JSON-RPC request. */
export const rpcRequest: v.GenericSchema<unknown, RpcRequest> = v.object({
  id: rpcId,
  jsonrpc: v.literal('2.0'),
  method: v.pipe(text(128), v.nonEmpty()),
  params: v.optional(v.union([v.array(v.unknown()), v.record(v.string(), v.unknown())])),
})

/** A schema for a JSON-RPC response. */
export const rpcAnswer: v.GenericSchema<unknown, RpcAnswer> = v.object({
  id: rpcId,
  jsonrpc: v.literal('2.0'),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ code: v.number(), message: text(10_000), data: v.optional(v.unknown()) })),
})

/** The chain of a request and the client's identity. */
export interface RpcQuery extends Identity {
  /** A CAIP-2 chain ID. Families that the modal does not support are allowed. */
  readonly chainId: string
  /** Sent by clients that want consecutive requests to reach the same node. Latchkey's server ignores it. */
  readonly sessionId?: string | undefined
  /** The feature of the client that sends the request, such as `fund-wallet`. Latchkey's server ignores it. */
  readonly source?: string | undefined
  /** The node provider to use, for tests. Latchkey's server ignores it. */
  readonly providerId?: string | undefined
}

/** `POST /v1/`: forwards a request or a batch to the chain. */
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

/** The server's error response. */
export interface FailureAnswer {
  /** Always `FAILED`. */
  readonly status: 'FAILED'
  /** The causes: the header, parameter or field at fault, and a description for developers. */
  readonly reasons: readonly { readonly field: string; readonly description: string }[]
}

/** A schema for an error response. */
export const failureAnswer: v.GenericSchema<unknown, FailureAnswer> = v.object({
  status: v.literal('FAILED'),
  reasons: v.array(v.object({ field: text(200), description: text(2000) })),
})

/** Returns an error response with a single reason. */
export function failed(field: string, description: string): FailureAnswer {
  return { status: 'FAILED', reasons: [{ field, description }] }
}

/** All endpoints of the directory, projects, analytics and RPC proxy. */
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
