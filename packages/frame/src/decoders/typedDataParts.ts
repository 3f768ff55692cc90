import type { TypedData } from '@latchkey/vault/signers/typedData'

/** A token allowance or transfer that a signature permits. */
export interface Permission {
  readonly token: string
  readonly amount: bigint | 'unlimited'
  /**
   * When the allowance expires: in Unix seconds, `'never'`, or `'sameBlock'` if it lasts only for the block in which it is used.
   * Absent for a transfer.
   */
  readonly expires?: bigint | 'never' | 'sameBlock' | undefined
}

/** An item that an order offers or requests. While the order is open, the amount moves from `startAmount` to `endAmount`. */
export interface OrderItem {
  readonly itemType: 'coin' | 'erc20' | 'erc721' | 'erc1155' | 'erc721Criteria' | 'erc1155Criteria'
  /** The zero address for native currency. */
  readonly token: string
  /** The token ID or the criteria. Criteria of 0 match any item in the collection. Absent for native currency and ERC-20. */
  readonly id?: bigint | undefined
  readonly startAmount: bigint
  readonly endAmount: bigint
}

/** An item that an order requests, and its recipient. */
export interface ConsiderationItem extends OrderItem {
  readonly recipient: string
}

/** What the typed data means, to the extent that the contract and the complete type determine it. */
export type DecodedTypedData =
  /** A lasting allowance. `signatureExpires` is the time after which the signature can no longer be submitted. */
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
      /** The signing account. The signer receives the items sent to this account. */
      readonly account: string
      readonly offers: readonly OrderItem[]
      readonly receives: readonly ConsiderationItem[]
      readonly expires: bigint | 'never'
    }
  | { readonly kind: 'unknown' }

/** Whether the data has this primary type and exactly the expected types, with the same members in the same order. */
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

/** Returns the members of a struct, encoded as in EIP-712. */
export function membersOf(fields: TypedData['types'][string] | undefined): string {
  return (fields ?? []).map(({ type, name }) => `${type} ${name}`).join(',')
}

/** Whether the domain consists of exactly these fields, in this order. */
export function hasDomain({ types }: TypedData, names: string): boolean {
  return (types.EIP712Domain ?? []).map(({ name }) => name).join(',') === names
}

/** Reads an integer from the message. The signer has already validated the value. */
export function wholeIn(value: unknown): bigint {
  return typeof value === 'bigint' ? value : BigInt(value as string | number)
}

/** Reads an amount. Values in the upper half of the range are treated as unlimited, because no token has a supply that large. */
export function amountIn(value: unknown, bits: number): bigint | 'unlimited' {
  const amount = wholeIn(value)
  return amount >= 1n << BigInt(bits - 1) ? 'unlimited' : amount
}

/** Reads an expiry time. The type's maximum value means never. */
export function expiryIn(value: unknown, bits: number): bigint | 'never' {
  const seconds = wholeIn(value)
  return seconds === (1n << BigInt(bits)) - 1n ? 'never' : seconds
}

/** Reads a list of structs. A single struct is converted to a list. */
export function structsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null)
}
