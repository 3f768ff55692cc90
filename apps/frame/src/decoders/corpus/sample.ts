// What a sample of the corpus says. Expectations are written from published ABIs and standards alone, by somebody who
// has not read the decoder; whoever finds one wrong argues it in a commit of its own, with the clause of the standard.

import type { Hex } from 'viem'

/** What the contract at an address answers when it is read, for one sample. */
export interface SampleContract {
  /**
   * - `none`: no code at the address.
   * - `erc20`: code; answers balanceOf, allowance and totalSupply, and what the fields below name; ERC-165 reverts.
   * - `erc721`, `erc1155`: code; ERC-165 says yes to 0x01ffc9a7 and to 0x80ac58cd or 0xd9b67a26.
   * - `unknown`: code; every read reverts, unless a field below names an answer.
   */
  readonly kind: 'none' | 'erc20' | 'erc721' | 'erc1155' | 'unknown'
  readonly symbol?: string
  readonly name?: string
  readonly decimals?: number
}

/** One call of a transaction or of an EIP-5792 batch. */
export interface SampleCall {
  /** Absent where a contract is deployed. */
  readonly to?: Hex
  readonly value: bigint
  readonly data: Hex
  /** The function of the published ABI that made `data`; absent for plain coin, deployments and malformed calldata. */
  readonly signature?: string
}

/** An event that a simulation returned. */
export interface SampleLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** A transaction, or a batch of calls, that a page asks for. */
export interface TransactionSample {
  readonly id: string
  /** The standard or ABI, with its clause. */
  readonly source: string
  /** What the attacker hopes that the person reads. */
  readonly adversarial?: string
  readonly from: Hex
  readonly chainId: number
  readonly calls: readonly SampleCall[]
  /** By address in lower case. An address that is not named has no code. */
  readonly contracts: Readonly<Record<string, SampleContract>>
  /** The logs of a simulation, or why there are none: the node cannot simulate, or the call reverts. */
  readonly simulation: 'unavailable' | 'reverts' | readonly SampleLog[]
  readonly expect: Expectation
}

/** Typed data that a page asks the account to sign. */
export interface TypedDataSample {
  readonly id: string
  /** The standard or ABI, with its clause. */
  readonly source: string
  /** What the attacker hopes that the person reads. */
  readonly adversarial?: string
  /** Why these data cannot be hashed as EIP-712 says, where that is the point of the sample. */
  readonly malformed?: string
  readonly account: Hex
  /** The network that the account is on. */
  readonly chainId: number
  /** By address in lower case. An address that is not named has no code. */
  readonly contracts: Readonly<Record<string, SampleContract>>
  /** The second parameter of `eth_signTypedData_v4`, parsed. */
  readonly typedData: object
  readonly expect: Expectation
}

/** What a correct reading says. A reading is right, or honestly unknown where that is allowed: never anything else. */
export interface Expectation {
  /** The effect that the headline names: one for each call, one for typed data. */
  readonly effects: readonly Effect[]
  /** Whether "the effect could not be determined" is right, too. False where the standard leaves no doubt. */
  readonly mayBeUnknown: boolean
  /** Kinds of effect that must not be claimed anywhere on the screen. */
  readonly never?: readonly Effect['kind'][]
  /** The request must be refused: data for another network, or data that do not fit their own types. */
  readonly refused?: boolean
  /** Coin that leaves with calls whose effect is not `sendCoin`, in wei; the screen must name it beside the effects. */
  readonly value?: bigint
  /** What the simulation shows for the account, summed for each asset; only where `simulation` is a list. */
  readonly changes?: readonly Change[]
  /** The simulation does not settle what changes: "nothing comes or goes" would be wrong. */
  readonly changesUnknown?: boolean
}

/** An asset that comes (positive) or leaves (negative). */
export type Change =
  | { readonly kind: 'coin'; readonly amount: bigint }
  | { readonly kind: 'token'; readonly token: Hex; readonly amount: bigint }
  | { readonly kind: 'item'; readonly token: Hex; readonly id: bigint; readonly count: bigint }

/** At least 2^255 for a uint256, at least 2^159 for the uint160 of Permit2. */
export type Amount = bigint | 'unlimited'

/**
 * A moment in Unix seconds. `never` only where the standard gives the value that meaning, or where it is the largest of
 * its type; `sameBlock` for an expiration of 0 in Permit2, which ends with the block that it is executed in.
 */
export type Expiry = bigint | 'never' | 'sameBlock'

/** One thing that an order gives or asks for. */
export interface OrderItem {
  readonly itemType: 'coin' | 'erc20' | 'erc721' | 'erc1155' | 'erc721Criteria' | 'erc1155Criteria'
  /** The zero address for coin. */
  readonly token: Hex
  /** The item's id, or its criteria: 0 means any item of the collection. Absent for coin and ERC-20. */
  readonly id?: bigint
  readonly startAmount: bigint
  readonly endAmount: bigint
}

/** What a request does once it is executed, or what a signature allows. */
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
      /** Absent means `set`. */
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
      /** Until when the signature can be used; absent where the standard has no such field. */
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
  /** Typed data that carry no right over assets. */
  | { readonly kind: 'signIn' | 'message' }
  /** The effect cannot be determined. */
  | { readonly kind: 'unknown' }
