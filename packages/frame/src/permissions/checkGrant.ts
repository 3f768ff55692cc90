import { decodeAbiParameters, encodeAbiParameters, type Hex, hexToBigInt } from 'viem'
import type { Call } from '../decoders/decodeCall.ts'
import { isBounded, namesOnlyAddresses } from './argumentRules.ts'
import { type FunctionRule, type Grant, type GrantUsage, periodIndex } from './grant.ts'
import { isReserved } from './reservedSelectors.ts'

/** A request to make calls without approval. */
export interface GrantUse {
  readonly userId: string
  /** When the user signed in to the current session. */
  readonly signedInAt: number | undefined
  readonly origin: string
  readonly chain: string
  /** The account that makes the calls. */
  readonly account: string
  readonly calls: readonly Call[]
  /** The maximum network fee that the account would pay, in wei. */
  readonly fee: bigint
  /** The current time in seconds. */
  readonly now: number
}

/** The reason why a request is not covered. */
export type DenialReason =
  | 'other-owner'
  | 'other-sign-in'
  | 'revoked'
  | 'expired'
  | 'not-yet'
  | 'other-network'
  | 'other-account'
  | 'too-many'
  | 'too-much'
  | 'recipient'
  | 'call'

/** The usage after the calls if the grant covers them, or otherwise the reason why it does not. */
export type Verdict = { readonly spent: GrantUsage } | { readonly outside: DenialReason }

/** Checks whether `grant` covers all calls in `grantUse`. The caller must store the returned usage before signing anything. */
export function checkGrant(grant: Grant, grantUse: GrantUse): Verdict {
  // All checks are in one list, so that a change to one check is reviewed next to the others.
  if (grant.userId !== grantUse.userId || grant.origin !== grantUse.origin) return { outside: 'other-owner' }
  if (grant.signedInAt !== grantUse.signedInAt) return { outside: 'other-sign-in' }
  if (grant.revokedAt !== undefined) return { outside: 'revoked' }
  if (grantUse.now >= grant.expiry) return { outside: 'expired' }
  if (grant.chain !== grantUse.chain) return { outside: 'other-network' }
  if (grant.account !== grantUse.account.toLowerCase()) return { outside: 'other-account' }
  const calls = grant.spent.calls + grantUse.calls.length
  if (grantUse.calls.length === 0 || (grant.callsMost !== undefined && calls > grant.callsMost))
    return { outside: 'too-many' }

  const amounts = grant.permissions.map(() => 0n)
  const coin = grant.permissions.findIndex(({ kind }) => kind === 'coin')
  const count = (at: number, amount: bigint): void => {
    amounts[at] = (amounts[at] ?? 0n) + amount
  }
  let coins = grantUse.fee
  for (const call of grantUse.calls) {
    const found = matchPermission(grant, call)
    if ('outside' in found) return found
    coins += call.value
    if (found.token) count(found.token.at, found.token.amount)
  }
  if (coins > 0n && coin < 0) return { outside: 'too-much' }
  if (coin >= 0) count(coin, coins)

  const used = []
  for (const [at, permission] of grant.permissions.entries()) {
    const before = grant.spent.used[at] ?? { period: 0, amount: 0n }
    const amount = amounts[at] ?? 0n
    if (permission.kind === 'contract' || amount === 0n) {
      used.push(before)
      continue
    }
    if (grantUse.now < permission.start) return { outside: 'not-yet' }
    const period = periodIndex(permission, grantUse.now)
    // Setting the clock back does not start a new period.
    const counts = period > before.period ? { period, amount: 0n } : before
    if (counts.amount + amount > permission.most) return { outside: 'too-much' }
    used.push({ period: counts.period, amount: counts.amount + amount })
  }
  return { spent: { used, calls } }
}

type PermissionMatch =
  | { readonly token: { readonly at: number; readonly amount: bigint } | undefined }
  | { readonly outside: DenialReason }

/**
 * Finds the permission that covers a call, and the token amount that the call uses. Side effects of a contract call are not
 * checked.
 */
function matchPermission(grant: Grant, { to, value, data }: Call): PermissionMatch {
  const target = to?.toLowerCase()
  // The call deploys a contract, or calls the account itself, whose functions can change its owner.
  if (target === undefined || target === grant.account) return { outside: 'call' }
  const canReceive = (who: string): boolean => grant.recipients === undefined || grant.recipients.includes(who)
  if (data === '0x') {
    if (!grant.permissions.some(({ kind }) => kind === 'coin')) return { outside: 'call' }
    return canReceive(target) ? { token: undefined } : { outside: 'recipient' }
  }
  const sent = decodeTransfer(data)
  if (sent) {
    const at = grant.permissions.findIndex((item) => item.kind === 'token' && item.token === target)
    if (at < 0 || value > 0n) return { outside: 'call' }
    return canReceive(sent.to) ? { token: { at, amount: sent.amount } } : { outside: 'recipient' }
  }
  for (const permission of grant.permissions) {
    if (permission.kind !== 'contract' || permission.address !== target) continue
    const rule = permission.functions.find(({ selector }) => selector === data.slice(0, 10).toLowerCase())
    if (!rule || !namesOnlyAddresses(rule, grant) || !matchesRule(rule, value, data)) continue
    return value === 0n || canReceive(target) ? { token: undefined } : { outside: 'recipient' }
  }
  return { outside: 'call' }
}

/** Decodes `transfer(address,uint256)`. Returns `undefined` if the data has extra bytes or nonzero padding. */
export function decodeTransfer(data: Hex): { readonly to: string; readonly amount: bigint } | undefined {
  const found = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(data.toLowerCase())
  return found ? { to: `0x${found[1]}`, amount: hexToBigInt(`0x${found[2]}`) } : undefined
}

function matchesRule(rule: FunctionRule, value: bigint, data: Hex): boolean {
  const { inputs, rules, selector, valueMost } = rule
  if (value > valueMost || !isBounded(rule) || isReserved(selector)) return false
  const response = `0x${data.slice(10).toLowerCase()}` as Hex
  let args: readonly unknown[]
  try {
    args = inputs.length === 0 ? [] : decodeAbiParameters(inputs, response)
    // Only the canonical encoding is accepted, because any other encoding could hide data behind the decoded arguments.
    if (encodeAbiParameters(inputs, args) !== response) return false
  } catch {
    return false
  }
  return rules.every((rule, at) => {
    if (!rule) return false
    const found = args[at]
    if (typeof found === 'bigint' || typeof found === 'number') {
      const [is, limit] = [BigInt(found), BigInt(rule.value)]
      return rule.operator === 'LESS_THAN' ? is < limit : is === limit
    }
    return rule.operator === 'EQUAL' && String(found).toLowerCase() === rule.value.toLowerCase()
  })
}
