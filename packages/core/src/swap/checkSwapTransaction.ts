import { type AccountId, addressOf, type ChainId, chainOf, parseAccountId, toEvmAddress } from '@latchkey/protocol/caip'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import type { ApproveTransaction, SwapTransaction } from '@latchkey/protocol/http/chainApi'
import { isPermit2 } from './assetMovingSelectors.ts'
import { type RouterSwap, readApprove, readSwapCall } from './decodeSwapCalldata.ts'
import { minimumOf } from './swapAmounts.ts'
import type { SwapToken } from './swapTypes.ts'
import type { SwapExchange } from './trustedExchanges.ts'

/** The swap that the user requested. */
export interface SwapRequest {
  readonly account: AccountId
  readonly from: SwapToken
  readonly to: SwapToken
  /** In base units of `from`. */
  readonly amount: bigint
}

/** A checked transaction, in the format that a session sends. */
export interface CheckedTransaction {
  readonly to: string
  readonly data: string
  readonly value: bigint
}

/** A swap transaction that has been checked. */
export interface CheckedSwap extends CheckedTransaction {
  readonly received: bigint
  readonly minimum: bigint
  /** The part that could not be verified. See `SwapReview.unverified`. */
  readonly unverified: 'contract' | 'call' | undefined
  /** In epoch milliseconds. Absent if the server does not report it. */
  readonly expiresAt: number | undefined
}

/** The values with which a transaction is compared, in addition to the request. */
export interface SwapChecks {
  /** The time, in epoch milliseconds. */
  readonly now: number
  /** The exchanges on the chain whose contracts are trusted. */
  readonly exchanges: readonly SwapExchange[]
  /** The contracts of all tokens that the page knows, in lower case. */
  readonly tokens: ReadonlySet<string>
}

/** The maximum rounding error of the minimum and the fee, in base units. */
const rounding = 2n
/** The maximum time until a transaction expires. Later, it could be executed at any price above its minimum. In milliseconds. */
const maxLifeMs = 3_600_000
const zeroAddress = `0x${'0'.repeat(40)}`

/**
 * Compares the server's swap transaction with the request. Only the checked parts of the server's transaction are used. The value
 * comes from the request. A call to an unknown router is not rejected but returned with `unverified: 'contract'`, and a call that
 * cannot be decoded with `unverified: 'call'`. The user is then asked to confirm it.
 *
 * @throws {LatchkeyError} `swap/mismatch` if it differs.
 */
export function checkSwap(
  tx: SwapTransaction,
  request: SwapRequest,
  { now, exchanges, tokens }: SwapChecks,
): CheckedSwap {
  const { account, from, to, amount } = request
  if (!isSame(tx.from, account)) throw mismatch('it is for another account')
  const contract = contractOf(tx.to, chainOf(account))
  const own = addressOf(account)
  const received = BigInt(tx.amount)
  const minimum = tx.minimumAmount === undefined ? minimumOf(received) : BigInt(tx.minimumAmount)
  if (received === 0n || minimum === 0n || minimum > received)
    throw mismatch('it yields nothing, or less than its minimum')
  if (minimum + rounding < minimumOf(received)) throw mismatch('its minimum is lower than the slippage allows')
  assertDeadline(tx.deadline, now)
  if (isSame(contract, own) || contract === zeroAddress) throw mismatch('it does not call a contract')
  if (isPermit2(contract)) throw mismatch('it calls Permit2 instead of an exchange')
  const call = readSwapCall(tx.data)
  const checked = {
    to: contract,
    data: tx.data,
    value: from.id === 'native' ? amount : 0n,
    received,
    minimum,
    expiresAt: tx.deadline === undefined ? undefined : tx.deadline * 1000,
  }
  if (call === 'unsafe') throw mismatch('it is not only a swap')
  const isWrapped = exchanges.some(({ wrappedNative }) => isSame(wrappedNative, contract))
  const wrapping = { ...checked, unverified: isWrapped ? undefined : ('contract' as const) }
  if (call === 'deposit') {
    if (from.id !== 'native' || !isSame(contract, to.address) || received !== amount)
      throw mismatch('it wraps another currency')
    return wrapping
  }
  if (typeof call === 'object' && 'withdraw' in call) {
    if (to.id !== 'native' || !isSame(contract, from.address) || call.withdraw !== amount || received !== amount)
      throw mismatch('it unwraps another currency')
    return wrapping
  }
  // Calls to a token contract are not swaps.
  if (isSame(contract, from.address) || isSame(contract, to.address) || tokens.has(contract))
    throw mismatch('it calls a token')
  if (call === 'unknown') return { ...checked, unverified: 'call' }
  const exchange = exchanges.find(({ router }) => isSame(router, contract))
  assertDeadline(call.deadline, now)
  if (tx.deadline !== undefined && call.deadline > tx.deadline) throw mismatch('it expires later than stated')
  checkCall(call, request, { minimum, feeBps: tx.fee?.bps ?? 0, wrappedNative: exchange?.wrappedNative })
  return { ...checked, expiresAt: call.deadline * 1000, unverified: exchange ? undefined : 'contract' }
}

