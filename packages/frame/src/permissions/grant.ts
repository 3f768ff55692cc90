import type { ChainId } from '@latchkey/protocol/caip'
import type { AbiParameter, Hex } from 'viem'
import type { TokenMetadata } from '../decoders/tokenMetadata.ts'

// All times are in seconds, as in ERC-7715.

/** Token metadata as reported by the tokens, keyed by lowercase address. */
export type TokenMetadataByAddress = Readonly<Record<string, TokenMetadata>>

/** A spending limit that applies to each period. */
export interface Allowance {
  /** The limit per period, in the smallest unit. */
  readonly most: bigint
  /** The start of the first period. */
  readonly start: number
  readonly period: number
}

/** The spending limit for the native currency. Network fees count toward it. */
export interface CoinPermission extends Allowance {
  readonly kind: 'coin'
}

/** The spending limit for one token. */
export interface TokenPermission extends Allowance {
  readonly kind: 'token'
  readonly token: string
}

/** A condition for an argument of a call. */
export interface ArgumentRule {
  readonly operator: 'EQUAL' | 'GREATER_THAN' | 'LESS_THAN'
  /** The value as displayed to the user. */
  readonly value: string
}

/** A contract function that a page is allowed to call. */
export interface FunctionRule {
  readonly name: string
  /** The four-byte function selector. */
  readonly selector: Hex
  readonly inputs: readonly AbiParameter[]
  /** One rule for each argument. In grants from earlier versions, a rule can be missing. The function is then not covered. */
  readonly rules: readonly (ArgumentRule | undefined)[]
  /** The maximum native value of a call, in wei. */
  readonly valueMost: bigint
}

/** The functions of one contract that a page is allowed to call. */
export interface ContractPermission {
  readonly kind: 'contract'
  readonly address: string
  readonly functions: readonly FunctionRule[]
}

/** A permission that a page can use without further approval. */
export type Permission = CoinPermission | TokenPermission | ContractPermission

/** The limits of a grant. Addresses are in lowercase. */
export interface GrantLimits {
  readonly chain: ChainId<'eip155'>
  readonly account: string
  /** The time at which the grant expires. */
  readonly expiry: number
  readonly permissions: readonly Permission[]
  /** The allowed recipients of native currency and tokens, or `undefined` if recipients are not restricted. */
  readonly recipients: readonly string[] | undefined
  /** The maximum number of calls, or `undefined` if only the allowances limit the calls. */
  readonly callsMost: number | undefined
}

/** The amount used in the last period in which the permission was used. */
export interface AllowanceUsage {
  readonly period: number
  readonly amount: bigint
}

/** The usage of a grant, with one entry for each permission and the total number of calls. */
export interface GrantUsage {
  readonly used: readonly AllowanceUsage[]
  readonly calls: number
}

/** The code hashes of callable contracts by lowercase address. A contract whose code has changed is no longer covered. */
export type CodeHashes = Readonly<Record<string, Hex>>

/** A stored grant. The page receives `context`, which identifies the grant but does not authorize anything by itself. */
export interface Grant extends GrantLimits {
  readonly context: Hex
  readonly userId: string
  /** The page's origin, as reported by the browser when the page made the request. */
  readonly origin: string
  /** The token metadata that the user approved. */
  readonly tokens: TokenMetadataByAddress
  /** Absent in grants from earlier versions, which do not cover contract calls. */
  readonly codes?: CodeHashes | undefined
  readonly createdAt: number
  /**
   * When the sign-in session that created the grant started (server time). The grant ends with that session, even if the session
   * is revoked on a different device.
   */
  readonly signedInAt: number
  readonly revokedAt: number | undefined
  readonly spent: GrantUsage
}

/** Returns the usage of a grant that has not been used. */
export function emptyUsage({ permissions }: Pick<GrantLimits, 'permissions'>): GrantUsage {
  return { used: permissions.map(() => ({ period: 0, amount: 0n })), calls: 0 }
}

/** Returns the index of the allowance period that contains `now`, starting at 0. */
export function periodIndex({ start, period }: Allowance, now: number): number {
  return Math.floor((now - start) / period)
}

/** Returns how much of an allowance has been used at `now`. Usage in earlier periods does not count. */
export function amountUsedAt(allowance: Allowance, used: AllowanceUsage | undefined, now: number): bigint {
  return used && periodIndex(allowance, now) <= used.period ? used.amount : 0n
}

/** Returns the state of a grant. */
export function grantState({ revokedAt, expiry }: Grant, now: number): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== undefined) return 'revoked'
  return now >= expiry ? 'expired' : 'active'
}

/** Returns the maximum total of an allowance over all periods until `expiry`. */
export function totalAllowance({ most, start, period }: Allowance, expiry: number): bigint {
  return most * BigInt(Math.max(1, Math.ceil((expiry - start) / period)))
}
