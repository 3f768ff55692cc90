import { fromBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import * as v from 'valibot'
import { canonicalJson } from './canonicalJson.ts'
import { KeyError } from './errors.ts'

/** The current record format. Newer formats are rejected. */
export const recordFormat = 1
/** The maximum size of a record in bytes. */
export const maxRecordBytes = 32_768
/** The maximum number of wrappers in a record. */
export const maxWrappers = 32

/**
 * The kind of a key that can open a vault: a passkey, a device together with the server, a recovery kit, or, in the opt-in
 * assisted mode, two of three shares.
 */
export type WrapperKind = 'passkey' | 'device' | 'kit' | 'assisted'

const base64UrlBytes = (minBytes: number, maxBytes = minBytes) =>
  v.pipe(
    v.string(),
    v.maxLength(Math.ceil((maxBytes * 4) / 3)),
    v.check((text) => {
      const length = fromBase64Url(text)?.length ?? -1
      return length >= minBytes && length <= maxBytes
    }, 'Expected base64url bytes'),
  )
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(120))
const epochMs = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const address = v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{25,90}$/))

const WrapperSchema = v.strictObject({
  kind: v.picklist(['passkey', 'device', 'kit', 'assisted']),
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,1400}$/)),
  name,
  createdAt: epochMs,
  salt: base64UrlBytes(32),
  nonce: base64UrlBytes(12),
  sealed: base64UrlBytes(48),
})

const AddressesSchema = v.strictObject({
  eip155: v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/)),
  solana: address,
  bip122: v.optional(address),
  bip122Taproot: v.optional(address),
  cosmos: v.optional(address),
  polkadot: v.optional(address),
})

const RecordSchema = v.strictObject({
  format: v.literal(recordFormat),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  user: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  wallet: base64UrlBytes(16),
  createdAt: epochMs,
  addresses: AddressesSchema,
  vault: v.strictObject({ nonce: base64UrlBytes(12), sealed: base64UrlBytes(48) }),
  wrappers: v.pipe(
    v.array(WrapperSchema),
    v.minLength(1),
    v.maxLength(maxWrappers),
    v.check((wrappers) => new Set(wrappers.map(({ id }) => id)).size === wrappers.length, 'Expected unique IDs'),
  ),
  tag: base64UrlBytes(32),
})

// These are type aliases rather than interfaces, because an interface has no index signature and is not assignable to
// `CanonicalValue`.

/** The vault key, encrypted with one of the owner's keys. Binary data is in base64url. */
export type Wrapper = {
  readonly kind: WrapperKind
  /** A passkey's credential ID, a device's ID on the server, or an ID derived from the secret. */
  readonly id: string
  /** The name that the owner gave the key. */
  readonly name: string
  /** When the wrapper was created, in epoch milliseconds. */
  readonly createdAt: number
  /** The salt with which the wrapping key is derived from the owner's key. */
  readonly salt: string
  readonly nonce: string
  /** The vault key, encrypted with the wrapping key. */
  readonly sealed: string
}

/** A vault's account addresses. They are stored when the vault is created and never change. */
export type Addresses = {
  readonly eip155: string
  readonly solana: string
  readonly bip122?: string | undefined
  readonly bip122Taproot?: string | undefined
  readonly cosmos?: string | undefined
  readonly polkadot?: string | undefined
}

/**
 * An encrypted vault, as stored on the server, on the device and in the recovery kit. It contains nothing that can decrypt the
 * vault.
 */
export type VaultRecord = {
  readonly format: typeof recordFormat
  /** The version of the record. Each change increments it, so that a device can recognize an older copy. */
  readonly version: number
  readonly user: string
  /** A random 16-byte ID in base64url. */
  readonly wallet: string
  /** When the vault was created, in epoch milliseconds. */
  readonly createdAt: number
  readonly addresses: Addresses
  /** The seed's entropy, encrypted with the vault key. */
  readonly vault: { readonly nonce: string; readonly sealed: string }
  /** The encrypted vault key, once for each of the owner's keys. */
  readonly wrappers: readonly Wrapper[]
  /** The HMAC-SHA-256 of all other fields, computed with a key derived from the vault key, in base64url. */
  readonly tag: string
}

/**
 * Parses a stored record in any supported format.
 * @throws {KeyError} `vault/…` if the record is invalid.
 */
export function parseRecord(text: string): VaultRecord {
  if (text.length > maxRecordBytes || toUtf8(text).length > maxRecordBytes) throw new KeyError('vault/too-large')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new KeyError('vault/malformed', 'not JSON')
  }
  return validateRecord(value)
}

/**
 * Validates `value` as a record.
 * @throws {KeyError} `vault/…` if `value` is invalid.
 */
export function validateRecord(value: unknown): VaultRecord {
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined
  if (typeof format === 'number' && format > recordFormat) throw new KeyError('vault/too-new')
  const result = v.safeParse(RecordSchema, value, { abortEarly: true })
  if (!result.success) throw new KeyError('vault/malformed', v.getDotPath(result.issues[0]) ?? undefined)
  return result.output
}

/**
 * Returns the canonical JSON for a record.
 * @throws {KeyError} `vault/too-large` if the JSON exceeds `maxRecordBytes`.
 */
export function serializeRecord(record: VaultRecord): string {
  const text = canonicalJson(record)
  if (toUtf8(text).length > maxRecordBytes) throw new KeyError('vault/too-large')
  return text
}

/** A vault's level of protection against the loss of a key. */
export interface Protection {
  /** The distinct kinds of keys that open the vault. */
  readonly kinds: readonly WrapperKind[]
  /** The number of keys that open the vault. */
  readonly keys: number
  /** `single` if losing one key could mean losing the vault. The user is then warned before receiving funds. */
  readonly state: 'single' | 'protected'
  /** Whether the operator could open the vault (assisted mode). */
  readonly operatorCanSign: boolean
}

/** Returns how well `record` is protected. A record with at least two different kinds of keys is protected. */
export function getProtection(record: Pick<VaultRecord, 'wrappers'>): Protection {
  const kinds = [...new Set(record.wrappers.map(({ kind }) => kind))]
  return {
    kinds,
    keys: record.wrappers.length,
    state: kinds.length > 1 ? 'protected' : 'single',
    operatorCanSign: kinds.includes('assisted'),
  }
}
