import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import type { ChainQuery } from './commonQuery.ts'
import { chainQueryEntries } from './commonQuerySchema.ts'
import { listOf, shownText, text } from './fieldSchemas.ts'

/** A permission that an account has granted to a page (a permission context identifier, "PCI"). */
export interface SmartSession {
  /** The application that asked for the session. */
  readonly project: {
    readonly id?: string | undefined
    readonly name: string
    readonly url?: string | undefined
    readonly iconUrl?: string | undefined
  }
  /** The ID of the permission. */
  readonly pci: string
  /** When the permission ends, in Unix seconds. */
  readonly expiry: number
  /** When the permission was granted, in Unix seconds. */
  readonly createdAt: number
  /** What the session is allowed to do. */
  readonly permissions: readonly unknown[]
  /** The limits of the session. */
  readonly policies: readonly unknown[]
  /** The permission context to pass with the session's calls. */
  readonly context: string | null
  /** When the permission was revoked, in Unix seconds. `null` if it was not. */
  readonly revokedAt: number | null
}

const seconds = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(99_999_999_999))

/**
 * `GET /v1/sessions/{address}`: returns an account's permissions. The address is in CAIP-10 format. Plain addresses are also
 * accepted.
 */
export const getSmartSessions: Endpoint<undefined, { readonly pcis: readonly SmartSession[] }, ChainQuery> =
  defineEndpoint({
    method: 'GET',
    path: '/v1/sessions/:address',
    query: v.object(chainQueryEntries),
    answer: v.object({
      pcis: listOf(
        v.object({
          project: v.object({
            id: v.optional(text(128)),
            name: shownText(200),
            url: v.optional(text(2048)),
            iconUrl: v.optional(text(2048)),
          }),
          pci: text(128),
          expiry: seconds,
          createdAt: seconds,
          permissions: listOf(v.unknown(), 100),
          policies: listOf(v.unknown(), 100),
          context: v.nullable(text(10_000)),
          revokedAt: v.nullable(seconds),
        }),
        255,
      ),
    }),
  })

/** `POST /v1/sessions/{address}/revoke`: revokes a permission. Revoking it again is rejected with 400. */
export const postRevokeSmartSession: Endpoint<
  { readonly pci: string; readonly signature?: string | undefined },
  unknown,
  ChainQuery
> = defineEndpoint({
  method: 'POST',
  path: '/v1/sessions/:address/revoke',
  query: v.object(chainQueryEntries),
  body: v.object({ pci: v.pipe(text(128), v.nonEmpty()), signature: v.optional(text(131_074)) }),
  answer: v.unknown(),
})
