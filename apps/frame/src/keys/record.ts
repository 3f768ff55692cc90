import { fromBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import * as v from 'valibot'
import { canonicalText } from './canonical.ts'
import { KeyError } from './errors.ts'

/** The format that is written; older ones are read and written anew, newer ones are refused. */
export const recordFormat = 1
/** No record is larger than this many bytes. */
export const recordLimit = 32_768
/** No vault has more keys than this. */
export const wrapperLimit = 32

/** What can open a vault: a passkey, this device together with the server, the recovery kit, or (opt-in) two of three shares. */
export type WrapperKind = 'passkey' | 'device' | 'kit' | 'assisted'

const bytesText = (least: number, most = least) =>
  v.pipe(
    v.string(),
    v.maxLength(Math.ceil((most * 4) / 3)),
    v.check((text) => {
      const length = fromBase64Url(text)?.length ?? -1
      return length >= least && length <= most
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
  salt: bytesText(32),
  nonce: bytesText(12),
  sealed: bytesText(48),
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
  wallet: bytesText(16),
  createdAt: epochMs,
  addresses: AddressesSchema,
  vault: v.strictObject({ nonce: bytesText(12), sealed: bytesText(48) }),
  wrappers: v.pipe(
    v.array(WrapperSchema),
    v.minLength(1),
    v.maxLength(wrapperLimit),
    v.check((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Expected every id once'),
  ),
  tag: bytesText(32),
})

/** The vault's key, sealed under one of the owner's keys. */
export type Wrapper = v.InferOutput<typeof WrapperSchema>

/** The account addresses of a vault, written when it was made and never changed. */
export type Addresses = v.InferOutput<typeof AddressesSchema>

/** A sealed vault as server, device and recovery kit keep it: nothing in it opens it. */
export type VaultRecord = v.InferOutput<typeof RecordSchema>

/** A stored record, whatever past format it has; throws `vault/…` for anything else. */
export function parseRecord(text: string): VaultRecord {
  if (text.length > recordLimit || toUtf8(text).length > recordLimit) throw new KeyError('vault/too-large')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new KeyError('vault/malformed', 'no JSON')
  }
  return checkRecord(value)
}

/** `value` as a record; throws `vault/…` when it is none. */
export function checkRecord(value: unknown): VaultRecord {
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined
  if (typeof format === 'number' && format > recordFormat) throw new KeyError('vault/too-new')
  const result = v.safeParse(RecordSchema, value, { abortEarly: true })
  if (!result.success) throw new KeyError('vault/malformed', v.getDotPath(result.issues[0]) ?? undefined)
  return result.output
}

/** The one text of a record; throws `vault/too-large` when it would not be taken back. */
export function recordText(record: VaultRecord): string {
  const text = canonicalText(record)
  if (toUtf8(text).length > recordLimit) throw new KeyError('vault/too-large')
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
export function protection(record: Pick<VaultRecord, 'wrappers'>): Protection {
  const kinds = [...new Set(record.wrappers.map(({ kind }) => kind))]
  return {
    kinds,
    keys: record.wrappers.length,
    state: kinds.length > 1 ? 'protected' : 'single',
    operatorCanSign: kinds.includes('assisted'),
  }
}
