import * as v from 'valibot'
import type { VaultCall } from './vault.ts'

// Assisted custody, where an operator and the frame that it built both chose it: the operator keeps two of three shares, and could
// sign. A server that did not choose it answers `path/unknown`; a frame that did not has none of this in it.

/* @__NO_SIDE_EFFECTS__ */
const matching = (pattern: RegExp) => v.pipe(v.string(), v.regex(pattern))
/** A share of a secret of 32 bytes has 33; base64url. */
const share = matching(/^[\w-]{44}$/)
const userId = matching(/^[\w-]{1,64}$/)
const wrapper = matching(/^[\w-]{22}$/)
const wallet = matching(/^[\w-]{22}$/)

/** `POST /vault/shares`: hands over the operator's two shares of a vault's assisted key, before the key is one. Fresh sessions only. */
export const postShares: VaultCall<
  {
    readonly userId: string
    readonly wallet: string
    /** The id of the assisted key. */
    readonly wrapper: string
    /** Kept by the server as it is. */
    readonly server: string
    /** Handed on to the operator's key service, which seals it. */
    readonly escrow: string
  },
  Readonly<Record<never, never>>
> = {
  method: 'POST',
  path: '/vault/shares',
  body: v.object({ userId, wallet, wrapper, server: share, escrow: share }),
  answer: v.object({}),
}

/**
 * `POST /vault/shares/release`: within ten minutes of signing in, the server's share, for a device that has one of its own; and
 * with `recover` the key service's too, which together open the vault for whoever is signed in.
 */
export const postSharesRelease: VaultCall<
  { readonly userId: string; readonly wrapper: string; readonly recover: boolean },
  { readonly server: string; readonly escrow: string | null }
> = {
  method: 'POST',
  path: '/vault/shares/release',
  body: v.object({ userId, wrapper, recover: v.boolean() }),
  answer: v.object({ server: share, escrow: v.nullable(share) }),
}

/** What is written down about shares, in a log of its own. */
export const shareEvents = ['kept', 'released', 'recovered', 'refused'] as const

/** Something that was done with the operator's shares. */
export interface ShareEntry {
  readonly at: number
  readonly event: (typeof shareEvents)[number]
  readonly wrapper: string
}

/** `GET /vault/shares/log`: the last two hundred entries about this account, the newest first. */
export const getSharesLog: VaultCall<undefined, { readonly entries: readonly ShareEntry[] }> = {
  method: 'GET',
  path: '/vault/shares/log',
  answer: v.object({
    entries: v.pipe(v.array(v.object({ at: v.number(), event: v.picklist(shareEvents), wrapper })), v.maxLength(200)),
  }),
}
