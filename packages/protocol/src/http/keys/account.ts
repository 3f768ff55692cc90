import * as v from 'valibot'
import { isStorableText } from '../../storableText.ts'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import {
  device,
  type KeysDevice,
  type KeysPasskey,
  type KeysUser,
  passkey,
  record,
  user,
  type VaultRecord,
} from './accountSchemas.ts'
import type { KeysFailureCode } from './errors.ts'
import { id, listOf, type Nothing, nothing, time } from './fieldSchemas.ts'

/** The account with its vault and devices. */
export interface KeysMe {
  /** The user who is signed in. */
  readonly user: KeysUser
  /** `null` if the account has no vault yet. */
  readonly record: VaultRecord | null
  /** The account's devices, newest first, including the 200 most recently removed ones. */
  readonly devices: readonly KeysDevice[]
  /** The passkeys with which the user can sign in to the account, newest first. */
  readonly passkeys: readonly KeysPasskey[]
  /** The start of the sign-in session, in epoch milliseconds. */
  readonly since: number
  /** The expiry of the sign-in session, in epoch milliseconds. */
  readonly expiresAt: number
  /** The server's time in epoch milliseconds, in case the device's clock is wrong. Absent from older servers. */
  readonly now?: number | undefined
}

/** `GET /vault/me`: returns the account. Fails with `session/none` if no user is signed in. */
export const getMe: Endpoint<undefined, KeysMe> = defineEndpoint({
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

/** The errors of these endpoints, in addition to `commonKeysErrors`. */
export const accountErrors: EndpointErrors<KeysFailureCode> = [
  [getMe, 'session/none'],
  [putRecord, 'session/none', 'session/other-account', 'record/conflict', 'record/too-large'],
  [postSignOutEverywhere, 'session/none'],
]
