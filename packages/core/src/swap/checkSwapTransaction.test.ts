import type { SwapTransaction } from '@latchkey/protocol/http/chainApi'
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { checkApproval, checkSwap, type SwapChecks, type SwapRequest } from './checkSwapTransaction.ts'
import type { SwapToken } from './swapTypes.ts'
import { trustedExchanges } from './trustedExchanges.ts'

const chain = 'eip155:1'
const user = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const attacker = '0x00000000000000000000000000000000deadbeef'
const router = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const dai = '0x6b175474e89094c44da98b954eedeac495271d0f'
const routerItself = '0x0000000000000000000000000000000000000002'
const account = `${chain}:${user}` as const
const checks: SwapChecks = {
  now: 1_000_000,
  exchanges: trustedExchanges(chain, undefined),
  tokens: new Set([weth, usdc, dai]),
}

const token = (symbol: string, decimals: number, address?: string): SwapToken => ({
  id: address ? `${chain}:${address}` : 'native',
  chain,
  ...(address && { address }),
  name: symbol,
  symbol,
  decimals,
})
const ether = token('ETH', 18)
const dollars = token('USDC', 6, usdc)
const wrapped = token('WETH', 18, weth)

const abi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'struct Path { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInputSingle(Single params) payable returns (uint256 amountOut)',
  'function exactInput(Path params) payable returns (uint256 amountOut)',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function unwrapWETH9WithFee(uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient) payable',
  'function sweepTokenWithFee(address token, uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient) payable',
  'function refundETH() payable',
  'function pull(address token, uint256 value) payable',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function deposit() payable',
  'function withdraw(uint256 amount)',
  'function swap(bytes32 order)',
])
const encode = (functionName: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi, functionName, args } as never)
const single = (change: Record<string, unknown> = {}): Hex =>
  encode('exactInputSingle', [
    {
      tokenIn: usdc,
      tokenOut: dai,
      fee: 500,
      recipient: user,
      amountIn: 1_000n,
      amountOutMinimum: 990n,
      sqrtPriceLimitX96: 0n,
      ...change,
    },
  ])
const multicall = (...calls: readonly Hex[]): Hex =>
  encodeFunctionData({ abi, functionName: 'multicall', args: [2_000n, calls] })

const toDai: SwapRequest = { account, from: dollars, to: token('DAI', 18, dai), amount: 1_000n }
const toEther: SwapRequest = { account, from: dollars, to: ether, amount: 1_000n }
const fromEther: SwapRequest = { account, from: ether, to: dollars, amount: 1_000n }

function transaction(data: Hex, change: Partial<SwapTransaction> = {}): SwapTransaction {
  return {
    from: account,
    to: `${chain}:${router}`,
    data,
    amount: '1000',
    minimumAmount: '990',
    deadline: 2_000,
    eip155: { gas: '250000', gasPrice: '1' },
    ...change,
  }
}

/** The reason for which a transaction is rejected. */
function rejection(tx: SwapTransaction, request: SwapRequest = toDai, change: Partial<SwapChecks> = {}): unknown {
  try {
    return { accepted: checkSwap(tx, request, { ...checks, ...change }) }
  } catch (error) {
    return (error as { details: { reason: string } }).details.reason
  }
}

