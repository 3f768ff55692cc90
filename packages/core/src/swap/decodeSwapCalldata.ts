// Reads the calldata of the exchange's router (SwapRouter02 of Uniswap V3) without an ABI library, so that the page can compare a
// transaction of the server with the swap that the user has reviewed. Specification of the encoding:
// https://docs.soliditylang.org/en/latest/abi-spec.html

import { movesAssets } from './assetMovingSelectors.ts'

/** The router's placeholders for the sender, and for itself. */
const placeholders = { sender: 1n, router: 2n } as const

const selectors = {
  approve: '095ea7b3',
  deposit: 'd0e30db0',
  withdraw: '2e1a7d4d',
  multicall: '5ae401dc',
  exactInputSingle: '04e45aaf',
  exactInput: 'b858183f',
  unwrapWETH9: '49404b7c',
  unwrapWETH9WithFee: '9b2c0a37',
  sweepTokenWithFee: 'e0e189a0',
  refundETH: '12210e8a',
} as const
/**
 * The selectors of other multicall functions: `multicall(bytes[])` and `multicall(bytes32,bytes[])`, with the offset of the
 * calls.
 */
const otherMulticalls: Readonly<Record<string, number>> = { ac9650d8: 0, '1f0464d1': 32 }

/** The arguments of `approve`. */
export interface ApproveCall {
  readonly spender: string
  readonly amount: bigint
}

/** Reads a call of `approve(address,uint256)`. Returns `undefined` for any other call. */
export function readApprove(data: string): ApproveCall | undefined {
  const call = callOf(data)
  if (call?.selector !== selectors.approve || call.args.size !== 64) return undefined
  return attempt(() => ({ spender: call.args.address(0), amount: call.args.number(32) }))
}

/** Returns the calldata that sets the allowance of a contract to 0. */
export function revokeCalldata(spender: string): string {
  return `0x${selectors.approve}${spender.toLowerCase().replace(/^0x/, '').padStart(64, '0')}${'0'.repeat(64)}`
}

/** The effect of a router transaction. */
export interface RouterSwap {
  /** The plain addresses, in lower case. The network's currency is its wrapped token. */
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amount: bigint
  /** The minimum amount that `recipient` receives. */
  readonly minimum: bigint
  /** Who receives the token: `sender`, or the plain address in lower case. */
  readonly recipient: string
  /** Whether the recipient receives the network's currency instead of its wrapped token. */
  readonly unwraps: boolean
  /** The fee in basis points. */
  readonly feeBps: number
  /** When the transaction expires, in seconds since the epoch. */
  readonly deadline: number
}

/**
 * Decodes a call to the router, or a deposit or withdrawal of the wrapped currency. Returns `unknown` for calls that it cannot
 * decode, and `unsafe` for calls that are certainly not a swap: a call that moves assets, or a router call that does more than swap.
 */
export function readSwapCall(
  data: string,
): RouterSwap | 'deposit' | { readonly withdraw: bigint } | 'unknown' | 'unsafe' {
  const call = callOf(data)
  if (!call || movesAssets(call.selector)) return 'unsafe'
  if (call.selector === selectors.deposit) return call.args.size === 0 ? 'deposit' : 'unsafe'
  if (call.selector === selectors.withdraw)
    return (call.args.size === 32 ? attempt(() => ({ withdraw: call.args.number(0) })) : undefined) ?? 'unsafe'
  const callsAt = otherMulticalls[call.selector]
  if (callsAt !== undefined) return attempt(() => readOtherMulticall(call.args, callsAt)) ?? 'unsafe'
  if (call.selector !== selectors.multicall) return 'unknown'
  return attempt(() => readMulticall(call.args)) ?? 'unsafe'
}

function readOtherMulticall(args: Bytes, callsAt: number): 'unknown' | 'unsafe' {
  const calls = args.bytesList(callsAt).map(callOf)
  // Swaps do not need nested multicalls, which could hide any call.
  const isSafe = (call: Call | undefined): boolean =>
    call !== undefined &&
    !movesAssets(call.selector) &&
    call.selector !== selectors.multicall &&
    otherMulticalls[call.selector] === undefined
  return calls.every(isSafe) ? 'unknown' : 'unsafe'
}

