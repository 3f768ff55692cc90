import type { TypedData } from '../keys/signers/typedData.ts'

/** A right over tokens that a signature gives. */
export interface Permission {
  readonly token: string
  readonly amount: bigint | 'unlimited'
  /** When the right ends, in Unix seconds, or with the block that takes it; absent where it is used up at once. */
  readonly expires?: bigint | 'never' | 'sameBlock' | undefined
}

/** One thing that an order gives or asks for. Amounts move from the first to the second while the order is open. */
export interface OrderItem {
  readonly itemType: 'coin' | 'erc20' | 'erc721' | 'erc1155' | 'erc721Criteria' | 'erc1155Criteria'
  /** The zero address for coin. */
  readonly token: string
  /** The item's number, or its criteria: 0 means any item of the collection. Absent for coin and ERC-20. */
  readonly id?: bigint | undefined
  readonly startAmount: bigint
  readonly endAmount: bigint
}

/** Something that an order asks for, and who gets it. */
export interface ConsiderationItem extends OrderItem {
  readonly recipient: string
}

/** What typed data mean, as far as contract and complete type settle it. */
export type DecodedTypedData =
  /** A lasting right. `signatureExpires`: until when the signature can be handed in. */
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
  /** Tokens leave at once, when the holder of the signature wants it. */
  | {
      readonly kind: 'permitTransfer'
      readonly spender: string
      readonly permissions: readonly Permission[]
      readonly signatureExpires: bigint | 'never'
      /** It is bound to something more, which is not known. */
      readonly hasWitness: boolean
    }
  | {
      readonly kind: 'order'
      /** Who signs: what goes there is what they get. */
      readonly account: string
      readonly offers: readonly OrderItem[]
      readonly receives: readonly ConsiderationItem[]
      readonly expires: bigint | 'never'
    }
  | { readonly kind: 'unknown' }

/** Whether the data have this primary type, and exactly these types with these members in this order. */
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

/** The members of a struct as EIP-712 encodes them. */
export function membersOf(fields: TypedData['types'][string] | undefined): string {
  return (fields ?? []).map(({ type, name }) => `${type} ${name}`).join(',')
}

/** Whether the domain consists of exactly these fields, in this order. */
export function hasDomain({ types }: TypedData, names: string): boolean {
  return (types.EIP712Domain ?? []).map(({ name }) => name).join(',') === names
}

/** A whole number of the message: the signer has read it as one. */
export function wholeIn(value: unknown): bigint {
  return typeof value === 'bigint' ? value : BigInt(value as string | number)
}

/** The upper half of a number's range is more than there is of any token. */
export function amountIn(value: unknown, bits: number): bigint | 'unlimited' {
  const amount = wholeIn(value)
  return amount >= 1n << BigInt(bits - 1) ? 'unlimited' : amount
}

/** A moment; the largest number of its type is none. */
export function expiryIn(value: unknown, bits: number): bigint | 'never' {
  const seconds = wholeIn(value)
  return seconds === (1n << BigInt(bits)) - 1n ? 'never' : seconds
}

/** The structs of a list, or the one that stands alone. */
export function structsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null)
}
