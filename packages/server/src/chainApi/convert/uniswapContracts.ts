import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  isHex,
  parseAbi,
} from 'viem'
import { type CallNode, unavailable } from '../nodeBatch.ts'
import { isRevert, NodeCallError } from '../nodeClient.ts'

// The functions of the contracts that swaps use, from their published interfaces: https://docs.uniswap.org/contracts/v3/reference,
// ERC-20 and ERC-2612. Functions that are only simulated are declared as `view`.

/** UniswapV3Factory and its pools. */
export const poolAbi = parseAbi([
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
  'function liquidity() view returns (uint128)',
])

/** QuoterV2. */
export const quoterAbi = parseAbi([
  'function quoteExactInput(bytes path, uint256 amountIn) view returns (uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)',
])

/** SwapRouter02. */
export const routerAbi = parseAbi([
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)',
  'function exactInput(ExactInputParams params) payable returns (uint256 amountOut)',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function unwrapWETH9WithFee(uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient) payable',
  'function sweepTokenWithFee(address token, uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient) payable',
  'function refundETH() payable',
  'function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable',
])

/** A token. `approve` is declared without a result, because some tokens return none. */
export const tokenAbi = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount)',
])

/** The wrapped native currency. */
export const wrappedNativeAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)'])

/** A read of a contract. */
export interface ContractRead<
  A extends Abi | readonly unknown[] = Abi,
  Name extends ContractFunctionName<A, 'view'> = ContractFunctionName<A, 'view'>,
> {
  readonly address: `0x${string}`
  readonly abi: A
  readonly functionName: Name
  readonly args: ContractFunctionArgs<A, 'view', Name>
}

/**
 * Reads a function of contracts in batches. Resolves to the results in order, with `undefined` for each call that reverted or did
 * not return a valid value.
 *
 * @throws {HttpError} 503 if the node does not respond, or rejects a call for another reason.
 */
export async function readContracts<
  const A extends Abi | readonly unknown[],
  Name extends ContractFunctionName<A, 'view'>,
>(
  callNode: CallNode,
  chainId: string,
  reads: readonly ContractRead<A, Name>[],
  signal: AbortSignal,
): Promise<readonly (ContractFunctionReturnType<A, 'view', Name> | undefined)[]> {
  const calls = reads.map(({ address, abi, functionName, args }) => ({
    method: 'eth_call',
    params: [{ to: address, data: encodeFunctionData({ abi, functionName, args } as never) }, 'latest'],
  }))
  const results = await callNode(chainId, calls, signal)
  return reads.map(({ abi, functionName }, at) => {
    const result = results[at]
    if (result instanceof NodeCallError) {
      if (isRevert(result)) return undefined
      throw unavailable()
    }
    if (!isHex(result)) throw unavailable()
    try {
      return decodeFunctionResult({ abi, functionName, data: result } as never) as ContractFunctionReturnType<
        A,
        'view',
        Name
      >
    } catch {
      return undefined
    }
  })
}