function readMulticall(args: Bytes): RouterSwap | undefined {
  const deadline = args.small(0)
  const calls = args.bytesList(32).map((call) => callOf(call) ?? fail())
  const [swap, ...rest] = calls
  const input = swap && readExactInput(swap)
  if (!input) return undefined
  if (rest.at(-1)?.selector === selectors.refundETH && rest.at(-1)?.args.size === 0) rest.pop()
  const [payout, ...others] = rest
  if (others.length > 0) return undefined
  const common = { tokenIn: input.tokenIn, tokenOut: input.tokenOut, amount: input.amount, deadline }
  if (!payout) {
    // Without a call that pays them out, the tokens would stay in the router, where anyone can take them.
    if (input.recipient === placeholders.router) return undefined
    const recipient = input.recipient === placeholders.sender ? 'sender' : addressText(input.recipient)
    return { ...common, minimum: input.minimum, recipient, unwraps: false, feeBps: 0 }
  }
  if (input.recipient !== placeholders.router) return undefined
  const { selector, args: paid } = payout
  const best = (minimum: bigint) => (minimum > input.minimum ? minimum : input.minimum)
  if (selector === selectors.unwrapWETH9)
    return { ...common, minimum: best(paid.number(0)), recipient: paid.address(32), unwraps: true, feeBps: 0 }
  const unwraps = selector === selectors.unwrapWETH9WithFee
  if (!unwraps && selector !== selectors.sweepTokenWithFee) return undefined
  if (!unwraps && paid.address(0) !== input.tokenOut) return undefined
  const at = unwraps ? 0 : 32
  const feeBps = paid.small(at + 64)
  // The router accepts fees of up to 1%.
  if (feeBps > 100) return undefined
  const gross = best(paid.number(at))
  const minimum = gross - (gross * BigInt(feeBps)) / 10_000n
  return { ...common, minimum, recipient: paid.address(at + 32), unwraps, feeBps }
}

function readExactInput({ selector, args }: Call) {
  if (selector === selectors.exactInputSingle) {
    // With a price limit, the router can leave a part of the amount unused, which anyone can then take.
    if (args.number(192) !== 0n) return undefined
    return {
      tokenIn: args.address(0),
      tokenOut: args.address(32),
      recipient: args.number(96),
      amount: args.number(128),
      minimum: args.number(160),
    }
  }
  if (selector !== selectors.exactInput) return undefined
  const params = args.from(args.small(0))
  const path = params.bytes(params.small(0))
  // A path consists of 20-byte tokens with 3-byte pool fees between them.
  if (path.length < 43 * 2 || (path.length / 2 - 20) % 23 !== 0) return undefined
  return {
    tokenIn: `0x${path.slice(0, 40)}`,
    tokenOut: `0x${path.slice(-40)}`,
    recipient: params.number(32),
    amount: params.number(64),
    minimum: params.number(96),
  }
}

// --- The encoding ------------------------------------------------------------------------------------------------------

interface Call {
  readonly selector: string
  readonly args: Bytes
}

/** Encoded arguments. Offsets are in bytes. Reading beyond the end throws. */
interface Bytes {
  readonly size: number
  number(offset: number): bigint
  /** A small number, such as a length or an offset. */
  small(offset: number): number
  address(offset: number): string
  /** The hex digits of a `bytes` value at `offset`. */
  bytes(offset: number): string
  /** A `bytes[]` whose position is at `offset`. */
  bytesList(offset: number): readonly string[]
  /** The encoding from `offset` on. */
  from(offset: number): Bytes
}

function callOf(data: string): Call | undefined {
  const hex = data.toLowerCase().replace(/^0x/, '')
  if (!/^([0-9a-f]{2})*$/.test(hex) || hex.length < 8) return undefined
  return { selector: hex.slice(0, 8), args: encoded(hex.slice(8)) }
}

function encoded(hex: string): Bytes {
  const word = (offset: number): string => {
    const text = hex.slice(offset * 2, offset * 2 + 64)
    return text.length === 64 ? text : fail()
  }
  const number = (offset: number): bigint => BigInt(`0x${word(offset)}`)
  const small = (offset: number): number => {
    const value = number(offset)
    return value < 2n ** 48n ? Number(value) : fail()
  }
  const bytes = (offset: number): string => {
    const length = small(offset)
    const text = hex.slice(offset * 2 + 64, offset * 2 + 64 + length * 2)
    return text.length === length * 2 ? text : fail()
  }
  const from = (offset: number): Bytes => encoded(hex.slice(offset * 2))
  return {
    size: hex.length / 2,
    number,
    small,
    address: (offset) => addressText(number(offset)),
    bytes,
    bytesList(offset) {
      const at = small(offset)
      const count = small(at)
      if (count > 8) return fail()
      const items = from(at + 32)
      return Array.from({ length: count }, (_, index) => `0x${items.bytes(items.small(index * 32))}`)
    },
    from,
  }
}

function addressText(value: bigint): string {
  return value < 2n ** 160n ? `0x${value.toString(16).padStart(40, '0')}` : fail()
}

/** Throws, because the encoding is invalid. */
function fail(): never {
  throw new RangeError('The calldata is not valid.')
}

function attempt<Value>(task: () => Value): Value | undefined {
  try {
    return task()
  } catch {
    return undefined
  }
}
