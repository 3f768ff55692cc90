import * as v from 'valibot'
import { maxEntries, maxWalletsCount, walletsPageSize } from '../constants.ts'
import { shownName } from '../displayName.ts'
import { isSafeLink, isWebLink } from '../links.ts'
import type { Identity } from './url.ts'

export { type Identity, pathOf, type QueryValue, urlOf } from './url.ts'

// The words on the wire are the specification's (section 7), so existing clients and servers understand ours.

/** One HTTP call: what client and server have agreed on. */
export interface Route<Query = unknown, Answer = unknown, Body = undefined> {
  readonly method: 'GET' | 'POST'
  /** From the root of the server; `:name` stands for a parameter. */
  readonly path: string
  /** Reads the query as it arrives (texts) into what it means. */
  readonly query: v.GenericSchema<unknown, Query>
  /** Reads a body; absent where there is none. */
  readonly body?: v.GenericSchema<unknown, Body>
  /** Reads an answer; absent where it is an image, or of no interest. */
  readonly answer?: v.GenericSchema<unknown, Answer>
}

// --- Pieces --------------------------------------------------------------------------------------------------------

/* @__NO_SIDE_EFFECTS__ */
const text = (most: number) => v.pipe(v.string(), v.maxLength(most))
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
const count = (least: number, most: number) =>
  v.pipe(
    text(16),
    v.regex(/^\d+$/),
    v.transform((digits) => Math.min(Number(digits), most)),
    v.minValue(least),
  )

/** Reads the parameters that every call has. */
export const identityQuery: v.GenericSchema<unknown, Identity> = v.object(identityEntries)

// Real directories hold "-" and "nothing" where a link is missing: such a link is dropped, its wallet stays.
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
/** A list of at most `most` items. Its length is checked first, so that the items of a huge one are never read. */
/* @__NO_SIDE_EFFECTS__ */
const listOf = <Item>(item: v.GenericSchema<unknown, Item>, most: number) =>
  v.pipe(
    v.custom<unknown[]>((value) => Array.isArray(value) && value.length <= most),
    v.array(item),
  )

// --- The directory -------------------------------------------------------------------------------------------------

/** A wallet of the directory. Its links are safe to offer once it was read by `wallet`. */
export interface Wallet {
  readonly id: string
  readonly name: string
  readonly homepage?: string | null | undefined
  readonly image_id?: string | undefined
  readonly image_url?: string | null | undefined
  readonly order?: number | undefined
  readonly badge_type?: string | null | undefined
  readonly chains?: readonly string[] | undefined
  /** An app's scheme or a universal link. */
  readonly mobile_link?: string | null | undefined
  readonly link_mode?: string | null | undefined
  readonly desktop_link?: string | null | undefined
  readonly webapp_link?: string | null | undefined
  readonly app_store?: string | null | undefined
  readonly play_store?: string | null | undefined
  readonly chrome_store?: string | null | undefined
  readonly firefox_store?: string | null | undefined
  readonly edge_store?: string | null | undefined
  readonly safari_store?: string | null | undefined
  readonly rdns?: string | null | undefined
  readonly injected?: readonly { readonly namespace: string; readonly injected_id: string }[] | null | undefined
}

/** Reads a wallet of the directory: a wrong type refuses it, an unsafe link is dropped, and so is what nobody sees in its name. */
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

/** What a client may ask of `GET /getWallets`. */
export interface WalletsParameters {
  /** From 1. */
  readonly page?: number | undefined
  readonly entries?: number | undefined
  readonly search?: string | undefined
  readonly badge_type?: string | undefined
  /** Only these, where it is not empty. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** Wallets that know any of these CAIP-2 chains. */
  readonly chains?: readonly string[] | undefined
}

/** The same as the server reads it: nothing left open. */
export interface WalletsQuery extends Identity {
  readonly page: number
  readonly entries: number
  readonly search: string
  readonly badge_type: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly chains: readonly string[]
}

/** A page of wallets, and how many there are over all pages. */
export interface WalletsAnswer {
  readonly data: readonly Wallet[]
  readonly count?: number | undefined
}

/** Reads a page of at most `entries` wallets: a directory that answers with more than was asked is not believed. */
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

/** `GET /getWallets`. More than `maxEntries` entries are cut down to it. */
export const getWallets: Route<WalletsQuery, WalletsAnswer> = {
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
}

/** `GET /getWalletImage/{id}`: a picture. */
export const getWalletImage: Route<Identity> = { method: 'GET', path: '/getWalletImage/:id', query: identityQuery }

/** `GET /public/getAssetImage/{id}`: the picture of a network or connector. */
export const getAssetImage: Route<Identity> = { method: 'GET', path: '/public/getAssetImage/:id', query: identityQuery }

