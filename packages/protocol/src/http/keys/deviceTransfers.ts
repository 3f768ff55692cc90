import * as v from 'valibot'
import { storableText } from '../../storableText.ts'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import type { KeysFailureCode } from './errors.ts'
import { bytes, id, listOf, type Nothing, nothing, time } from './fieldSchemas.ts'

/**
 * A transfer of the vault key from an existing device to a new device. The key is sealed for the new device.
 *
 * The new device commits to its public key (`commitment`, a hash). The existing device responds with its own public key
 * (`offer`), and the new device then reveals its public key (`reveal`). Both devices display words that are derived from the two
 * public keys. The existing device sends the sealed vault key (`sealed`) only after the user has compared the words. Without the
 * commitment, a malicious server could search for public keys that result in the same words.
 */
export interface KeysTransfer {
  /** Identifies the transfer in the paths of its endpoints. */
  readonly id: string
  /** The new device's browser and system, such as `Chrome on Linux`, as the server sees them. */
  readonly name: string
  /** SHA-256 of the new device's public key and a salt, in base64url. */
  readonly commitment: string
  /** The existing device's public key in base64url, or `null` until it responds. */
  readonly offer: string | null
  /** The new device's public key and salt in base64url, or `null` until they are revealed. */
  readonly reveal: string | null
  /** The vault key, encrypted for the new device, in base64url, or `null` until the user has compared the words. */
  readonly sealed: string | null
  /** When the transfer was started, in epoch milliseconds. */
  readonly createdAt: number
  /** When the transfer expires unless it is completed, in epoch milliseconds. */
  readonly expiresAt: number
  /** Whether this browser started the transfer and is therefore the new device. */
  readonly isMine: boolean
  /**
   * Until this time (epoch milliseconds), only a device that was opened with a passkey or recovery kit can approve the transfer.
   * Absent if the transfer is not on hold.
   */
  readonly heldUntil?: number | undefined
}

const transfer: v.GenericSchema<unknown, KeysTransfer> = v.object({
  id,
  name: storableText(64),
  commitment: bytes,
  offer: v.nullable(bytes),
  reveal: v.nullable(bytes),
  sealed: v.nullable(bytes),
  createdAt: time,
  expiresAt: time,
  isMine: v.boolean(),
  heldUntil: v.optional(time),
})

/**
 * `POST /vault/transfers`: starts a transfer on the new device, within ten minutes of signing in. Replaces an earlier transfer.
 */
export const postTransfer: Endpoint<{ readonly commitment: string }, { readonly transfer: KeysTransfer }> =
  defineEndpoint({
    method: 'POST',
    path: '/vault/transfers',
    body: v.object({ commitment: bytes }),
    answer: v.object({ transfer }),
  })

/** `GET /vault/transfers`: returns the account's pending transfers, so that an existing device can approve them. */
export const getTransfers: Endpoint<undefined, { readonly transfers: readonly KeysTransfer[] }> = defineEndpoint({
  method: 'GET',
  path: '/vault/transfers',
  answer: v.object({ transfers: listOf(transfer) }),
})

/** The steps of a transfer, in order. `offer` and `sealed` are sent by the existing device, `reveal` by the new device. */
export const transferSteps = ['offer', 'reveal', 'sealed'] as const

/** A step of a transfer. */
export type TransferStep = (typeof transferSteps)[number]

/** `GET /vault/transfers/:id/after/:steps`: waits up to 25 s until more than `steps` steps (0 to 3) have been taken. */
export const getTransfer: Endpoint<undefined, { readonly transfer: KeysTransfer }> = defineEndpoint({
  method: 'GET',
  path: '/vault/transfers/:id/after/:steps',
  answer: v.object({ transfer }),
})

/** `POST /vault/transfers/:id/:step`: takes the next step. */
export const postTransferStep: Endpoint<
  {
    readonly value: string
    /** How the existing device was opened for this request, sent with `offer`. Without it, an email code is assumed. */
    readonly openedWith?: 'key' | 'code' | undefined
  },
  { readonly transfer: KeysTransfer }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/transfers/:id/:step',
  body: v.object({ value: bytes, openedWith: v.optional(v.picklist(['key', 'code'])) }),
  answer: v.object({ transfer }),
})

/**
 * `DELETE /vault/transfers/:id`: cancels the transfer. Either device can cancel it. Later requests from the other device fail.
 */
export const deleteTransfer: Endpoint<undefined, Nothing> = defineEndpoint({
  method: 'DELETE',
  path: '/vault/transfers/:id',
  answer: nothing,
})

/** The errors of these endpoints, in addition to `commonKeysErrors`. */
export const deviceTransferErrors: EndpointErrors<KeysFailureCode> = [
  [postTransfer, 'session/none', 'session/stale'],
  [getTransfers, 'session/none'],
  [getTransfer, 'session/none', 'transfer/unknown'],
  [postTransferStep, 'session/none', 'transfer/unknown', 'transfer/held', 'transfer/out-of-turn'],
  [deleteTransfer, 'session/none'],
]
