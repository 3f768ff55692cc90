import * as v from 'valibot'
import { storableText } from '../../storableText.ts'
import { address, id, text, time } from './fieldSchemas.ts'

/** The signed-in user. */
export interface KeysUser {
  /** An opaque ID of 1 to 64 characters. It never changes, even if the email address does. */
  readonly id: string
  /** The user's verified email address, or `null` if the provider did not return one. */
  readonly email: string | null
  /** The user's name, as reported by the provider. */
  readonly userName: string | null
  /** When the account was created, in epoch milliseconds. */
  readonly createdAt: number
}

/** A schema for the user. */
export const user: v.GenericSchema<unknown, KeysUser> = v.object({
  id,
  email: v.nullable(address),
  userName: v.nullable(storableText(200)),
  createdAt: time,
})

/** The maximum length of a sealed record, in characters. The vault itself limits records to half of this length. */
export const maxRecordBytes = 65_536

/** The sealed vault and its wrappers, as written by the frame. The server cannot read them. */
export interface VaultRecord {
  /** The serialized record of `@latchkey/vault`, at most `maxRecordBytes` long. */
  readonly record: string
  /** Starts at 1 and increases with each write. */
  readonly version: number
  /** When this version was stored, in epoch milliseconds. */
  readonly updatedAt: number
}

/** A schema for a sealed record. */
export const record: v.GenericSchema<unknown, VaultRecord> = v.object({
  record: text(maxRecordBytes),
  version: v.pipe(time, v.minValue(1)),
  updatedAt: time,
})

/** A device that can open the vault with a key half from the server. */
export interface KeysDevice {
  /** The ID that the frame chose when it registered the device. */
  readonly id: string
  /** The name that the frame chose: browser and system, such as `Chrome on Linux`. */
  readonly name: string
  /** When the device was registered, in epoch milliseconds. */
  readonly createdAt: number
  /** When the device last received its key half, in epoch milliseconds. */
  readonly lastUsedAt: number
  /** When the device was removed, in epoch milliseconds, or `null` if it can still open the vault. */
  readonly revokedAt: number | null
  /** Whether this device is the browser that sent the request. */
  readonly isThis: boolean
}

/** A schema for a device. */
export const device: v.GenericSchema<unknown, KeysDevice> = v.object({
  id,
  name: storableText(64),
  createdAt: time,
  lastUsedAt: time,
  revokedAt: v.nullable(time),
  isThis: v.boolean(),
})

/** A passkey with which the user can sign in to the account. */
export interface KeysPasskey {
  /** The credential ID, in base64url. */
  readonly id: string
  /** The name given when the passkey was registered, of at most 64 characters. */
  readonly name: string
  /** When the passkey was registered, in epoch milliseconds. */
  readonly createdAt: number
  /** When it was last used to sign in, in epoch milliseconds, or `null` if never. */
  readonly lastUsedAt: number | null
}

/** A schema for a passkey. */
export const passkey: v.GenericSchema<unknown, KeysPasskey> = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,1400}$/)),
  name: storableText(64),
  createdAt: time,
  lastUsedAt: v.nullable(time),
})
