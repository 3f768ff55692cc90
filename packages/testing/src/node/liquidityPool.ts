import { encodeFunctionData, type Hex, maxUint256, parseAbi } from 'viem'
import type { ContractDeployer } from './contractDeployer.ts'

/** A pool of two tokens on a Uniswap V3 exchange. */
export interface TestPool {
  /** The addresses of the two tokens, in the order of the pool. */
  readonly tokens: readonly [Hex, Hex]
  /** The fee, in hundredths of a basis point, such as 3000 for 0.3%. */
  readonly fee: number
}

/** An amount of a token, in base units. */
export interface TokenAmount {
  /** The token contract. */
  readonly address: Hex
  /** The amount, in base units. */
  readonly amount: bigint
}

// The largest multiples of the tick spacing that are valid ticks.
const outerTicks = { 500: 887_270, 3000: 887_220 } as const

/**
 * Creates a pool in which `amounts` have the same value, and adds them as liquidity for all prices. The deployer must have
 * approved both tokens.
 */
export async function createPool({
  deployer,
  positionManager,
  fee,
  amounts,
}: {
  deployer: ContractDeployer
  /** The address of the NonfungiblePositionManager. */
  positionManager: Hex
  fee: keyof typeof outerTicks
  amounts: readonly [TokenAmount, TokenAmount]
}): Promise<TestPool> {
  const [first, second] = amounts
  const [token0, token1] = BigInt(first.address) < BigInt(second.address) ? [first, second] : [second, first]
  const tick = outerTicks[fee]
  const create = encodeFunctionData({
    abi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0.address, token1.address, fee, sqrtPriceX96(token0.amount, token1.amount)],
  })
  const mint = encodeFunctionData({
    abi,
    functionName: 'mint',
    args: [
      {
        token0: token0.address,
        token1: token1.address,
        fee,
        tickLower: -tick,
        tickUpper: tick,
        amount0Desired: token0.amount,
        amount1Desired: token1.amount,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: deployer.address,
        deadline: maxUint256,
      },
    ],
  })
  await deployer.send({
    to: positionManager,
    data: encodeFunctionData({ abi, functionName: 'multicall', args: [[create, mint]] }),
  })
  return { tokens: [token0.address, token1.address], fee }
}

const abi = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address)',
  'function mint(MintParams params) payable returns (uint256, uint128, uint256, uint256)',
  'function multicall(bytes[] data) payable returns (bytes[])',
])

/** Returns the price as Uniswap V3 stores it: the square root of token 1 per token 0, with 96 fractional bits. */
function sqrtPriceX96(amount0: bigint, amount1: bigint): bigint {
  const square = (amount1 << 192n) / amount0
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  // Newton's method, from above.
  for (let next = root; ; root = next) {
    next = (root + square / root) >> 1n
    if (next >= root) return root
  }
}
