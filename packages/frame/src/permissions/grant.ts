import type { ChainId } from '@latchkey/protocol/caip'
import type { AbiParameter, Hex } from 'viem'
import type { TokenMetadata } from '../requests/tokenMetadata.ts'

// Times are in seconds, as in ERC-7715.

/** Token metadata by lowercase address, as reported by the tokens. */
export type TokenMetadataByAddress = Readonly<Record<string, TokenMetadata>>

/** A spending limit per period. */
export interface Allowance {
  /** The limit per period, in the smallest unit. */
  readonly most: bigint
  /** The start of the first period. */
  readonly start: number
  readonly period: number
}

/** The spending limit for the native currency. Network fees count against it. */
export interface CoinPermission extends Allowance {
  readonly kind: 'coin'
}

/** The spending limit for one token. */
export interface TokenPermission extends Allowance {
  readonly kind: 'token'
  readonly token: string
}

/** A condition on an argument of a call. */
export interface ArgumentRule {
  readonly operator: 'EQUAL' | 'GREATER_THAN' | 'LESS_THAN'
  /** The value as displayed. */
  readonly value: string
}

/** A contract function that a page may call. */
export interface FunctionRule {
  readonly name: string
  /** The four-byte function selector. */
  readonly selector: Hex
  readonly inputs: readonly AbiParameter[]
  /** One rule per argument. Arguments without a rule, in older grants, mean that the function is not covered. */
  readonly rules: readonly (ArgumentRule | undefined)[]
  /** Maximum native value per call, in wei. */
  readonly valueMost: bigint
}

/** The functions of one contract that a page may call. */
export interface ContractPermission {
  readonly kind: 'contract'
  readonly address: string
  readonly functions: readonly FunctionRule[]
}

/** A permission that a page can use without further approval. */
export type Permission = CoinPermission | TokenPermission | ContractPermission

/** All limits of a grant. Addresses are in lowercase. */
export interface GrantLimits {
  readonly chain: ChainId<'eip155'>
  readonly account: string
  /** The time at which the grant expires. */
  readonly expiry: number
  readonly permissions: readonly Permission[]
  /** Allowed recipients of native currency and tokens; `undefined` for no restriction. */
  readonly recipients: readonly string[] | undefined
  /** Maximum number of calls; `undefined` for no limit besides the allowances. */
  readonly callsMost: number | undefined
}

/** The amount used of one permission in its last used period. */
export interface AllowanceUsage {
  readonly period: number
  readonly amount: bigint
}

/** The usage of a grant: one entry per permission, and the total number of calls. */
export interface GrantUsage {
  readonly used: readonly AllowanceUsage[]
  readonly calls: number
}

/** Code hashes of the contracts that may be called, by lowercase address. A contract whose code has changed is no longer covered. */
export type CodeHashes = Readonly<Record<string, Hex>>

/** A stored grant. The page gets `context`, which identifies the grant but does not authorize anything by itself. */
export interface Grant extends GrantLimits {
  readonly context: Hex
  readonly userId: string
  /** The origin of the page, as reported by the browser at the time of the request. */
  readonly origin: string
  /** Token metadata at the time of the grant, which is what the user approved. */
  readonly tokens: TokenMetadataByAddress
  /** Absent in older grants, which cover no contract calls. */
  readonly codes?: CodeHashes | undefined
  readonly createdAt: number
  /** The start of the sign-in session in which it was granted (server time). The grant ends with that session, wherever it is revoked. */
  readonly signedInAt: number
  readonly revokedAt: number | undefined
  readonly spent: GrantUsage
}

/** The initial usage of a grant. */
export function emptyUsage({ permissions }: Pick<GrantLimits, 'permissions'>): GrantUsage {
  return { used: permissions.map(() => ({ period: 0, amount: 0n })), calls: 0 }
}

/** The index of the allowance period that contains `now`, starting at 0. */
export function periodIndex({ start, period }: Allowance, now: number): number {
  return Math.floor((now - start) / period)
}

/** The amount used of an allowance at `now`. Usage of past periods does not count. */
export function amountUsedAt(allowance: Allowance, used: AllowanceUsage | undefined, now: number): bigint {
  return used && periodIndex(allowance, now) <= used.period ? used.amount : 0n
}

/** The state of a grant. */
export function grantState({ revokedAt, expiry }: Grant, now: number): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== undefined) return 'revoked'
  return now >= expiry ? 'expired' : 'active'
}

/** The maximum total of an allowance until `expiry`, over all periods. */
export function totalAllowance({ most, start, period }: Allowance, expiry: number): bigint {
  return most * BigInt(Math.max(1, Math.ceil((expiry - start) / period)))
}
