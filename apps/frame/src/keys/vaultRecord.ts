import { fromBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import * as v from 'valibot'
import { canonicalJson } from './canonicalJson.ts'
import { KeyError } from './errors.ts'

/** The format that is written; older ones are read and written anew, newer ones are refused. */
export const recordFormat = 1
/** No record is larger than this many bytes. */
export const maxRecordBytes = 32_768
/** No vault has more keys than this. */
export const maxWrappers = 32

/** What can open a vault: a passkey, this device together with the server, the recovery kit, or (opt-in) two of three shares. */
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
    v.check((wrappers) => new Set(wrappers.map(({ id }) => id)).size === wrappers.length, 'Expected every id once'),
  ),
  tag: base64UrlBytes(32),
})

/** The vault's key, sealed under one of the owner's keys. */
export type Wrapper = v.InferOutput<typeof WrapperSchema>

/** The account addresses of a vault, written when it was made and never changed. */
export type Addresses = v.InferOutput<typeof AddressesSchema>

/** A sealed vault as server, device and recovery kit keep it: nothing in it opens it. */
export type VaultRecord = v.InferOutput<typeof RecordSchema>

/** A stored record, whatever past format it has; throws `vault/…` for anything else. */
export function parseRecord(text: string): VaultRecord {
  if (text.length > maxRecordBytes || toUtf8(text).length > maxRecordBytes) throw new KeyError('vault/too-large')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new KeyError('vault/malformed', 'no JSON')
  }
  return validateRecord(value)
}

/** `value` as a record; throws `vault/…` when it is none. */
export function validateRecord(value: unknown): VaultRecord {
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined
  if (typeof format === 'number' && format > recordFormat) throw new KeyError('vault/too-new')
  const result = v.safeParse(RecordSchema, value, { abortEarly: true })
  if (!result.success) throw new KeyError('vault/malformed', v.getDotPath(result.issues[0]) ?? undefined)
  return result.output
}

/** The one text of a record; throws `vault/too-large` when it would not be taken back. */
export function serializeRecord(record: VaultRecord): string {
  const text = canonicalJson(record)
  if (toUtf8(text).length > maxRecordBytes) throw new KeyError('vault/too-large')
  return text
}

/** How well a vault is protected from the loss of a key. */
export interface Protection {
  /** The kinds of keys that it has, each once. */
  readonly kinds: readonly WrapperKind[]
  /** How many keys it has. */
  readonly keys: number
  /** `single` when the loss of one thing may lose all: receiving is then warned about. */
  readonly state: 'single' | 'protected'
  /** Whether the operator could open it (assisted mode). */
  readonly operatorCanSign: boolean
}

/** How well `record` is protected: two different kinds of keys are enough. */
export function getProtection(record: Pick<VaultRecord, 'wrappers'>): Protection {
  const kinds = [...new Set(record.wrappers.map(({ kind }) => kind))]
  return {
    kinds,
    keys: record.wrappers.length,
    state: kinds.length > 1 ? 'protected' : 'single',
    operatorCanSign: kinds.includes('assisted'),
  }
}
