import {
  createPublicClient,
  createWalletClient,
  erc20Abi,
  formatUnits,
  type Hex,
  http,
  maxUint256,
  type PublicClient,
  parseAbi,
  parseEther,
  parseUnits,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAccounts } from '../testAccounts.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { deployTestToken, type TestToken } from './testToken.ts'
import { deployExchange, type TestExchange } from './uniswapV3.ts'

let anvil: Anvil
let token: TestToken
let exchange: TestExchange
let reader: PublicClient
const account = privateKeyToAccount(testAccounts[1].privateKey)

beforeAll(async () => {
  anvil = await startAnvil()
  token = await deployTestToken({ chain: anvil.chain })
  exchange = await deployExchange({ chain: anvil.chain, token })
  reader = createPublicClient({
    chain: { ...anvil.chain, contracts: { multicall3: { address: exchange.multicall3 } } },
    transport: http(anvil.url),
    pollingInterval: 20,
  }) as PublicClient
}, 120_000)
afterAll(() => anvil?.stop())

const wallet = () => createWalletClient({ account, chain: anvil.chain, transport: http(anvil.url) })
const balanceOf = (address: Hex): Promise<bigint> =>
  reader.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account.address] })

const quoterAbi = parseAbi([
  'struct QuoteParams { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(QuoteParams params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
])
const routerAbi = parseAbi([
  'struct SwapParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(SwapParams params) payable returns (uint256)',
])

async function quote(tokenIn: Hex, tokenOut: Hex, amountIn: bigint, fee: number): Promise<bigint> {
  const { result } = await reader.simulateContract({
    address: exchange.contracts.quoter,
    abi: quoterAbi,
    functionName: 'quoteExactInputSingle',
    args: [{ tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n }],
  })
  return result[0]
}

