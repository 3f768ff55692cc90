import type { TypedData } from '@latchkey/vault/signers/typedData'

/** A token allowance granted by a signature. */
export interface Permission {
  readonly token: string
  readonly amount: bigint | 'unlimited'
  /** When the allowance expires, in Unix seconds, or with the block that uses it; absent if it is used immediately. */
  readonly expires?: bigint | 'never' | 'sameBlock' | undefined
}

/** An item that an order offers or requests. Amounts change from start to end while the order is open. */
export interface OrderItem {
  readonly itemType: 'coin' | 'erc20' | 'erc721' | 'erc1155' | 'erc721Criteria' | 'erc1155Criteria'
  /** The zero address for native currency. */
  readonly token: string
  /** The token ID, or the criteria: 0 means any item of the collection. Absent for native currency and ERC-20. */
  readonly id?: bigint | undefined
  readonly startAmount: bigint
  readonly endAmount: bigint
}

/** An item that an order requests, and its recipient. */
export interface ConsiderationItem extends OrderItem {
  readonly recipient: string
}

/** The meaning of typed data, as far as the contract and the complete type determine it. */
export type DecodedTypedData =
  /** A lasting allowance. `signatureExpires`: when the signature can no longer be submitted. */
  | {
      readonly kind: 'permit'
      readonly spender: string
      readonly permissions: readonly Permission[]
      readonly signatureExpires: bigint | 'never'
    }
  | {
      readonly kind: 'permitRevoke'
      readonly spender: string
      readonly token: string
      readonly signatureExpires: bigint | 'never'
    }
  /** A transfer that the holder of the signature can execute. */
  | {
      readonly kind: 'permitTransfer'
      readonly spender: string
      readonly permissions: readonly Permission[]
      readonly signatureExpires: bigint | 'never'
      /** Whether the permit includes a witness, whose meaning is unknown. */
      readonly hasWitness: boolean
    }
  | {
      readonly kind: 'order'
      /** The signing account. Items sent to it are what the signer receives. */
      readonly account: string
      readonly offers: readonly OrderItem[]
      readonly receives: readonly ConsiderationItem[]
      readonly expires: bigint | 'never'
    }
  | { readonly kind: 'unknown' }

/** Whether the data have this primary type and exactly these types, with these members in this order. */
export function hasExactTypes(
  { primaryType, types }: TypedData,
  primary: string,
  expected: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(types).filter((name) => name !== 'EIP712Domain')
  return (
    primaryType === primary &&
    names.length === Object.keys(expected).length &&
    names.every((name) => Object.hasOwn(expected, name) && membersOf(types[name]) === expected[name])
  )
}

/** The members of a struct, encoded as in EIP-712. */
export function membersOf(fields: TypedData['types'][string] | undefined): string {
  return (fields ?? []).map(({ type, name }) => `${type} ${name}`).join(',')
}

/** Whether the domain consists of exactly these fields, in this order. */
export function hasDomain({ types }: TypedData, names: string): boolean {
  return (types.EIP712Domain ?? []).map(({ name }) => name).join(',') === names
}

/** An integer of the message. The signer has already validated it. */
export function wholeIn(value: unknown): bigint {
  return typeof value === 'bigint' ? value : BigInt(value as string | number)
}

/** An amount; values in the upper half of the range count as unlimited, as no token has that supply. */
export function amountIn(value: unknown, bits: number): bigint | 'unlimited' {
  const amount = wholeIn(value)
  return amount >= 1n << BigInt(bits - 1) ? 'unlimited' : amount
}

/** An expiry time; the maximum value of the type means that it never expires. */
export function expiryIn(value: unknown, bits: number): bigint | 'never' {
  const seconds = wholeIn(value)
  return seconds === (1n << BigInt(bits)) - 1n ? 'never' : seconds
}

/** The structs of a list, or a single struct as a list. */
export function structsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null)
}
