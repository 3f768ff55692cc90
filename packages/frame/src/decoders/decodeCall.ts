import {
  decodeFunctionData,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { type Contracts, factsOf } from './contractFacts.ts'

/** A call requested by a page. */
export interface Call {
  readonly to: Hex | undefined
  readonly value: bigint
  readonly data: Hex
}

/**
 * The effect of a call, or `unknown` if the effect cannot be determined. Amounts are in the smallest unit. `value` is the native
 * value that is sent with the call.
 */
export type DecodedCall =
  /** `data` is sent to an address that has no code to interpret it. */
  | { readonly kind: 'sendCoin'; readonly to: string; readonly value: bigint; readonly data?: string }
  | { readonly kind: 'deploy'; readonly value: bigint; readonly bytes: number }
  | ({ readonly kind: 'sendToken'; readonly from: string; readonly to: string; readonly amount: bigint } & OfToken)
  | ({
      readonly kind: 'sendItems'
      readonly from: string
      readonly to: string
      readonly items: readonly CountedItem[]
    } & OfToken)
  | ({
      readonly kind: 'allowToken'
      readonly spender: string
      readonly amount: bigint | 'unlimited'
      readonly change: 'set' | 'increase' | 'decrease'
    } & OfToken)
  | ({ readonly kind: 'allowItem'; readonly spender: string; readonly id: bigint } & OfToken)
  | ({ readonly kind: 'allowAll'; readonly operator: string } & OfToken)
  | ({ readonly kind: 'revokeToken'; readonly spender: string } & OfToken)
  | ({ readonly kind: 'revokeItem'; readonly id: bigint } & OfToken)
  | ({ readonly kind: 'revokeAll'; readonly operator: string } & OfToken)
  | {
      readonly kind: 'unknown'
      readonly to: string
      readonly value: bigint
      readonly because: UnknownCall
      /** The function selector, which consists of the first four bytes of the data, or fewer if the data is shorter. */
      readonly selector: string
      readonly data: string
    }

/** Why the effect of a call cannot be determined. */
export type UnknownCall =
  /** There is no code at the address to interpret the data. */
  | 'no-code'
  /** The data does not match its function's encoding. */
  | 'malformed'
  /** The contract's kind or the function's effect is unknown. */
  | 'unknown'

interface OfToken {
  readonly token: string
  readonly value: bigint
}

/** A token ID in a collection, with the number of tokens. */
export interface CountedItem {
  readonly id: bigint
  readonly count: bigint
}

// `transferFrom`, `approve` and `safeTransferFrom` exist in several standards. Only the contract determines which standard
// applies.
const functions = {
  erc20: parseAbi([
    'function transfer(address to, uint256 amount)',
    'function transferFrom(address from, address to, uint256 amount)',
    'function approve(address spender, uint256 amount)',
    'function increaseAllowance(address spender, uint256 amount)',
    'function decreaseAllowance(address spender, uint256 amount)',
  ]),
  erc721: parseAbi([
    'function approve(address to, uint256 id)',
    'function transferFrom(address from, address to, uint256 id)',
    'function safeTransferFrom(address from, address to, uint256 id)',
    'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
    'function setApprovalForAll(address operator, bool approved)',
  ]),
  erc1155: parseAbi([
    'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
    'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
    'function setApprovalForAll(address operator, bool approved)',
  ]),
} as const

const zeroAddress = `0x${'0'.repeat(40)}`

/**
 * Decodes a call by `account`, based on the facts about the contracts. Set `isFirst` if no earlier call could have deployed code
 * at the target.
 */
export function decodeCall(
  { to, value, data }: Call,
  { account, contracts, isFirst = true }: { account: string; contracts: Contracts; isFirst?: boolean },
): DecodedCall {
  if (to === undefined) return { kind: 'deploy', value, bytes: (data.length - 2) / 2 }
  if (data === '0x') return { kind: 'sendCoin', to, value }
  const unknown = (because: UnknownCall): DecodedCall => ({
    kind: 'unknown',
    to,
    value,
    because,
    selector: data.slice(0, 10),
    data,
  })
  const { kind } = factsOf(contracts, to)
  if (kind === 'none') return value > 0n && isFirst ? { kind: 'sendCoin', to, value, data } : unknown('no-code')
  if (kind === 'unknown') return unknown('unknown')
  const of = { token: to, value }
  switch (kind) {
    case 'erc20': {
      const decoded = decodeExactly(functions.erc20, data)
      if (typeof decoded === 'string') return unknown(decoded)
      const { functionName, args } = decoded
      if (functionName === 'transfer') return { kind: 'sendToken', ...of, from: account, to: args[0], amount: args[1] }
      if (functionName === 'transferFrom')
        return { kind: 'sendToken', ...of, from: args[0], to: args[1], amount: args[2] }
      const [spender, amount] = args
      if (functionName === 'approve' && amount === 0n) return { kind: 'revokeToken', ...of, spender }
      const change = { approve: 'set', increaseAllowance: 'increase', decreaseAllowance: 'decrease' } as const
      // Amounts in the upper half of the range are treated as unlimited, because no token has a supply that large.
      const isUnlimited = functionName !== 'decreaseAllowance' && amount >> 255n > 0n
      return {
        kind: 'allowToken',
        ...of,
        spender,
        amount: isUnlimited ? 'unlimited' : amount,
        change: change[functionName],
      }
    }
    case 'erc721': {
      const decoded = decodeExactly(functions.erc721, data)
      if (typeof decoded === 'string') return unknown(decoded)
      const { functionName, args } = decoded
      if (functionName === 'setApprovalForAll') return allOf(of, args)
      if (functionName === 'approve') {
        const [spender, id] = args
        // ERC-721: "The zero address indicates there is no approved address."
        return spender === zeroAddress ? { kind: 'revokeItem', ...of, id } : { kind: 'allowItem', ...of, spender, id }
      }
      return { kind: 'sendItems', ...of, from: args[0], to: args[1], items: [{ id: args[2], count: 1n }] }
    }
    case 'erc1155': {
      const decoded = decodeExactly(functions.erc1155, data)
      if (typeof decoded === 'string') return unknown(decoded)
      const { functionName, args } = decoded
      if (functionName === 'setApprovalForAll') return allOf(of, args)
      if (functionName === 'safeTransferFrom')
        return { kind: 'sendItems', ...of, from: args[0], to: args[1], items: [{ id: args[2], count: args[3] }] }
      const [from, receiver, ids, amounts] = args
      // ERC-1155: safeBatchTransferFrom "MUST revert if length of `_ids` is not the same as length of `_values`".
      if (ids.length !== amounts.length || ids.length === 0) return unknown('malformed')
      const items = ids.map((id, at) => ({ id, count: amounts[at] ?? 0n }))
      return { kind: 'sendItems', ...of, from, to: receiver, items }
    }
  }
}

function allOf(of: OfToken, [operator, isAllowed]: readonly [Hex, boolean]): DecodedCall {
  return isAllowed ? { kind: 'allowAll', ...of, operator } : { kind: 'revokeAll', ...of, operator }
}

/**
 * Decodes calldata only if it has the canonical encoding. Contracts differ in how they read trailing bytes, dirty bits, short
 * words and overlapping offsets, so the effect of any other encoding is unknown.
 */
function decodeExactly<const Functions extends (typeof functions)[keyof typeof functions]>(
  abi: Functions,
  data: Hex,
): ReturnType<typeof decodeFunctionData<Functions>> | 'malformed' | 'unknown' {
  const bytes = data.toLowerCase() as Hex
  const item = abi.find((entry) => toFunctionSelector(entry) === bytes.slice(0, 10))
  if (!item) return 'unknown'
  try {
    const decoded = decodeFunctionData({ abi: [item], data: bytes })
    const again = encodeFunctionData({ abi: [item], ...decoded } as EncodeFunctionDataParameters)
    // The matching function comes from `abi`, so the type is correct.
    return again === bytes ? (decoded as ReturnType<typeof decodeFunctionData<Functions>>) : 'malformed'
  } catch {
    return 'malformed'
  }
}
