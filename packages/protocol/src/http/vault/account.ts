import * as v from 'valibot'
import { isStorableText } from '../../storableText.ts'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import type { VaultFailureCode } from './failures.ts'
import { id, listOf, type Nothing, nothing, time } from './fields.ts'
import {
  device,
  passkey,
  record,
  user,
  type VaultDevice,
  type VaultPasskey,
  type VaultRecord,
  type VaultUser,
} from './records.ts'

/** The account with its vault and devices. */
export interface VaultMe {
  /** The user who is signed in. */
  readonly user: VaultUser
  /** `null` if the account has no vault yet. */
  readonly record: VaultRecord | null
  /** The account's devices, newest first, including the 200 most recently removed ones. */
  readonly devices: readonly VaultDevice[]
  /** The passkeys with which the user can sign in to the account, newest first. */
  readonly passkeys: readonly VaultPasskey[]
  /** The start of the sign-in session, in epoch milliseconds. */
  readonly since: number
  /** The expiry of the sign-in session, in epoch milliseconds. */
  readonly expiresAt: number
  /** The server's time in epoch milliseconds, in case the device's clock is wrong. Absent from older servers. */
  readonly now?: number | undefined
}

/** `GET /vault/me`: returns the account. Fails with `session/none` if no user is signed in. */
export const getMe: Endpoint<undefined, VaultMe> = defineEndpoint({
  method: 'GET',
  path: '/vault/me',
  answer: v.object({
    user,
    record: v.nullable(record),
    devices: listOf(device),
    passkeys: listOf(passkey),
    since: time,
    expiresAt: time,
    now: v.optional(time),
  }),
})

/** `PUT /vault/record`: replaces version `expectedVersion` of the record (0 if there is no record) with a new version. */
export const putRecord: Endpoint<
  {
    /** The user whose vault the frame writes. If another user has signed in, for example in another tab, the request fails. */
    readonly userId: string
    readonly record: string
    readonly expectedVersion: number
  },
  { readonly version: number }
> = defineEndpoint({
  method: 'PUT',
  path: '/vault/record',
  body: v.object({
    userId: id,
    record: v.pipe(v.string(), v.nonEmpty(), v.check(isStorableText)),
    expectedVersion: time,
  }),
  answer: v.object({ version: time }),
})

/** `POST /vault/sign-out`: ends this sign-in session. Succeeds even if no user is signed in. */
export const postSignOut: Endpoint<undefined, Nothing> = defineEndpoint({
  method: 'POST',
  path: '/vault/sign-out',
  answer: nothing,
})

/** `POST /vault/sign-out/everywhere`: ends all of the account's sign-in sessions, including this one. */
export const postSignOutEverywhere: Endpoint<undefined, Nothing> = defineEndpoint({
  method: 'POST',
  path: '/vault/sign-out/everywhere',
  answer: nothing,
})

/** The errors of these endpoints, in addition to `commonVaultErrors`. */
export const accountErrors: EndpointErrors<VaultFailureCode> = [
  [getMe, 'session/none'],
  [putRecord, 'session/none', 'session/other-account', 'record/conflict', 'record/too-large'],
  [postSignOutEverywhere, 'session/none'],
]
