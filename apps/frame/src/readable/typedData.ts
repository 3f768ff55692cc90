import { isEvmAddress } from '@latchkey/protocol/caip'
import type { TypedData } from '../keys/signers/typedData.ts'

/** One named value that is part of what is signed. */
export interface NamedValue {
  readonly name: string
  readonly type: string
  readonly value: string | readonly NamedValue[]
}

/** A right over somebody's tokens, given by a signature. */
export interface Permission {
  /** `undefined` where the contract that checks the signature is the token. */
  readonly token: string
  readonly amount: bigint | 'unlimited'
}

/** What the data mean, as far as we know it. */
export type Meaning =
  /** `until` in seconds; no end where it is far away. */
  | {
      readonly kind: 'permit'
      readonly spender: string
      readonly permissions: readonly Permission[]
      readonly until: bigint | undefined
    }
  /** Tokens leave at once, when the holder of the signature wants it. */
  | {
      readonly kind: 'transfer'
      readonly spender: string
      readonly permissions: readonly Permission[]
      readonly until: bigint | undefined
    }
  | { readonly kind: 'order'; readonly gives: number; readonly gets: number; readonly many: boolean }
  | { readonly kind: 'unknown' }

/** What typed data (EIP-712) turn out to be. */
export type TypedDataReading =
  | {
      readonly kind: 'refused'
      readonly because: 'malformed' | 'other-network' | 'own-account'
      readonly claimed: string
    }
  | {
      readonly kind: 'typedData'
      readonly primaryType: string
      readonly domain: {
        readonly name: string | undefined
        readonly chainId: number | undefined
        readonly contract: string | undefined
      }
      readonly fields: readonly NamedValue[]
      readonly meaning: Meaning
    }

/**
 * What typed data say, for the person who is to sign them on `chainId`. They were read by the signer: what is explained is what is signed.
 * `own` are the contracts that act for the account itself: what they would check is a transaction, and is asked for as one.
 */
export function explainTypedData(data: TypedData, chainId: number, own: readonly string[]): TypedDataReading {
  const { domain } = data
  const checks = domain.verifyingContract?.toLowerCase()
  if (checks !== undefined && own.some((one) => one.toLowerCase() === checks))
    return { kind: 'refused', because: 'own-account', claimed: checks }
  if (domain.chainId !== undefined && domain.chainId !== chainId)
    return { kind: 'refused', because: 'other-network', claimed: String(domain.chainId) }
  const fields = fieldsOf(data, data.primaryType, data.message, 0)
  if (!fields) return { kind: 'refused', because: 'malformed', claimed: data.primaryType }
  return {
    kind: 'typedData',
    primaryType: data.primaryType,
    domain: {
      name: domain.name,
      chainId: domain.chainId,
      contract: domain.verifyingContract,
    },
    fields,
    meaning: meaningOf(data),
  }
}

/** Only what a type declares is signed, so only that is shown. Values that do not fit make it malformed. */
function fieldsOf(
  { types }: TypedData,
  type: string,
  value: unknown,
  depth: number,
): readonly NamedValue[] | undefined {
  const declared = Object.hasOwn(types, type) ? types[type] : undefined
  if (!declared || depth > 12 || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const named: NamedValue[] = []
  for (const field of declared) {
    if (!Object.hasOwn(value, field.name)) return undefined
    const read = readValue(
      { types } as TypedData,
      field.type,
      (value as Record<string, unknown>)[field.name],
      depth + 1,
    )
    if (read === undefined) return undefined
    named.push({ name: field.name, type: field.type, value: read })
  }
  return named
}

function readValue(data: TypedData, type: string, value: unknown, depth: number): NamedValue['value'] | undefined {
  const list = /^(.+)\[(\d*)\]$/.exec(type)
  if (list) {
    if (!Array.isArray(value) || value.length > 500 || depth > 12) return undefined
    if (list[2] && Number(list[2]) !== value.length) return undefined
    const items = value.map((item, at) => ({
      name: String(at + 1),
      type: list[1] ?? '',
      value: readValue(data, list[1] ?? '', item, depth + 1),
    }))
    return items.some((item) => item.value === undefined) ? undefined : (items as NamedValue[])
  }
  if (Object.hasOwn(data.types, type)) return fieldsOf(data, type, value, depth)
  if (/^u?int\d*$/.test(type)) return whole(value)?.toString()
  if (type === 'bool') return typeof value === 'boolean' ? String(value) : undefined
  if (type === 'address') return addressIn(value)
  if (/^bytes\d*$/.test(type)) return typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value) ? value : undefined
  return type === 'string' && typeof value === 'string' ? value : undefined
}

const day = 86_400n
/** Ends later than this many seconds from 2020 are none. */
const farAway = 1_577_836_800n + 365n * 50n * day

function meaningOf({ primaryType, message, domain }: TypedData): Meaning {
  const contract = domain.verifyingContract ?? ''
  if (primaryType === 'Permit' && addressIn(message.spender) !== undefined) {
    const spender = addressIn(message.spender) ?? ''
    // DAI says yes or no and nothing between.
    const amount = 'allowed' in message ? (message.allowed === true ? 'unlimited' : 0n) : amountOf(message.value, 256)
    if (amount !== undefined)
      return {
        kind: 'permit',
        spender,
        permissions: [{ token: contract, amount }],
        until: endOf(message.deadline ?? message.expiry),
      }
  }
  if (/^Permit(Single|Batch)$/.test(primaryType)) {
    const permissions = listed(message.details).flatMap((one) => permissionIn(one, 160))
    const spender = addressIn(message.spender)
    if (spender && permissions.length > 0)
      return { kind: 'permit', spender, permissions, until: endOf(firstOf(message.details).expiration) }
  }
  if (/^Permit(Batch)?(Witness)?TransferFrom$/.test(primaryType)) {
    const permissions = listed(message.permitted).flatMap((one) => permissionIn(one, 256))
    const spender = addressIn(message.spender)
    if (spender && permissions.length > 0)
      return { kind: 'transfer', spender, permissions, until: endOf(message.deadline) }
  }
  if (primaryType === 'OrderComponents' || primaryType === 'OrderParameters')
    return {
      kind: 'order',
      gives: listed(message.offer).length,
      gets: listed(message.consideration).length,
      many: false,
    }
  if (primaryType === 'BulkOrder') return { kind: 'order', gives: 0, gets: 0, many: true }
  if (/Order$/.test(primaryType)) return { kind: 'order', gives: 1, gets: 1, many: false }
  return { kind: 'unknown' }
}

function permissionIn(value: unknown, bits: number): readonly Permission[] {
  const { token, amount } = firstOf(value)
  const [found, read] = [addressIn(token), amountOf(amount, bits)]
  return found === undefined || read === undefined ? [] : [{ token: found, amount: read }]
}

/** The upper half of a number's range is more than any token has. */
function amountOf(value: unknown, bits: number): Permission['amount'] | undefined {
  const amount = whole(value)
  if (amount === undefined) return undefined
  return amount >= 1n << BigInt(bits - 1) ? 'unlimited' : amount
}

function endOf(value: unknown): bigint | undefined {
  const end = whole(value)
  return end === undefined || end > farAway ? undefined : end
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

function firstOf(value: unknown): Readonly<Record<string, unknown>> {
  const [first] = listed(value)
  return typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {}
}

function addressIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('0x') && isEvmAddress(value) ? value : undefined
}

function whole(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^(-?\d{1,80}|0x[0-9a-f]{1,64})$/i.test(value) ? BigInt(value) : undefined
}
