// The format of a sample. Expectations are based only on published ABIs and standards, and their author has not read the
// decoder. A wrong expectation is corrected in a separate commit that cites the clause of the standard.

import type { Hex } from 'viem'

/** The responses of the contract at an address. */
export interface SampleContract {
  /**
   * The kind of contract.
   * - `none`: There is no code at the address.
   * - `erc20`: The code responds to balanceOf, allowance, totalSupply and the fields below. ERC-165 calls revert.
   * - `erc721`, `erc1155`: The code supports the ERC-165 IDs 0x01ffc9a7 and 0x80ac58cd or 0xd9b67a26.
   * - `unknown`: The code reverts every read, unless a field below defines the response.
   */
  readonly kind: 'none' | 'erc20' | 'erc721' | 'erc1155' | 'unknown'
  readonly symbol?: string
  readonly name?: string
  readonly decimals?: number
}

/** A call in a transaction or an EIP-5792 batch. */
export interface SampleCall {
  /** Absent for deployments. */
  readonly to?: Hex
  readonly value: bigint
  readonly data: Hex
  /** The ABI function that encoded `data`. Absent for native transfers, deployments and malformed calldata. */
  readonly signature?: string
}

/** A log returned by a simulation. */
export interface SampleLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** A transaction or batch of calls that a page requests. */
export interface TransactionSample {
  readonly id: string
  /** The standard or ABI that defines the effect, with the clause. */
  readonly source: string
  /** How the attacker wants the request to be misread. */
  readonly adversarial?: string
  readonly from: Hex
  readonly chainId: number
  readonly calls: readonly SampleCall[]
  /** The contracts, keyed by lowercase address. Other addresses have no code. */
  readonly contracts: Readonly<Record<string, SampleContract>>
  /** The logs of a simulation, or why there are none: the node cannot simulate, or the call reverts. */
  readonly simulation: 'unavailable' | 'reverts' | readonly SampleLog[]
  readonly expect: Expectation
}

/** Typed data that a page asks the user to sign. */
export interface TypedDataSample {
  readonly id: string
  /** The standard or ABI that defines the effect, with the clause. */
  readonly source: string
  /** How the attacker wants the request to be misread. */
  readonly adversarial?: string
  /** Why this data cannot be hashed with EIP-712, if that is the point of the sample. */
  readonly malformed?: string
  readonly account: Hex
  /** The account's network. */
  readonly chainId: number
  /** The contracts, keyed by lowercase address. Other addresses have no code. */
  readonly contracts: Readonly<Record<string, SampleContract>>
  /** The second parameter of `eth_signTypedData_v4`, as an object rather than a JSON string. */
  readonly typedData: object
  readonly expect: Expectation
}

/** The expected result. The decoder must return this result, or `unknown` if `canBeUnknown` is set. */
export interface Expectation {
  /** The effects in the headlines. There is one effect per call, and one effect for typed data. */
  readonly effects: readonly Effect[]
  /** Whether `unknown` is also accepted. `false` if the standard is unambiguous. */
  readonly canBeUnknown: boolean
  /** The kinds of effects that must not be shown. */
  readonly never?: readonly Effect['kind'][]
  /** Whether the request must be refused, because the data is for a different network or does not match its types. */
  readonly refused?: boolean
  /** The native value in wei that is sent with calls other than `sendCoin`. The screen must show it next to the effects. */
  readonly value?: bigint
  /** The account's simulated changes, summed per asset. Only set if `simulation` is a list. */
  readonly changes?: readonly Change[]
  /** Whether the simulation is inconclusive, so that "no changes" would be wrong. */
  readonly changesUnknown?: boolean
}

/** A change in an asset. Positive amounts are incoming, and negative amounts are outgoing. */
export type Change =
  | { readonly kind: 'coin'; readonly amount: bigint }
  | { readonly kind: 'token'; readonly token: Hex; readonly amount: bigint }
  | { readonly kind: 'item'; readonly token: Hex; readonly id: bigint; readonly count: bigint }

/** An amount. `unlimited` means at least 2^255 for a uint256, and at least 2^159 for the uint160 of Permit2. */
export type Amount = bigint | 'unlimited'

/**
 * A time in Unix seconds. `never` is used only if the standard says that the value means "never", or if the value is the maximum
 * of its type. `sameBlock` is an expiration of 0 in Permit2, which expires with the block in which the permit is executed.
 */
export type Expiry = bigint | 'never' | 'sameBlock'

/** An item that an order offers or requests. */
export interface OrderItem {
  readonly itemType: 'coin' | 'erc20' | 'erc721' | 'erc1155' | 'erc721Criteria' | 'erc1155Criteria'
  /** The zero address for native currency. */
  readonly token: Hex
  /** The token ID or the criteria. Criteria of 0 match any item in the collection. Absent for native currency and ERC-20. */
  readonly id?: bigint
  readonly startAmount: bigint
  readonly endAmount: bigint
}

/** The effect of an executed request, or of a signature. */
export type Effect =
  | { readonly kind: 'sendCoin'; readonly to: Hex; readonly amount: bigint }
  | { readonly kind: 'sendToken'; readonly token: Hex; readonly from: Hex; readonly to: Hex; readonly amount: bigint }
  | {
      readonly kind: 'sendItem'
      readonly token: Hex
      readonly from: Hex
      readonly to: Hex
      readonly id: bigint
      readonly count: bigint
    }
  | {
      readonly kind: 'sendItems'
      readonly token: Hex
      readonly from: Hex
      readonly to: Hex
      readonly items: readonly { readonly id: bigint; readonly count: bigint }[]
    }
  | {
      readonly kind: 'allowToken'
      readonly token: Hex
      readonly spender: Hex
      readonly amount: Amount
      /** Defaults to `set`. */
      readonly change?: 'set' | 'increase' | 'decrease'
    }
  | { readonly kind: 'allowItem'; readonly token: Hex; readonly spender: Hex; readonly id: bigint }
  | { readonly kind: 'revokeToken'; readonly token: Hex; readonly spender: Hex }
  | { readonly kind: 'revokeItem'; readonly token: Hex; readonly id: bigint }
  | { readonly kind: 'revokeAll'; readonly token: Hex; readonly spender: Hex }
  | { readonly kind: 'allowAll'; readonly token: Hex; readonly operator: Hex }
  | { readonly kind: 'deploy' }
  | {
      readonly kind: 'permit'
      readonly spender: Hex
      readonly permissions: readonly { readonly token: Hex; readonly amount: Amount; readonly expires: Expiry }[]
      /** When the signature expires. Absent if the standard has no such field. */
      readonly signatureExpires?: Expiry
    }
  | { readonly kind: 'permitRevoke'; readonly spender: Hex; readonly token: Hex }
  | {
      readonly kind: 'permitTransfer'
      readonly spender: Hex
      readonly permissions: readonly { readonly token: Hex; readonly amount: Amount }[]
      readonly signatureExpires: Expiry
    }
  | {
      readonly kind: 'order'
      readonly offers: readonly OrderItem[]
      readonly receives: readonly (OrderItem & { readonly recipient: Hex })[]
      readonly expires: Expiry
    }
  /** Typed data that grants no rights over assets. */
  | { readonly kind: 'signIn' | 'message' }
  /** The effect cannot be determined. */
  | { readonly kind: 'unknown' }
