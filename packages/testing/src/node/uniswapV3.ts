import {
  concat,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  pad,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
} from 'viem'
import type { LocalChain } from '../localChain.ts'
import { testAccounts } from '../testAccounts.ts'
import { type ContractDeployer, createContractDeployer } from './contractDeployer.ts'
import { multicall3Bytecode } from './contracts/multicall3Bytecode.ts'
import { noReturnTokenBytecode } from './contracts/noReturnTokenBytecode.ts'
import { permitTokenBytecode } from './contracts/permitTokenBytecode.ts'
import { wrappedEtherBytecode } from './contracts/wrappedEtherBytecode.ts'
import { type ExchangeToken, type ExchangeTokens, exchangeTokenDetails } from './exchangeTokens.ts'
import { createPool, type TestPool } from './liquidityPool.ts'
import type { TestToken } from './testToken.ts'
import { type TokenList, tokenListOf } from './tokenList.ts'
import { uniswapV3Artifacts } from './uniswapV3Artifacts.ts'

/** The address of Multicall3 on most chains. */
export const multicall3Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** A Uniswap V3 exchange on a local chain. */
export interface TestExchange {
  /** The contracts, in the format of the `exchange` in the server's `CHAINS_FILE`. */
  readonly contracts: {
    readonly factory: Hex
    /** QuoterV2. */
    readonly quoter: Hex
    /** SwapRouter02. */
    readonly router: Hex
    /** Wrapped Ether (WETH). */
    readonly wrappedNative: Hex
    /** tUSDC and tUSDT. */
    readonly stablecoins: readonly Hex[]
    /** The fees of the pools, in hundredths of a basis point. */
    readonly feeTiers: readonly number[]
  }
  /** The NonfungiblePositionManager, for adding liquidity. */
  readonly positionManager: Hex
  /** Multicall3, at its usual address. */
  readonly multicall3: Hex
  /** The tokens of the exchange. Only `usdc` and `usdt` are in pools. */
  readonly tokens: ExchangeTokens
  /** The pools: two of WETH and tUSDC with different fees, one of WETH and tUSDT, and one of tUSDC and tUSDT. */
  readonly pools: readonly TestPool[]
  /** The list of all tokens except for `lookalike` and `deceptive`. */
  readonly tokenList: TokenList
}

// The sixth account of the mnemonic of the test accounts, which nothing else uses.
const deployerKey = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'

/** The price of one ether in each pool, in US dollars. */
const etherPrice = 2961n

/**
 * Deploys a Uniswap V3 exchange to a local chain, with Multicall3, tokens and pools. Their addresses are the same on every chain.
 * One ether costs about 2,961 US dollars, and the pools are deep enough to swap several ether. The bytecode of the exchange is
 * downloaded through npm on first use.
 *
 * If `token` is given, such as the token of `deployTestToken()`, it gets a pool with tUSDC, in which both have the same price.
 *
 * @example
 * const { contracts, tokens } = await deployExchange({ chain: anvil.chain })
 */
export async function deployExchange({
  chain,
  token,
  say = () => {},
}: {
  chain: LocalChain
  token?: TestToken
  say?: (line: string) => void
}): Promise<TestExchange> {
  const codes = await uniswapV3Artifacts({ say })
  const deployer = createContractDeployer({ chain, privateKey: deployerKey })
  const { create2, send } = deployer
  const create = (bytecode: Hex, ...addresses: readonly Hex[]): Promise<Hex> =>
    create2(concat([bytecode, ...addresses.map((address) => pad(address))]))

  await deployer.setCode(multicall3Address, multicall3Bytecode)
  const wrappedNative = await create(wrappedEtherBytecode)
  const factory = await create(codes.factory)
  // The descriptor of the positions and Uniswap V2 are not deployed.
  const positionManager = await create(codes.positionManager, factory, wrappedNative, zeroAddress)
  const quoter = await create(codes.quoter, factory, wrappedNative)
  const router = await create(codes.router, zeroAddress, factory, positionManager, wrappedNative)
  const tokens = await deployTokens(deployer)

  const ether = (amount: bigint) => ({ address: wrappedNative, amount: parseEther(String(amount)) })
  const dollars = ({ address }: ExchangeToken, amount: bigint) => ({ address, amount: parseUnits(String(amount), 6) })
  const { usdc, usdt } = tokens
  const approve = (to: Hex): Promise<void> =>
    send({
      to,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [positionManager, maxUint256] }),
    })
  await send({ to: wrappedNative, value: parseEther('1700') })
  for (const address of [wrappedNative, usdc.address, usdt.address]) await approve(address)
  const pools: TestPool[] = []
  for (const [fee, ...amounts] of [
    [500, ether(1000n), dollars(usdc, 1000n * etherPrice)],
    [3000, ether(200n), dollars(usdc, 200n * etherPrice)],
    [3000, ether(500n), dollars(usdt, 500n * etherPrice)],
    [500, dollars(usdc, 1_000_000n), dollars(usdt, 1_000_000n)],
  ] as const)
    pools.push(await createPool({ deployer, positionManager, fee, amounts }))
  if (token) {
    const amount = parseUnits('1000000', token.decimals)
    const issuer = createContractDeployer({ chain, privateKey: testAccounts[4].privateKey })
    await issuer.send({
      to: token.address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [deployer.address, amount] }),
    })
    await approve(token.address)
    const amounts = [{ address: token.address, amount }, dollars(usdc, 1_000_000n)] as const
    pools.push(await createPool({ deployer, positionManager, fee: 500, amounts }))
  }
  // The server only trusts the price of a new pool after a few blocks.
  await deployer.mine(5)

  return {
    contracts: {
      factory,
      quoter,
      router,
      wrappedNative,
      stablecoins: [usdc.address, usdt.address],
      feeTiers: [500, 3000],
    },
    positionManager,
    multicall3: multicall3Address,
    tokens,
    pools,
    tokenList: tokenListOf({
      chain,
      tokens: [
        { address: wrappedNative, name: 'Wrapped Ether', symbol: 'WETH', decimals: 18, eip2612: false },
        usdc,
        usdt,
        tokens.unpriced,
        ...(token ? [token] : []),
      ],
    }),
  }
}

const tokenAbi = parseAbi(['constructor(string, string, uint8)', 'function mint(address[] holders, uint256 value)'])

async function deployTokens({ create2, send, address: treasury }: ContractDeployer): Promise<ExchangeTokens> {
  const deploy = async (id: keyof ExchangeTokens, amount: bigint): Promise<ExchangeToken> => {
    const details = exchangeTokenDetails[id]
    const { name, symbol, decimals, eip2612 } = details
    const bytecode = eip2612 ? permitTokenBytecode : noReturnTokenBytecode
    const address = await create2(encodeDeployData({ abi: tokenAbi, bytecode, args: [name, symbol, decimals] }))
    const mint = (holders: readonly Hex[], value: bigint): Promise<void> =>
      send({ to: address, data: encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [holders, value] }) })
    await mint(
      testAccounts.map((account) => account.address),
      amount,
    )
    if (id === 'usdc' || id === 'usdt') await mint([treasury], parseUnits('1000000000', decimals))
    return { address, ...details }
  }
  return {
    usdc: await deploy('usdc', parseUnits('10000', 6)),
    usdt: await deploy('usdt', parseUnits('10000', 6)),
    unpriced: await deploy('unpriced', parseUnits('500', 18)),
    lookalike: await deploy('lookalike', parseUnits('1000000', 6)),
    deceptive: await deploy('deceptive', maxUint256 / 8n),
  }
}
