import { isEvmAddress } from '@latchkey/protocol/caip'
import type { TypedData } from '@latchkey/vault/signers/typedData'
import type { Contracts } from './contractFacts.ts'
import { recognizeTypedData } from './recognizeTypedData.ts'
import type { DecodedTypedData } from './typedDataParts.ts'
import { type UntrustedText, untrusted } from './untrustedText.ts'

/** A named value in the signed data. */
export interface NamedValue {
  readonly name: UntrustedText
  readonly type: string
  readonly value: UntrustedText | readonly NamedValue[]
}

/** Decoded typed data (EIP-712). */
export type TypedDataFields =
  | {
      readonly kind: 'refused'
      readonly because: 'malformed' | 'other-network' | 'own-account'
      readonly claimed: UntrustedText
    }
  | {
      readonly kind: 'typedData'
      readonly primaryType: UntrustedText
      readonly domain: {
        readonly name: UntrustedText | undefined
        readonly chainId: number | undefined
        readonly contract: string | undefined
      }
      readonly fields: readonly NamedValue[]
      readonly meaning: DecodedTypedData
      /** The facts about the contracts on which the meaning depends. */
      readonly contracts: Contracts
    }

/**
 * Decodes typed data so that it can be shown to the user who signs it on `chainId`. The data was parsed by the signer, so what is
 * shown matches what is signed. Data for a contract in `own` is refused, because these contracts act for the account and would
 * execute the signed request.
 */
export function decodeTypedData(
  data: TypedData,
  {
    account,
    chainId,
    own,
    contracts,
  }: {
    readonly account: string
    readonly chainId: number
    readonly own: readonly string[]
    readonly contracts: Contracts
  },
): TypedDataFields {
  const { domain } = data
  const checks = domain.verifyingContract?.toLowerCase()
  if (checks !== undefined && own.some((item) => item.toLowerCase() === checks))
    return { kind: 'refused', because: 'own-account', claimed: untrusted(checks) }
  if (domain.chainId !== undefined && domain.chainId !== chainId)
    return { kind: 'refused', because: 'other-network', claimed: untrusted(String(domain.chainId)) }
  const fields = fieldsOf(data, data.primaryType, data.message, 0)
  if (!fields) return { kind: 'refused', because: 'malformed', claimed: untrusted(data.primaryType) }
  return {
    kind: 'typedData',
    primaryType: untrusted(data.primaryType),
    domain: {
      name: domain.name === undefined ? undefined : untrusted(domain.name),
      chainId: domain.chainId,
      contract: domain.verifyingContract,
    },
    fields,
    meaning: recognizeTypedData(data, { account, chainId, contracts }),
    contracts,
  }
}

/** Returns the declared fields, because only these are signed. Returns `undefined` if a value does not match its type. */
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
    named.push({ name: untrusted(field.name), type: field.type, value: read })
  }
  return named
}

function readValue(data: TypedData, type: string, value: unknown, depth: number): NamedValue['value'] | undefined {
  const list = /^(.+)\[(\d*)\]$/.exec(type)
  if (list) {
    if (!Array.isArray(value) || value.length > 500 || depth > 12) return undefined
    if (list[2] && Number(list[2]) !== value.length) return undefined
    const items = value.map((item, at) => ({
      name: untrusted(String(at + 1)),
      type: list[1] ?? '',
      value: readValue(data, list[1] ?? '', item, depth + 1),
    }))
    return items.some((item) => item.value === undefined) ? undefined : (items as NamedValue[])
  }
  if (Object.hasOwn(data.types, type)) return fieldsOf(data, type, value, depth)
  const text = textOf(type, value)
  return text === undefined ? undefined : untrusted(text)
}

function textOf(type: string, value: unknown): string | undefined {
  if (/^u?int\d*$/.test(type)) return whole(value)?.toString()
  if (type === 'bool') return typeof value === 'boolean' ? String(value) : undefined
  if (type === 'address') return addressIn(value)
  if (/^bytes\d*$/.test(type)) return typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value) ? value : undefined
  return type === 'string' && typeof value === 'string' ? value : undefined
}

function addressIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('0x') && isEvmAddress(value) ? value : undefined
}

function whole(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^(-?\d{1,80}|0x[0-9a-f]{1,64})$/i.test(value) ? BigInt(value) : undefined
}