describe('checkSwap', () => {
  test.each([
    ['one pool', transaction(multicall(single())), toDai],
    [
      'two pools',
      transaction(
        multicall(
          encode('exactInput', [
            {
              path: concat([usdc, numberToHex(500, { size: 3 }), weth, numberToHex(3000, { size: 3 }), dai]),
              recipient: user,
              amountIn: 1_000n,
              amountOutMinimum: 990n,
            },
          ]),
        ),
      ),
      toDai,
    ],
    ['the sender as the recipient', transaction(multicall(single({ recipient: `0x${'0'.repeat(39)}1` }))), toDai],
    [
      'unwrapping',
      transaction(
        multicall(
          single({ tokenOut: weth, recipient: routerItself, amountOutMinimum: 0n }),
          encode('unwrapWETH9', [990n, user]),
        ),
      ),
      toEther,
    ],
    [
      'a fee of the operator',
      transaction(
        multicall(single({ recipient: routerItself }), encode('sweepTokenWithFee', [dai, 1_000n, user, 85n, attacker])),
        { minimumAmount: '992', fee: { bps: 85, amount: '8', recipient: attacker } },
      ),
      toDai,
    ],
    [
      'the network’s currency, with a refund',
      transaction(multicall(single({ tokenIn: weth, tokenOut: usdc }), encode('refundETH'))),
      fromEther,
    ],
  ])('accepts and decodes %s', (_, tx, request) => {
    expect(checkSwap(tx, request, checks)).toMatchObject({
      unverified: undefined,
      received: 1_000n,
      value: request === fromEther ? 1_000n : 0n,
      to: router.toLowerCase(),
      expiresAt: 2_000_000,
    })
  })

  test('accepts wrapping and unwrapping of the same amount only', () => {
    const wrapping = { account, from: ether, to: wrapped, amount: 1_000n }
    const deposit = transaction(encode('deposit'), { to: `${chain}:${weth}`, minimumAmount: '1000' })
    expect(checkSwap(deposit, wrapping, checks)).toMatchObject({ unverified: undefined, value: 1_000n })
    expect(rejection({ ...deposit, to: `${chain}:${router}` }, wrapping)).toBe('it wraps another currency')
    expect(rejection(deposit, fromEther)).toBe('it wraps another currency')
    const unwrapping = { account, from: wrapped, to: ether, amount: 1_000n }
    const withdraw = transaction(encode('withdraw', [1_000n]), { to: `${chain}:${weth}`, minimumAmount: '1000' })
    expect(checkSwap(withdraw, unwrapping, checks)).toMatchObject({ unverified: undefined, value: 0n })
    const more = transaction(encode('withdraw', [1_001n]), { to: `${chain}:${weth}` })
    expect(rejection(more, unwrapping)).toBe('it unwraps another currency')
  })

  test('calldata that cannot be decoded is accepted as unverified', () => {
    const order = encode('swap', [`0x${'11'.repeat(32)}`])
    expect(checkSwap(transaction(order), toDai, checks)).toMatchObject({ unverified: 'call' })
    const nested = encodeFunctionData({ abi, functionName: 'multicall', args: [[single()]] })
    expect(checkSwap(transaction(nested), toDai, checks)).toMatchObject({ unverified: 'call' })
  })

  test.each([
    ['a multicall with a deadline', multicall(single())],
    ['a multicall', encodeFunctionData({ abi, functionName: 'multicall', args: [[single()]] })],
    ['a transfer', multicall(encode('transferFrom', [user, attacker, 5n]))],
    ['nothing', '0x' as const],
  ])('a multicall is rejected if it contains %s', (_, inner) => {
    const nested = encodeFunctionData({ abi, functionName: 'multicall', args: [[inner]] })
    expect(rejection(transaction(nested))).toBe('it is not only a swap')
  })

  const until = (deadline: bigint): Hex =>
    encodeFunctionData({ abi, functionName: 'multicall', args: [deadline, [single()]] })
  const withoutDeadline = ({ deadline: _, ...tx }: SwapTransaction): SwapTransaction => tx

  test.each([
    ['later than stated', transaction(until(2_001n)), 'it expires later than stated'],
    [
      'centuries later, without a stated one',
      withoutDeadline(transaction(until(2n ** 40n))),
      'it can be executed much later',
    ],
    ['in the past', transaction(until(1_000n)), 'it has expired'],
    ['stated for a much later time', transaction(until(2_000n), { deadline: 4_601 }), 'it can be executed much later'],
  ])('a deadline %s is rejected', (_, tx, reason) => {
    expect(rejection(tx)).toBe(reason)
  })

  test('a swap expires at the deadline in its calldata, even if it is earlier than the stated one', () => {
    expect(checkSwap(transaction(until(1_500n)), toDai, checks).expiresAt).toBe(1_500_000)
    expect(checkSwap(withoutDeadline(transaction(until(1_500n))), toDai, checks).expiresAt).toBe(1_500_000)
  })

  test.each<[string, Partial<SwapChecks>, 'contract' | undefined]>([
    ['Uniswap’s router', {}, undefined],
    ['Uniswap’s router on a chain without it', { exchanges: trustedExchanges('eip155:100', undefined) }, 'contract'],
    [
      'the router of the host',
      { exchanges: trustedExchanges('eip155:100', { 'eip155:100': { router, wrappedNative: weth } }) },
      undefined,
    ],
    ['another contract', { exchanges: [{ router: attacker, wrappedNative: weth }] }, 'contract'],
  ])('the calldata of a swap through %s is only verified for a trusted router', (_, change, unverified) => {
    const swap = transaction(multicall(single()))
    expect(checkSwap(swap, toDai, { ...checks, ...change })).toMatchObject({ unverified })
  })

  test('the calldata for an untrusted contract is still compared with the swap', () => {
    const other = { to: `${chain}:${attacker}` }
    expect(rejection(transaction(multicall(single({ amountIn: 1_001n })), other))).toBe('it swaps another amount')
    expect(rejection(transaction(multicall(single()), other))).toMatchObject({ accepted: { unverified: 'contract' } })
  })

  test('wrapping and unwrapping an unknown token is not verified', () => {
    const deposit = transaction(encode('deposit'), { to: `${chain}:${weth}`, minimumAmount: '1000' })
    const wrapping = { account, from: ether, to: wrapped, amount: 1_000n }
    expect(checkSwap(deposit, wrapping, { ...checks, exchanges: [] })).toMatchObject({ unverified: 'contract' })
  })

  test('the network’s currency is only swapped as its wrapped token', () => {
    const other = multicall(single({ tokenIn: dai, tokenOut: usdc }), encode('refundETH'))
    expect(rejection(transaction(other), fromEther)).toBe('it takes another token')
    const unwrapping = multicall(
      single({ tokenOut: dai, recipient: routerItself, amountOutMinimum: 0n }),
      encode('unwrapWETH9', [990n, user]),
    )
    expect(rejection(transaction(unwrapping), toEther)).toBe('it yields another token')
  })

  test.each([
    ['Permit2', '0x000000000022D473030F116dDEE9F6B43aC78BA3', 'it calls Permit2 instead of an exchange'],
    ['a token that the account owns', attacker, 'it calls a token'],
  ])('rejects a call to %s', (_, to, reason) => {
    const order = transaction(encode('swap', [`0x${'11'.repeat(32)}`]), { to: `${chain}:${to}` })
    expect(rejection(order, toDai, { tokens: new Set([attacker]) })).toBe(reason)
  })

  test('a swap of the network’s currency is rejected if its path starts with another token', () => {
    const path = encode('exactInput', [
      {
        path: concat([dai, numberToHex(500, { size: 3 }), weth, numberToHex(3000, { size: 3 }), usdc]),
        recipient: user,
        amountIn: 1_000n,
        amountOutMinimum: 990n,
      },
    ])
    expect(rejection(transaction(multicall(path, encode('refundETH'))), fromEther)).toBe('it takes another token')
  })

  test('unwrapping with a fee is only accepted if the swap yields the wrapped token', () => {
    const swap = (tokenOut: string) =>
      transaction(
        multicall(
          single({ tokenOut, recipient: routerItself, amountOutMinimum: 0n }),
          encode('unwrapWETH9WithFee', [990n, user, 0n, attacker]),
        ),
      )
    expect(checkSwap(swap(weth), toEther, checks)).toMatchObject({ unverified: undefined })
    expect(rejection(swap(dai), toEther)).toBe('it yields another token')
  })

  test('a router is only trusted on its own chain', () => {
    const onBnb = transaction(multicall(single()), { to: `${chain}:0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2` })
    expect(checkSwap(onBnb, toDai, checks)).toMatchObject({ unverified: 'contract' })
  })

  test('rejects a multicall with a block hash if one of its calls moves a token', () => {
    const params = [`0x${'0'.repeat(64)}`, [single(), encode('transferFrom', [user, attacker, 1n])]] as const
    const data = concat(['0x1f0464d1', encodeAbiParameters(parseAbiParameters('bytes32, bytes[]'), params as never)])
    expect(rejection(transaction(data, { to: `${chain}:${attacker}` }))).toBe('it is not only a swap')
  })

  test('rejects selectors in upper case, and calls to Permit2 of zkSync Era', () => {
    const upper = encode('transfer', [attacker, 1n]).toUpperCase().replace('0X', '0x') as Hex
    expect(rejection(transaction(upper))).toBe('it is not only a swap')
    const order = encode('swap', [`0x${'11'.repeat(32)}`])
    const permit2 = `${chain}:0x0000000000225e31d15943971f47ad3022f714fa`
    expect(rejection(transaction(order, { to: permit2 }))).toBe('it calls Permit2 instead of an exchange')
  })

  test('rejects a swap that can leave part of the amount in the router', () => {
    expect(rejection(transaction(multicall(single({ sqrtPriceLimitX96: 1n }))))).toBe('it is not only a swap')
  })

  test.each([
    'transfer(address,uint256)',
    'transferFrom(address,address,uint256)',
    'increaseAllowance(address,uint256)',
    'increaseApproval(address,uint256)',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    'approve(address,address,uint160,uint48)',
    'transferFrom(address,address,uint160,address)',
    'transferFrom((address,address,uint160,address)[])',
    'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
    'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
    'transferAndCall(address,uint256,bytes)',
    'approveAndCall(address,uint256,bytes)',
    'transferFromAndCall(address,address,uint256,bytes)',
    'safeTransferFrom(address,address,uint256)',
    'safeTransferFrom(address,address,uint256,bytes)',
    'safeTransferFrom(address,address,uint256,uint256,bytes)',
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    'setApprovalForAll(address,bool)',
    'send(address,uint256,bytes)',
    'authorizeOperator(address)',
    'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
    'approveDelegation(address,uint256)',
    'transferOwnership(address)',
  ])('rejects %s, alone and within a multicall', (signature) => {
    const data = concat([toFunctionSelector(signature), `0x${'00'.repeat(96)}`])
    const within = encodeFunctionData({ abi, functionName: 'multicall', args: [[single(), data]] })
    for (const call of [data, within])
      expect(rejection(transaction(call, { to: `${chain}:${attacker}` }))).toBe('it is not only a swap')
  })

  test.each([
    ['for another account', transaction(multicall(single()), { from: `${chain}:${attacker}` }), 'account'],
    ['on another chain', transaction(multicall(single()), { to: `eip155:10:${router}` }), 'network'],
    ['to no EVM address', transaction(multicall(single()), { to: `${chain}:alice` }), 'network'],
    ['to the user', transaction(multicall(single()), { to: account }), 'it does not call a contract'],
    ['to the sold token', transaction(multicall(single()), { to: `${chain}:${usdc}` }), 'calls a token'],
    ['to the bought token', transaction(encode('swap', [`0x${'1'.repeat(64)}`]), { to: `${chain}:${dai}` }), 'token'],
    [
      'that yields nothing',
      transaction(multicall(single()), { amount: '0', minimumAmount: '0' }),
      'it yields nothing, or less than its minimum',
    ],
    [
      'with a minimum above the amount',
      transaction(multicall(single()), { minimumAmount: '1001' }),
      'less than its minimum',
    ],
    ['with too low a minimum', transaction(multicall(single()), { minimumAmount: '980' }), 'slippage'],
    ['that has expired', transaction(multicall(single()), { deadline: 1_000 }), 'expired'],
    ['without calldata', transaction('0x'), 'not only a swap'],
    ['that transfers a token', transaction(encode('transfer', [attacker, 1n])), 'not only a swap'],
    ['that takes a token', transaction(encode('transferFrom', [user, attacker, 1n])), 'not only a swap'],
    ['that approves', transaction(encode('approve', [attacker, 1n])), 'not only a swap'],
    ['that approves all', transaction(encode('setApprovalForAll', [attacker, true])), 'not only a swap'],
    ['with another amount', transaction(multicall(single({ amountIn: 1_001n }))), 'another amount'],
    ['with another token to sell', transaction(multicall(single({ tokenIn: weth }))), 'takes another token'],
    ['with another token to buy', transaction(multicall(single({ tokenOut: weth }))), 'yields another token'],
    ['that pays someone else', transaction(multicall(single({ recipient: attacker }))), 'pays another account'],
    ['whose calldata has no minimum', transaction(multicall(single({ amountOutMinimum: 0n }))), 'lower than stated'],
    ['that leaves the tokens', transaction(multicall(single({ recipient: routerItself }))), 'not only a swap'],
    [
      'that pays out to another account',
      transaction(
        multicall(single({ recipient: routerItself }), encode('sweepTokenWithFee', [dai, 990n, attacker, 0n, user])),
      ),
      'pays another account',
    ],
    [
      'that takes a fee that is not stated',
      transaction(
        multicall(single({ recipient: routerItself }), encode('sweepTokenWithFee', [dai, 1_000n, user, 50n, attacker])),
      ),
      'fee is higher',
    ],
    [
      'that pays out another token',
      transaction(
        multicall(single({ recipient: routerItself }), encode('sweepTokenWithFee', [weth, 990n, user, 0n, user])),
      ),
      'not only a swap',
    ],
    ['with another call', transaction(multicall(single(), encode('pull', [weth, 1n]))), 'not only a swap'],
    ['with two swaps', transaction(multicall(single(), single())), 'not only a swap'],
    ['with a call before the swap', transaction(multicall(encode('pull', [usdc, 1n]), single())), 'not only a swap'],
    ['with calldata that is cut', transaction(multicall(single()).slice(0, -64) as Hex), 'not only a swap'],
  ])('rejects a transaction %s', (_, tx, reason) => {
    expect(rejection(tx)).toContain(reason)
  })

  test('rejects a swap into the network’s currency that yields the wrapped token, and the reverse', () => {
    expect(rejection(transaction(multicall(single({ tokenOut: weth }))), toEther)).toBe('it yields another token')
    const unwrapped = multicall(single({ recipient: routerItself }), encode('unwrapWETH9', [990n, user]))
    expect(rejection(transaction(unwrapped))).toBe('it yields another token')
  })

  test('without a stated minimum, the default slippage determines the minimum', () => {
    const { minimumAmount: _, deadline: __, ...tx } = transaction(multicall(single()))
    expect(checkSwap(tx, toDai, checks)).toMatchObject({ minimum: 990n, expiresAt: 2_000_000 })
    const lower = { ...tx, data: multicall(single({ amountOutMinimum: 980n })) }
    expect(rejection(lower)).toBe('its minimum is lower than stated')
  })

  test('a value is only sent if the network’s currency is swapped', () => {
    expect(checkSwap(transaction(multicall(single())), toDai, checks).value).toBe(0n)
    const tx = transaction(multicall(single({ tokenIn: weth, tokenOut: usdc })))
    expect(checkSwap(tx, fromEther, checks).value).toBe(1_000n)
  })
})