async function swap(
  { tokenIn, tokenOut, amountIn, fee }: { tokenIn: Hex; tokenOut: Hex; amountIn: bigint; fee: number },
  value = 0n,
): Promise<void> {
  const hash = await wallet().writeContract({
    address: exchange.contracts.router,
    abi: routerAbi,
    functionName: 'exactInputSingle',
    args: [
      { tokenIn, tokenOut, fee, recipient: account.address, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
    ],
    value,
  })
  expect((await reader.waitForTransactionReceipt({ hash })).status).toBe('success')
}

test('one ether is quoted at about 2,961 dollars in each pool, and a swap returns exactly the quoted amount', async () => {
  const { wrappedNative } = exchange.contracts
  const { usdc, usdt } = exchange.tokens
  for (const [address, fee] of [
    [usdc.address, 500],
    [usdc.address, 3000],
    [usdt.address, 3000],
  ] as const) {
    const dollars = Number(formatUnits(await quote(wrappedNative, address, parseEther('0.1'), fee), 6)) * 10
    expect(dollars).toBeGreaterThan(2945)
    expect(dollars).toBeLessThan(2961)
  }
  const expected = await quote(wrappedNative, usdc.address, parseEther('1'), 500)
  const before = await balanceOf(usdc.address)
  await swap({ tokenIn: wrappedNative, tokenOut: usdc.address, amountIn: parseEther('1'), fee: 500 }, parseEther('1'))
  expect((await balanceOf(usdc.address)) - before).toBe(expected)
})

test('stablecoins are swapped at par, including a token that is passed to deployExchange()', async () => {
  const { usdc, usdt } = exchange.tokens
  const hundred = parseUnits('100', 6)
  for (const [from, to] of [
    [usdc, usdt],
    [token, usdc],
  ] as const)
    expect(Number(await quote(from.address, to.address, hundred, 500))).toBeCloseTo(99_940_000, -5)
})

test('tUSDT returns nothing from transfer and approve, and requires an allowance of zero before a new one', async () => {
  const { address } = exchange.tokens.usdt
  const { router } = exchange.contracts
  const approve = (amount: bigint): Promise<Hex> =>
    wallet().writeContract({
      address,
      abi: parseAbi(['function approve(address, uint256)']),
      functionName: 'approve',
      args: [router, amount],
    })
  for (const [name, to] of [
    ['transfer', testAccounts[2].address],
    ['approve', router],
  ] as const) {
    const { data } = await reader.call({
      account,
      to: address,
      data: `${name === 'transfer' ? '0xa9059cbb' : '0x095ea7b3'}${to.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`,
    })
    expect(data).toBeUndefined()
  }
  await reader.waitForTransactionReceipt({ hash: await approve(5n) })
  await expect(approve(6n)).rejects.toThrow('approve')
  await reader.waitForTransactionReceipt({ hash: await approve(0n) })
  await reader.waitForTransactionReceipt({ hash: await approve(maxUint256) })
  const before = await balanceOf(exchange.contracts.wrappedNative)
  await swap({
    tokenIn: address,
    tokenOut: exchange.contracts.wrappedNative,
    amountIn: parseUnits('100', 6),
    fee: 3000,
  })
  expect(await balanceOf(exchange.contracts.wrappedNative)).toBeGreaterThan(before)
})

test('tUSDC accepts a permit', async () => {
  const { address, name } = exchange.tokens.usdc
  const spender = exchange.contracts.router
  const signature = await account.signTypedData({
    domain: { name, version: '1', chainId: anvil.chain.id, verifyingContract: address },
    primaryType: 'Permit',
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    message: { owner: account.address, spender, value: 7n, nonce: 0n, deadline: maxUint256 },
  })
  const hash = await wallet().writeContract({
    address,
    abi: parseAbi(['function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)']),
    functionName: 'permit',
    args: [
      account.address,
      spender,
      7n,
      maxUint256,
      Number(`0x${signature.slice(130)}`),
      `0x${signature.slice(2, 66)}`,
      `0x${signature.slice(66, 130)}`,
    ],
  })
  await reader.waitForTransactionReceipt({ hash })
  const allowance = await reader.readContract({
    address,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [account.address, spender],
  })
  expect(allowance).toBe(7n)
})

test('one request to Multicall3 reads the details of every token, the balances and the balance in ether', async () => {
  const { usdc, usdt, unpriced, lookalike, deceptive } = exchange.tokens
  const all = [usdc, usdt, unpriced, lookalike, deceptive]
  const read = await reader.multicall({
    allowFailure: false,
    contracts: all.flatMap(({ address }) =>
      (['name', 'symbol', 'decimals'] as const).map((functionName) => ({ address, abi: erc20Abi, functionName })),
    ),
  })
  expect(read).toEqual(all.flatMap(({ name, symbol, decimals }) => [name, symbol, decimals]))
  const [ether, missing] = await reader.multicall({
    contracts: [
      {
        address: exchange.multicall3,
        abi: parseAbi(['function getEthBalance(address) view returns (uint256)']),
        functionName: 'getEthBalance',
        args: [account.address],
      },
      // A contract without this function.
      { address: usdc.address, abi: parseAbi(['function nothing() view returns (uint256)']), functionName: 'nothing' },
    ],
  })
  expect(ether.result).toBe(await reader.getBalance({ address: account.address }))
  expect(missing.status).toBe('failure')
  for (const { address } of all) expect(await balanceOf(address)).toBeGreaterThan(0n)
})

test('the token list has every token except for spam, and each token without a pool has no price', () => {
  const { lookalike, deceptive, unpriced } = exchange.tokens
  const listed = exchange.tokenList.tokens
  expect(listed.map(({ symbol }) => symbol)).toEqual(['WETH', 'tUSDC', 'tUSDT', 'tPTS', 'TUSD'])
  for (const { address } of [lookalike, deceptive]) expect(listed.map((item) => item.address)).not.toContain(address)
  expect(exchange.pools.flatMap(({ tokens }) => tokens)).not.toContain(unpriced.address)
})

test('a new chain gets the same addresses', async () => {
  const other = await startAnvil({ chainId: 31338 })
  try {
    const again = await deployExchange({ chain: other.chain })
    expect(again.contracts).toEqual(exchange.contracts)
    expect(again.tokens).toEqual(exchange.tokens)
    expect(again.pools).toEqual(exchange.pools.slice(0, 4))
  } finally {
    await other.stop()
  }
}, 60_000)
