import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from './endpoint.ts'

// Assisted custody, which both the operator and the frame's build must enable: the operator keeps two of three shares and could sign. A server
// without it responds with `path/unknown`, and a frame without it does not include this code.

/* @__NO_SIDE_EFFECTS__ */
const matching = (pattern: RegExp) => v.pipe(v.string(), v.regex(pattern))
/** A share of a 32-byte secret has 33 bytes, in base64url. */
const share = matching(/^[\w-]{44}$/)
const userId = matching(/^[\w-]{1,64}$/)
const wrapper = matching(/^[\w-]{22}$/)
const wallet = matching(/^[\w-]{22}$/)

/** `POST /vault/shares`: submits the operator's two shares of a vault's assisted key before the key is used. Requires a recent sign-in. */
export const postShares: Endpoint<
  {
    readonly userId: string
    readonly wallet: string
    /** The ID of the assisted key. */
    readonly wrapper: string
    /** Stored by the server as is. */
    readonly server: string
    /** Passed to the operator's key service, which seals it. */
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
 * `POST /vault/shares/release`: within ten minutes of signing in, returns the server's share for a device that has its own share. With `recover`, also
 * returns the key service's share; both together open the vault for the signed-in user.
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

/** The audited events about shares, in a separate log. */
export const shareEvents = ['kept', 'released', 'recovered', 'refused'] as const

/** A log entry about the operator's shares. */
export interface ShareEntry {
  /** Epoch milliseconds. */
  readonly at: number
  /** `kept` when the shares were stored, `released` and `recovered` when they were returned, `refused` if there were none of this key. */
  readonly event: (typeof shareEvents)[number]
  /** The ID of the assisted key concerned: 16 bytes in base64url. */
  readonly wrapper: string
}

/** `GET /vault/shares/log`: returns the last 200 entries about this account, newest first. */
export const getSharesLog: Endpoint<undefined, { readonly entries: readonly ShareEntry[] }> = defineEndpoint({
  method: 'GET',
  path: '/vault/shares/log',
  answer: v.object({
    entries: v.pipe(v.array(v.object({ at: v.number(), event: v.picklist(shareEvents), wrapper })), v.maxLength(200)),
  }),
})
