import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'

/**
 * `GET /v1/supported-chains`: returns the CAIP-2 IDs of the chains with a node, by protocol, and of those with an exchange
 * (`swaps`).
 */
export const getSupportedChains: Endpoint<
  undefined,
  { readonly http: readonly string[]; readonly ws: readonly string[]; readonly swaps?: readonly string[] | undefined }
> = defineEndpoint({
  method: 'GET',
  path: '/v1/supported-chains',
  answer: v.object({ http: v.array(v.string()), ws: v.array(v.string()), swaps: v.optional(v.array(v.string())) }),
})
