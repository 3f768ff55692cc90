import * as v from 'valibot'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import { type KeysUser, user } from './accountSchemas.ts'
import type { KeysFailureCode } from './errors.ts'
import { text } from './fieldSchemas.ts'

/**
 * `POST /vault/farcaster`: returns a link to the Farcaster app, which the frame shows as a QR code. The same link is returned
 * until it expires.
 */
export const postFarcaster: Endpoint<undefined, { readonly url: string }> = defineEndpoint({
  method: 'POST',
  path: '/vault/farcaster',
  answer: v.object({ url: text(2048) }),
})

/** `POST /vault/farcaster/finish`: waits up to 25 s for the user's approval, and then signs the user in. Can be repeated. */
export const postFarcasterFinish: Endpoint<
  undefined,
  { readonly status: 'waiting' } | { readonly status: 'done'; readonly user: KeysUser; readonly userName: string }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/farcaster/finish',
  answer: v.union([
    v.object({ status: v.literal('waiting') }),
    v.object({ status: v.literal('done'), user, userName: text(200) }),
  ]),
})

/** The errors of these endpoints, in addition to `commonKeysErrors`. */
export const farcasterErrors: EndpointErrors<KeysFailureCode> = [
  [postFarcaster, 'farcaster/unavailable', 'farcaster/failed'],
  [postFarcasterFinish, 'farcaster/unavailable', 'farcaster/failed'],
]
