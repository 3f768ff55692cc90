import * as v from 'valibot'
import { storableText } from '../../storableText.ts'
import { time } from './fields.ts'

/** The error codes and their HTTP status. */
export const vaultFailures = {
  /** The body does not match the schema. */
  'input/invalid': 400,
  /** The text is not an email address, or is already the address of the account. */
  'email/invalid': 400,
  /** Requested again within 30 s. `seconds` is the remaining time. */
  'email/throttled': 429,
  /** A limit per email, address, account or in total. `seconds` is the remaining time. */
  'limit/reached': 429,
  /** `triesLeft` is the number of remaining attempts. */
  'code/wrong': 422,
  /** No code is pending for this frame: never requested, expired, used, or tried too often. */
  'code/expired': 410,
  /** No user is signed in. */
  'session/none': 401,
  /** The sign-in is too old for this operation: sign in again. */
  'session/stale': 403,
  /** A different account is signed in than the frame expects. The frame must discard its data. */
  'session/other-account': 409,
  /** The record was changed in the meantime. `version` is the current version. */
  'record/conflict': 409,
  /** The sealed record is longer than `maxRecordBytes`. */
  'record/too-large': 413,
  /** The account has no device with this ID, or, in assisted custody, the operator has no share of this key. */
  'device/unknown': 404,
  /** The key half of this device was permanently erased. */
  'device/revoked': 410,
  /** The key half belongs to another browser. */
  'device/other-browser': 403,
  /** No approval link is pending for this frame: never requested, or expired. */
  'approval/expired': 410,
  /** Never created, withdrawn, answered, or expired. */
  'handover/unknown': 404,
  /** The request was claimed by another window, or is being carried out. */
  'handover/taken': 409,
  /** The account has no transfer with this ID: never started, cancelled, replaced, or expired. */
  'transfer/unknown': 404,
  /** Held for a while because the device was opened with an email code. `seconds` is the remaining time. */
  'transfer/held': 403,
  /** The step has already been taken, or is not the next step. */
  'transfer/out-of-turn': 409,
  /** The operator has not configured this provider. */
  'social/unknown-provider': 404,
  /** The user declined at the provider. */
  'social/declined': 422,
  /** The login did not start in this frame session, has expired, was already used, or the provider reported an error. */
  'social/failed': 422,
  /** The passkey's response was not accepted. The error does not reveal why. */
  'passkey/refused': 422,
  /** Passkeys cannot be bound to the keys origin, such as plain `localhost`. */
  'passkey/unavailable': 404,
  /** The operator has not enabled Farcaster. */
  'farcaster/unavailable': 404,
  /** No login is pending for this frame, Farcaster's relay did not respond, or the signer does not own the Farcaster account. */
  'farcaster/failed': 422,
  /** The email could not be handed over to the mail server. Nothing was sent. */
  'mail/failed': 503,
  /** The request does not come from the frame of this origin. */
  'origin/refused': 403,
  /** There is no such endpoint, or the operator has not enabled it. */
  'path/unknown': 404,
  /** An unexpected error on the server, which logs it. */
  'server/failed': 500,
  /** A store or node is unreachable, or there are too many requests. `seconds` is the delay before a retry. */
  'server/unavailable': 503,
} as const satisfies Readonly<Record<string, number>>

/** An error code. */
export type VaultFailureCode = keyof typeof vaultFailures

/** The error response of the server. */
export interface VaultFailure {
  /** What went wrong, for use in conditions. `vaultFailures` has the HTTP status of each code. */
  readonly code: VaultFailureCode
  /** Meant for developers. */
  readonly message: string
  /** How many seconds to wait before trying again. Absent if waiting does not help. */
  readonly seconds?: number | undefined
  /** How often the code can still be entered. Only set for `code/wrong`. */
  readonly triesLeft?: number | undefined
  /** The version of the stored record. Only set for `record/conflict`. */
  readonly version?: number | undefined
}

/** A schema for an error response. */
export const vaultFailure: v.GenericSchema<unknown, VaultFailure> = v.object({
  code: v.picklist(Object.keys(vaultFailures) as VaultFailureCode[]),
  message: storableText(1000),
  seconds: v.optional(time),
  triesLeft: v.optional(time),
  version: v.optional(time),
})