/** `GET /public/getCurrencyImage/{id}`: the picture of a currency, `USD`. */
export const getCurrencyImage: Route<Identity> = {
  method: 'GET',
  path: '/public/getCurrencyImage/:id',
  query: identityQuery,
}

/** `GET /public/getTokenImage/{id}`: the picture of a token, `ETH`. */
export const getTokenImage: Route<Identity> = { method: 'GET', path: '/public/getTokenImage/:id', query: identityQuery }

// --- Projects and analytics ----------------------------------------------------------------------------------------

/** What a page has to know of its project. */
export interface OriginsAnswer {
  /** The pages that may use it; empty means any. */
  readonly allowedOrigins: readonly string[]
  /** The social log-ins of the embedded wallet, Farcaster among them; absent where the server does not say. */
  readonly socials?: readonly string[] | undefined
}

/** `GET /projects/v1/origins`. */
export const getOrigins: Route<Identity, OriginsAnswer> = {
  method: 'GET',
  path: '/projects/v1/origins',
  query: identityQuery,
  answer: v.object({
    allowedOrigins: listOf(text(300), 1000),
    // An addition of ours: whatever another server means by the name refuses no origin.
    socials: v.fallback(v.optional(listOf(text(64), 100)), undefined),
  }),
}

/** Whether the operator wants events. */
export interface AnalyticsConfig {
  readonly isAnalyticsEnabled: boolean
}

/** `GET /getAnalyticsConfig`. */
export const getAnalyticsConfig: Route<Identity, AnalyticsConfig> = {
  method: 'GET',
  path: '/getAnalyticsConfig',
  query: identityQuery,
  answer: v.object({ isAnalyticsEnabled: v.boolean() }),
}

/** What happened on a page. */
export interface AnalyticsEvent {
  readonly eventId: string
  readonly url: string
  readonly domain: string
  /** Milliseconds; error reports write an ISO date. */
  readonly timestamp: number | string
  readonly props: {
    /** `track` or `error`. */
    readonly type: string
    readonly event: string
    readonly properties?: Readonly<Record<string, unknown>> | undefined
    readonly address?: string | undefined
  }
}

/** `POST /e`, one event at a time. */
export const postEvent: Route<Identity, unknown, AnalyticsEvent> = {
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
}

// --- The RPC proxy -------------------------------------------------------------------------------------------------

/** A JSON-RPC request. */
export interface RpcRequest {
  readonly id?: string | number | null | undefined
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: readonly unknown[] | Readonly<Record<string, unknown>> | undefined
}

/** A JSON-RPC answer: `result` or `error`. */
export interface RpcAnswer {
  readonly id?: string | number | null | undefined
  readonly jsonrpc: '2.0'
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined
}

const rpcId = v.nullish(v.union([text(128), v.number()]))

/** Reads one JSON-RPC request. */
export const rpcRequest: v.GenericSchema<unknown, RpcRequest> = v.object({
  id: rpcId,
  jsonrpc: v.literal('2.0'),
  method: v.pipe(text(128), v.nonEmpty()),
  params: v.optional(v.union([v.array(v.unknown()), v.record(v.string(), v.unknown())])),
})

/** Reads one JSON-RPC answer. */
export const rpcAnswer: v.GenericSchema<unknown, RpcAnswer> = v.object({
  id: rpcId,
  jsonrpc: v.literal('2.0'),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ code: v.number(), message: text(10_000), data: v.optional(v.unknown()) })),
})

/** Which chain a request is for, and who asks. */
export interface RpcQuery extends Identity {
  /** CAIP-2; also of families that the modal does not know. */
  readonly chainId: string
  readonly sessionId?: string | undefined
  readonly source?: string | undefined
  readonly providerId?: string | undefined
}

/** `POST /v1/`: one request or a batch, passed on to the chain. */
export const postRpc: Route<RpcQuery, RpcAnswer | readonly RpcAnswer[], RpcRequest | readonly RpcRequest[]> = {
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
}

// --- Failures ------------------------------------------------------------------------------------------------------

/** How the server says no. */
export interface FailureAnswer {
  readonly status: 'FAILED'
  readonly reasons: readonly { readonly field: string; readonly description: string }[]
}

/** Reads a refusal. */
export const failureAnswer: v.GenericSchema<unknown, FailureAnswer> = v.object({
  status: v.literal('FAILED'),
  reasons: v.array(v.object({ field: text(200), description: text(2000) })),
})

/** A refusal for one reason. */
export function failed(field: string, description: string): FailureAnswer {
  return { status: 'FAILED', reasons: [{ field, description }] }
}

/** Every call of directory, projects, analytics and RPC proxy. */
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
