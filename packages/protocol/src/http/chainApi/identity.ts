import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import type { ChainQuery } from './commonQuery.ts'
import { chainQueryEntries } from './commonQuerySchema.ts'
import { imageUrl, shownText, text } from './fieldSchemas.ts'

/** The primary name and image of an address. */
export interface IdentityAnswer {
  /** The primary name, such as `alice.eth`. `null` if the address has none. */
  readonly name: string | null
  /** The https URL of the image. `null` if there is none. */
  readonly avatar: string | null
  /** When the name was read from the chain (ISO 8601). `null` if names do not exist for this address. */
  readonly resolvedAt?: string | null | undefined
}

/** `GET /v1/identity/{address}`: returns the primary name of an address. Malformed addresses are rejected with `400 address`. */
export const getIdentity: Endpoint<undefined, IdentityAnswer, ChainQuery & { readonly useCache?: string | undefined }> =
  defineEndpoint({
    method: 'GET',
    path: '/v1/identity/:address',
    query: v.object({ ...chainQueryEntries, useCache: v.optional(text(8)) }),
    answer: v.object({
      name: v.pipe(
        v.nullish(shownText(255), null),
        v.transform((name) => name || null),
      ),
      avatar: v.pipe(
        imageUrl,
        v.transform((url) => url ?? null),
      ),
      resolvedAt: v.nullish(text(40)),
    }),
  })
