import * as v from 'valibot'
import { storableText } from '../../storableText.ts'
import { time } from './fieldSchemas.ts'

/** The error codes and their HTTP status. */
export const keysFailures = {
  /** The body does not match the schema. */
  'input/invalid': 400,
  /** The text is not an email address, or is already the address of the account. */
  'email/invalid': 400,
  /** Another code was requested within 30 s. `seconds` is the remaining time. */
  'email/throttled': 429,
  /**
   * A limit was reached, such as a rate limit for an email address, an IP address or an account. `seconds` is the remaining time.
   */
  'limit/reached': 429,
  /** The code is wrong. `triesLeft` is the number of remaining attempts. */
  'code/wrong': 422,
  /** No code is pending for this frame. It was never requested, has expired, has been used, or was tried too often. */
  'code/expired': 410,
  /** No user is signed in. */
  'session/none': 401,
  /** The sign-in is too old for this operation, so the user must sign in again. */
  'session/stale': 403,
  /** The signed-in account is not the one that the frame expects. The frame must discard its data. */
  'session/other-account': 409,
  /** The version of the stored record is not `expectedVersion`. `version` is the current version. */
  'record/conflict': 409,
  /** The sealed record is longer than `maxRecordBytes`. */
  'record/too-large': 413,
  /** The account has no device with this ID, or, in assisted custody, the operator has no share of this key. */
  'device/unknown': 404,
  /** This device's key half was permanently erased. */
  'device/revoked': 410,
  /** The key half belongs to another browser. */
  'device/other-browser': 403,
  /** No approval link is pending for this frame. It was never requested, or has expired. */
  'approval/expired': 410,
  /** There is no handover with this ID. It was never created, was cancelled, has been answered, or has expired. */
  'handover/unknown': 404,
  /** The request was claimed by another window, or is being carried out. */
  'handover/taken': 409,
  /** The account has no transfer with this ID. It was never started, was cancelled or replaced, or has expired. */
  'transfer/unknown': 404,
  /** The transfer is on hold, because the existing device was opened with an email code. `seconds` is the remaining time. */
  'transfer/held': 403,
  /** The step has already been taken, or is not the next step. */
  'transfer/out-of-turn': 409,
  /** The operator has not configured this provider. */
  'social/unknown-provider': 404,
  /** The user declined at the provider. */
  'social/declined': 422,
  /** The login did not start in this frame session, has expired or has already been used, or the provider reported an error. */
  'social/failed': 422,
  /** The passkey's response was not accepted. The error does not reveal why. */
  'passkey/refused': 422,
  /** Passkeys cannot be created for the keys origin, for example because it is plain `localhost`. */
  'passkey/unavailable': 404,
  /** The operator has not enabled Farcaster. */
  'farcaster/unavailable': 404,
  /** No login is pending for this frame, Farcaster's relay did not respond, or the signer does not own the Farcaster account. */
  'farcaster/failed': 422,
  /** The mail server did not accept the email, so nothing was sent. */
  'mail/failed': 503,
  /** The request does not come from this origin's frame. */
  'origin/refused': 403,
  /** There is no such endpoint, or the operator has not enabled it. */
  'path/unknown': 404,
  /** An unexpected server error. The server logs it. */
  'server/failed': 500,
  /** A store or node is unreachable, or there are too many requests. `seconds` is the delay before a retry. */
  'server/unavailable': 503,
} as const satisfies Readonly<Record<string, number>>

/** An error code. */
export type KeysFailureCode = keyof typeof keysFailures

/** The server's error response. */
export interface KeysFailure {
  /** The error code. `keysFailures` contains the HTTP status for each code. */
  readonly code: KeysFailureCode
  /** An error message for developers. */
  readonly message: string
  /** How many seconds to wait before trying again. Absent if waiting does not help. */
  readonly seconds?: number | undefined
  /** The number of remaining attempts to enter the code. Only set for `code/wrong`. */
  readonly triesLeft?: number | undefined
  /** The version of the stored record. Only set for `record/conflict`. */
  readonly version?: number | undefined
}

/** A schema for an error response. */
export const keysFailure: v.GenericSchema<unknown, KeysFailure> = v.object({
  code: v.picklist(Object.keys(keysFailures) as KeysFailureCode[]),
  message: storableText(1000),
  seconds: v.optional(time),
  triesLeft: v.optional(time),
  version: v.optional(time),
})

/** The errors that any endpoint of the keys origin can respond with. */
export const commonKeysErrors: readonly KeysFailureCode[] = [
  'input/invalid',
  // Instead of `input/invalid`, if the invalid body includes an `email`.
  'email/invalid',
  'limit/reached',
  'origin/refused',
  'path/unknown',
  'server/failed',
  'server/unavailable',
]