describe('checkApproval', () => {
  const approval = (amount: bigint, change: Record<string, unknown> = {}) => ({
    from: `${chain}:${usdc}`,
    to: `${chain}:${dai}`,
    data: encode('approve', [router, amount]),
    value: '0',
    ...change,
  })

  test('the transaction calls the approved token, which is `from` in the response', () => {
    expect(checkApproval(approval(1_000n), toDai, router)).toMatchObject({ to: usdc, value: 0n, isReset: false })
    expect(checkApproval(approval(0n), toDai, router)).toMatchObject({ to: usdc, isReset: true })
  })

  test.each([
    ['another token', approval(1_000n, { from: `${chain}:${dai}` }), 'another token'],
    ['a token on another chain', approval(1_000n, { from: `eip155:10:${usdc}` }), 'another network'],
    ['another contract', approval(1_000n, { data: encode('approve', [attacker, 1_000n]) }), 'another contract'],
    ['more than the amount', approval(1_001n), 'another amount'],
    ['an unlimited amount', approval(2n ** 256n - 1n), 'another amount'],
    ['a transfer', approval(1n, { data: encode('transfer', [router, 1_000n]) }), 'not an approval'],
    ['more calldata', approval(1n, { data: `${encode('approve', [router, 1_000n])}00` }), 'not an approval'],
    ['a value', approval(1_000n, { value: '1' }), 'not an approval'],
  ])('rejects %s', (_, tx, reason) => {
    expect(() => checkApproval(tx, toDai, router)).toThrow(reason)
  })
})
