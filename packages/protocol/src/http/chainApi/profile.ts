import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import type { ChainQuery } from './commonQuery.ts'
import { chainQueryEntries } from './commonQuerySchema.ts'
import { plainAddress, shownText, text, validItemsOf } from './fieldSchemas.ts'

/** A registered account name. */
export interface Profile {
  /** The full name, such as `alice.names.example`. */
  readonly name: string
  /** When the name was registered, as an ISO 8601 date. */
  readonly registered_at: string
  /** When the name was last changed, as an ISO 8601 date. */
  readonly updated_at?: string | null | undefined
  /** The text attributes of the name, for example its biography. */
  readonly attributes?: Readonly<Record<string, string>> | null | undefined
  /** The addresses by coin type (ENSIP-9, ENSIP-11), such as `60` for Ethereum. */
  readonly addresses: Readonly<Record<string, { readonly address: string; readonly created_at?: string | undefined }>>
}

/** The schema for a registered account name. */
export const profile: v.GenericSchema<unknown, Profile> = v.object({
  name: shownText(255),
  registered_at: text(40),
  updated_at: v.nullish(text(40)),
  attributes: v.nullish(v.record(v.pipe(v.string(), v.maxLength(64)), text(1000))),
  addresses: v.record(
    v.pipe(v.string(), v.regex(/^\d{1,10}$/)),
    v.object({ address: plainAddress, created_at: v.optional(text(40)) }),
  ),
})

/** The query parameters of lookups. With `apiVersion=2`, the response for an unregistered name is `200 []` instead of 404. */
export type ProfileQuery = ChainQuery & { readonly apiVersion?: string | undefined }
const lookupQuery = v.object({ ...chainQueryEntries, apiVersion: v.optional(text(8)) })

/** `GET /v1/profile/account/{name}`: returns a registered name. With `apiVersion=2`, an unregistered name is an empty list. */
export const getProfile: Endpoint<undefined, Profile | undefined, ProfileQuery> = defineEndpoint({
  method: 'GET',
  path: '/v1/profile/account/:name',
  query: lookupQuery,
  answer: v.union([
    v.pipe(
      v.tuple([]),
      v.transform(() => undefined),
    ),
    profile,
  ]),
})

/** `GET /v1/profile/reverse/{address}`: returns the names that an address registered itself and that still resolve to it. */
export const getProfilesOfAddress: Endpoint<undefined, readonly Profile[], ProfileQuery> = defineEndpoint({
  method: 'GET',
  path: '/v1/profile/reverse/:address',
  query: lookupQuery,
  answer: validItemsOf(profile, 100),
})

/**
 * `GET /v1/profile/gateway/{sender}/{data}`: returns the signed records of a name to an ENS resolver that reads its records
 * from this server (ERC-3668). `data` is the resolver's encoded request. Any client can send this request, without a project
 * ID. Added by Latchkey.
 */
export const getNameRecord: Endpoint<undefined, { readonly data: string }> = defineEndpoint({
  method: 'GET',
  path: '/v1/profile/gateway/:sender/:data',
  answer: v.object({ data: v.pipe(text(100_000), v.regex(/^0x([0-9a-fA-F]{2})*$/)) }),
})

/** A suggested name. */
export interface NameSuggestion {
  /** The name with its zone. */
  readonly name: string
  /** Whether the name is already registered. */
  readonly registered: boolean
}

/** `GET /v1/profile/suggestions/{name}`: returns at most five names. The first is the requested name itself. */
export const getNameSuggestions: Endpoint<
  undefined,
  { readonly suggestions: readonly NameSuggestion[] },
  ChainQuery & { readonly zone?: string | undefined }
> = defineEndpoint({
  method: 'GET',
  path: '/v1/profile/suggestions/:name',
  query: v.object({ ...chainQueryEntries, zone: v.optional(text(100)) }),
  answer: v.object({
    suggestions: validItemsOf(v.object({ name: shownText(255), registered: v.boolean() }), 100),
  }),
})

/** The body of the requests that register or change a name. */
export interface SignedProfileBody {
  /** The signed text: compact JSON with `name`, `attributes` and `timestamp` (Unix seconds) to register. */
  readonly message: string
  /** The `personal_sign` signature of `message` by a key or a contract (ERC-1271, ERC-6492). */
  readonly signature: string
  /** The coin type of the chain (ENSIP-11). */
  readonly coin_type: number
  /** The address that signed the message. */
  readonly address: string
}

/** The schema for the body of the requests that register or change a name. */
export const signedProfileBody: v.GenericSchema<unknown, SignedProfileBody> = v.object({
  message: text(4096),
  signature: text(131_074),
  coin_type: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(4_294_967_295)),
  address: plainAddress,
})

/** `POST /v1/profile/account`: registers a name. */
export const postProfile: Endpoint<SignedProfileBody, Profile, ChainQuery> = defineEndpoint({
  method: 'POST',
  path: '/v1/profile/account',
  query: v.object(chainQueryEntries),
  body: signedProfileBody,
  answer: profile,
})

/** `POST /v1/profile/account/{name}/attributes`: replaces the attributes of a name. */
export const postProfileAttributes: Endpoint<
  SignedProfileBody,
  Readonly<Record<string, string>>,
  ChainQuery
> = defineEndpoint({
  method: 'POST',
  path: '/v1/profile/account/:name/attributes',
  query: v.object(chainQueryEntries),
  body: signedProfileBody,
  answer: v.record(v.pipe(v.string(), v.maxLength(64)), text(1000)),
})

/** `POST /v1/profile/account/{name}/address`: sets the address of a name for a coin type. */
export const postProfileAddress: Endpoint<SignedProfileBody, Profile['addresses'], ChainQuery> = defineEndpoint({
  method: 'POST',
  path: '/v1/profile/account/:name/address',
  query: v.object(chainQueryEntries),
  body: signedProfileBody,
  answer: v.record(
    v.pipe(v.string(), v.regex(/^\d{1,10}$/)),
    v.object({ address: plainAddress, created_at: v.optional(text(40)) }),
  ),
})
