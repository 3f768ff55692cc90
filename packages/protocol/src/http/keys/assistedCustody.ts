import * as v from 'valibot'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import type { KeysFailureCode } from './errors.ts'

// Assisted custody, where the operator keeps two of three shares and is therefore able to sign. It must be enabled both by the
// operator and in the frame's build. Otherwise, the server responds with `path/unknown`, and the frame omits this code.

/* @__NO_SIDE_EFFECTS__ */
const matching = (pattern: RegExp) => v.pipe(v.string(), v.regex(pattern))
/** A share of a 32-byte secret: 33 bytes in base64url. */
const share = matching(/^[\w-]{44}$/)
const userId = matching(/^[\w-]{1,64}$/)
const wrapper = matching(/^[\w-]{22}$/)
const wallet = matching(/^[\w-]{22}$/)

/** `POST /vault/shares`: submits the operator's two shares of an assisted key before its first use. Requires a recent sign-in. */
export const postShares: Endpoint<
  {
    readonly userId: string
    readonly wallet: string
    /** The ID of the assisted key. */
    readonly wrapper: string
    /** The share that the server stores as is. */
    readonly server: string
    /** The share that the operator's key service seals. */
    readonly escrow: string
  },
  Readonly<Record<never, never>>
> = defineEndpoint({
  method: 'POST',
  path: '/vault/shares',
  body: v.object({ userId, wallet, wrapper, server: share, escrow: share }),
  answer: v.object({}),
})

/**
 * `POST /vault/shares/release`: returns the server's share to a device that has its own share, within ten minutes of signing in.
 * With `recover`, it also returns the key service's share. The signed-in user can unlock the vault with these two shares.
 */
export const postSharesRelease: Endpoint<
  { readonly userId: string; readonly wrapper: string; readonly recover: boolean },
  { readonly server: string; readonly escrow: string | null }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/shares/release',
  body: v.object({ userId, wrapper, recover: v.boolean() }),
  answer: v.object({ server: share, escrow: v.nullable(share) }),
})

/** The audited events, which are kept in a separate log. */
export const shareEvents = ['kept', 'released', 'recovered', 'refused'] as const

/** A log entry about the operator's shares. */
export interface ShareEntry {
  /** When the event occurred, in epoch milliseconds. */
  readonly at: number
  /** The shares were stored (`kept`), returned (`released` or `recovered`), or requested but not found (`refused`). */
  readonly event: (typeof shareEvents)[number]
  /** The ID of the assisted key: 16 bytes in base64url. */
  readonly wrapper: string
}

/** `GET /vault/shares/log`: returns the last 200 log entries for this account, newest first. */
export const getSharesLog: Endpoint<undefined, { readonly entries: readonly ShareEntry[] }> = defineEndpoint({
  method: 'GET',
  path: '/vault/shares/log',
  answer: v.object({
    entries: v.pipe(v.array(v.object({ at: v.number(), event: v.picklist(shareEvents), wrapper })), v.maxLength(200)),
  }),
})

/** The errors of these endpoints, in addition to `commonKeysErrors`. */
export const shareErrors: EndpointErrors<KeysFailureCode> = [
  [postShares, 'session/none', 'session/stale', 'session/other-account'],
  [postSharesRelease, 'session/none', 'session/stale', 'session/other-account', 'device/unknown'],
  [getSharesLog, 'session/none'],
]
