import {
  decodeAbiParameters,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  maxUint256,
  parseAbiParameters,
  size,
  slice,
} from 'viem'
import { HttpError } from '../../errors/httpError.ts'
import type { ExchangeConfig } from '../chainConfig.ts'
import { encodePath, type SwapPath } from './swapPaths.ts'
import { routerAbi } from './uniswapContracts.ts'

/** The router's placeholder for itself as a recipient. */
const routerItself = '0x0000000000000000000000000000000000000002'

/** A permit of EIP-2612. */
export interface Permit {
  readonly value: bigint
  readonly deadline: bigint
  readonly v: number
  readonly r: Hex
  readonly s: Hex
}

/**
 * Returns the calldata of a swap for SwapRouter02. The recipient is always `user`. The swap reverts after `deadline`, and if it
 * yields less than `minimumOut` before the fee.
 */
export function encodeSwapCalldata({
  route,
  amount,
  minimumOut,
  user,
  deadline,
  isFromNative,
  isToNative,
  permit,
  fee,
}: {
  route: SwapPath
  amount: bigint
  minimumOut: bigint
  user: `0x${string}`
  deadline: bigint
  isFromNative: boolean
  isToNative: boolean
  permit?: Permit | undefined
  fee?: ExchangeConfig['fee']
}): Hex {
  const [tokenIn, tokenOut] = [route.tokens[0], route.tokens.at(-1)]
  const [poolFee] = route.fees
  if (!tokenIn || !tokenOut || poolFee === undefined) throw new TypeError('A route has at least two tokens')
  const steps: Hex[] = []
  if (permit) {
    const { value, deadline: permitDeadline, v, r, s } = permit
    // Anyone can submit a permit. `selfPermitIfNecessary` skips a permit that has already been submitted, which would revert.
    const args = [tokenIn, value, permitDeadline, v, r, s] as const
    steps.push(encodeFunctionData({ abi: routerAbi, functionName: 'selfPermitIfNecessary', args }))
  }
  const common = {
    recipient: isToNative || fee ? routerItself : user,
    amountIn: amount,
    amountOutMinimum: minimumOut,
  } as const
  steps.push(
    route.fees.length === 1
      ? encodeFunctionData({
          abi: routerAbi,
          functionName: 'exactInputSingle',
          args: [{ ...common, tokenIn, tokenOut, fee: poolFee, sqrtPriceLimitX96: 0n }],
        })
      : encodeFunctionData({
          abi: routerAbi,
          functionName: 'exactInput',
          args: [{ ...common, path: encodePath(route) }],
        }),
  )
  if (fee) {
    const { bps, recipient } = fee
    const args = [minimumOut, user, BigInt(bps), recipient] as const
    steps.push(
      isToNative
        ? encodeFunctionData({ abi: routerAbi, functionName: 'unwrapWETH9WithFee', args })
        : encodeFunctionData({ abi: routerAbi, functionName: 'sweepTokenWithFee', args: [tokenOut, ...args] }),
    )
  } else if (isToNative)
    steps.push(encodeFunctionData({ abi: routerAbi, functionName: 'unwrapWETH9', args: [minimumOut, user] }))
  if (isFromNative) steps.push(encodeFunctionData({ abi: routerAbi, functionName: 'refundETH' }))
  return encodeFunctionData({ abi: routerAbi, functionName: 'multicall', args: [deadline, steps] })
}

const permitParameters = parseAbiParameters(
  'address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s',
)
/** `permit(address,address,uint256,uint256,uint8,bytes32,bytes32)`. */
const permitSelector = '0xd505accf'
const permitBytes = 224

/**
 * Parses a permit: the arguments of `permit` (EIP-2612), with or without the selector.
 *
 * @throws {HttpError} 400 if it is malformed, has expired, or does not allow the router to spend the user's amount.
 */
export function readPermit(
  data: Hex,
  { user, router, amount, now }: { user: `0x${string}`; router: `0x${string}`; amount: bigint; now: bigint },
): Permit {
  const rejected = (reason: string) => new HttpError(400, 'eip155.permit', reason)
  const hasSelector = size(data) === permitBytes + 4 && slice(data, 0, 4) === permitSelector
  if (!hasSelector && size(data) !== permitBytes) throw rejected('The permit is not one of EIP-2612')
  const [owner, spender, value, deadline, v, r, s] = decoded(hasSelector ? slice(data, 4) : data, rejected)
  if (!isAddressEqual(owner, user)) throw rejected('The permit is not from this account')
  if (!isAddressEqual(spender, router)) throw rejected('The permit is not for the exchange')
  if (value < amount || value > maxUint256) throw rejected('The permit is for a smaller amount')
  if (deadline < now) throw rejected('The permit has expired')
  return { value, deadline, v, r, s }
}

function decoded(data: Hex, rejected: (reason: string) => HttpError) {
  try {
    return decodeAbiParameters(permitParameters, data)
  } catch {
    throw rejected('The permit is not one of EIP-2612')
  }
}
