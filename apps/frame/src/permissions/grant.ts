import type { ChainId } from '@latchkey/protocol/caip'
import type { AbiParameter, Hex } from 'viem'
import type { TokenMetadata } from '../requests/tokenMetadata.ts'

// Times here are seconds, as ERC-7715 has them.

/** What tokens call themselves, by address in lower case. */
export type TokenMetadataByAddress = Readonly<Record<string, TokenMetadata>>

/** So much, and no more, in each period. */
export interface Allowance {
  /** In the smallest unit. */
  readonly most: bigint
  /** When the first period begins. */
  readonly start: number
  readonly period: number
}

/** What a page may move of the network's own coin. Network fees count, too. */
export interface CoinPermission extends Allowance {
  readonly kind: 'coin'
}

/** What a page may send of one token. */
export interface TokenPermission extends Allowance {
  readonly kind: 'token'
  readonly token: string
}

/** What an argument of a call has to be. */
export interface ArgumentRule {
  readonly operator: 'EQUAL' | 'GREATER_THAN' | 'LESS_THAN'
  /** As a person reads it. */
  readonly value: string
}

/** A function of one contract that a page may call. */
export interface FunctionRule {
  readonly name: string
  /** The first four bytes of its calls. */
  readonly selector: Hex
  readonly inputs: readonly AbiParameter[]
  /** One for each argument. `undefined`, in grants that were stored earlier, covers nothing. */
  readonly rules: readonly (ArgumentRule | undefined)[]
  /** How much coin may go with one call. */
  readonly valueMost: bigint
}

/** The functions of one contract that a page may call. */
export interface ContractPermission {
  readonly kind: 'contract'
  readonly address: string
  readonly functions: readonly FunctionRule[]
}

/** One thing that a page may do without asking. */
export type Permission = CoinPermission | TokenPermission | ContractPermission

/** What the owner has let a page do: every limit of it. Addresses are in lower case. */
export interface GrantLimits {
  readonly chain: ChainId<'eip155'>
  readonly account: string
  /** From here on it is over. */
  readonly expiry: number
  readonly permissions: readonly Permission[]
  /** Who may get coins and tokens; `undefined`: anybody. */
  readonly recipients: readonly string[] | undefined
  /** How many calls in all; `undefined`: as many as the allowances bear. */
  readonly callsMost: number | undefined
}

/** How much of one permission is used up in the period that counts. */
export interface AllowanceUsage {
  readonly period: number
  readonly amount: bigint
}

/** How much of a grant is used up: one entry for each permission, and all calls. */
export interface GrantUsage {
  readonly used: readonly AllowanceUsage[]
  readonly calls: number
}

/** What runs at each contract that may be called, by address in lower case, as a digest: another program there is another contract. */
export type CodeHashes = Readonly<Record<string, Hex>>

/** A page's right, as this device keeps it. The page holds `context`, which names it and gives nothing by itself. */
export interface Grant extends GrantLimits {
  readonly context: Hex
  readonly userId: string
  /** The page, as the browser reported it when it asked. */
  readonly origin: string
  /** What its tokens called themselves when it was given: what the owner has read stands. */
  readonly tokens: TokenMetadataByAddress
  /** Absent in grants that were stored before it was written down: those cover no contract. */
  readonly codes?: CodeHashes | undefined
  readonly createdAt: number
  /** When the sign-in began in which it was given (the server's clock): it ends with it, whoever ended that from wherever. */
  readonly signedInAt: number
  readonly revokedAt: number | undefined
  readonly spent: GrantUsage
}

/** Nothing used up. */
export function emptyUsage({ permissions }: Pick<GrantLimits, 'permissions'>): GrantUsage {
  return { used: permissions.map(() => ({ period: 0, amount: 0n })), calls: 0 }
}

/** Which period of an allowance `now` lies in; the first is 0. */
export function periodIndex({ start, period }: Allowance, now: number): number {
  return Math.floor((now - start) / period)
}

/** How much of an allowance is used up at `now`; a period that is over counts no more. */
export function amountUsedAt(allowance: Allowance, used: AllowanceUsage | undefined, now: number): bigint {
  return used && periodIndex(allowance, now) <= used.period ? used.amount : 0n
}

/** Where a grant stands. */
export function grantState({ revokedAt, expiry }: Grant, now: number): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== undefined) return 'revoked'
  return now >= expiry ? 'expired' : 'active'
}

/** The most that an allowance can come to until `expiry`, all periods together. */
export function totalAllowance({ most, start, period }: Allowance, expiry: number): bigint {
  return most * BigInt(Math.max(1, Math.ceil((expiry - start) / period)))
}