/** `deadline` is in seconds since the epoch. */
function assertDeadline(deadline: number | undefined, now: number): void {
  if (deadline === undefined) return
  if (deadline * 1000 <= now) throw mismatch('it has expired')
  if (deadline * 1000 > now + maxLifeMs) throw mismatch('it can be executed much later')
}

function checkCall(
  call: RouterSwap,
  { account, from, to, amount }: SwapRequest,
  expected: { readonly minimum: bigint; readonly feeBps: number; readonly wrappedNative: string | undefined },
): void {
  if (call.amount !== amount) throw mismatch('it swaps another amount')
  // The network's currency is swapped as its wrapped token. With any other token, the router would use an earlier allowance.
  const [tokenIn, tokenOut] = [from.address ?? expected.wrappedNative, to.address ?? expected.wrappedNative]
  if (tokenIn !== undefined && !isSame(call.tokenIn, tokenIn)) throw mismatch('it takes another token')
  if (tokenOut !== undefined && !isSame(call.tokenOut, tokenOut)) throw mismatch('it yields another token')
  if (call.unwraps !== (to.id === 'native')) throw mismatch('it yields another token')
  if (call.recipient !== 'sender' && !isSame(call.recipient, addressOf(account)))
    throw mismatch('it pays another account')
  if (call.minimum + rounding < expected.minimum) throw mismatch('its minimum is lower than stated')
  if (call.feeBps > expected.feeBps) throw mismatch('its fee is higher than stated')
}

/**
 * Compares the server's approval with the request. It must approve either exactly the amount or 0, and only for the exchange's
 * contract.
 *
 * @throws {LatchkeyError} `swap/mismatch` if it differs.
 */
export function checkApproval(
  tx: ApproveTransaction,
  { account, from, amount }: SwapRequest,
  contract: string,
): CheckedTransaction & { readonly isReset: boolean } {
  const token = contractOf(tx.from, chainOf(account))
  if (!isSame(token, from.address)) throw mismatch('it approves another token')
  const call = readApprove(tx.data)
  if (!call || BigInt(tx.value) !== 0n) throw mismatch('it is not an approval')
  if (!isSame(call.spender, contract)) throw mismatch('it approves another contract')
  const isReset = call.amount === 0n
  if (!isReset && call.amount !== amount) throw mismatch('it approves another amount')
  return { to: token, data: tx.data, value: 0n, isReset }
}

/** Returns the plain address of a CAIP-10 ID on the chain. */
function contractOf(id: string, chain: ChainId): string {
  const parsed = parseAccountId(id)
  const address = parsed && toEvmAddress(parsed.address)
  if (!address || parsed.chain !== chain) throw mismatch('it is for another network')
  return address.toLowerCase()
}

function isSame(a: string, b: string | undefined): boolean {
  return a.toLowerCase() === b?.toLowerCase()
}

function mismatch(reason: string) {
  return accountFailure('swap/mismatch', { reason })
}
