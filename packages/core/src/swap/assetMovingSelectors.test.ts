import { type AbiFunction, type AbiParameter, encodeFunctionData, type Hex, parseAbiItem } from 'viem'
import { expect, test } from 'vitest'
import { isPermit2 } from './assetMovingSelectors.ts'
import { checkSwap } from './checkSwapTransaction.ts'
import { readSwapCall } from './decodeSwapCalldata.ts'

const chain = 'eip155:1' as const
const user = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const thief = '0x00000000000000000000000000000000DeaDBeef'
const contract = '0x1111111111111111111111111111111111111111'

/** Encodes a malicious call: all addresses are the thief's, and all amounts are large. */
function callTo(signature: string): Hex {
  const item = parseAbiItem(`function ${signature}` as 'function f()') as AbiFunction
  return encodeFunctionData({ abi: [item], functionName: item.name, args: item.inputs.map(argumentOf) } as never)
}

function argumentOf(input: AbiParameter): unknown {
  const { type } = input
  if (type.endsWith('[]')) return [argumentOf({ ...input, type: type.slice(0, -2) })]
  if (type === 'tuple') return (input as { components: readonly AbiParameter[] }).components.map(argumentOf)
  if (type === 'address') return thief
  if (type === 'bool') return true
  if (type === 'bytes') return '0x1234'
  if (type.startsWith('bytes')) return `0x${'ab'.repeat(Number(type.slice(5)))}`
  return type === 'uint8' ? 28 : 1_000n
}

/** Returns the result of checking the call as the transaction of a swap from USDC to DAI. */
function outcome(data: Hex): unknown {
  const token = (symbol: string, address: string) => ({
    id: `${chain}:${address}`,
    chain,
    address,
    name: symbol,
    symbol,
    decimals: 6,
  })
  const request = {
    account: `${chain}:${user}`,
    from: token('USDC', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'),
    to: token('DAI', '0x6b175474e89094c44da98b954eedeac495271d0f'),
    amount: 1_000n,
  } as const
  const tx = {
    from: request.account,
    to: `${chain}:${contract}`,
    data,
    amount: '1000',
    minimumAmount: '995',
    eip155: { gas: '250000', gasPrice: '1' },
  } as const
  try {
    return checkSwap(tx, request, { now: 0, exchanges: [], tokens: new Set() }).unverified
  } catch (error) {
    return (error as { details: { reason: string } }).details.reason
  }
}

test.each([
  // ERC-20
  'transfer(address,uint256)',
  'transferFrom(address,address,uint256)',
  'approve(address,uint256)',
  'increaseAllowance(address,uint256)',
  'increaseApproval(address,uint256)',
  'burn(uint256)',
  'burnFrom(address,uint256)',
  'withdrawTo(address,uint256)',
  'transferShares(address,uint256)',
  'batchTransfer(address[],uint256[])',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
  'permit(address,address,uint256,uint256,bytes)',
  'permit(address,uint256,uint256,bytes)',
  'permit(address,uint256,uint256,uint8,bytes32,bytes32)',
  'permitForAll(address,address,uint256,bytes)',
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
  // Permit2
  'approve(address,address,uint160,uint48)',
  'transferFrom(address,address,uint160,address)',
  'transferFrom((address,address,uint160,address)[])',
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
  'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
  'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
  // ERC-677, ERC-1363, ERC-223, ERC-777
  'transferAndCall(address,uint256,bytes)',
  'transferAndCall(address,uint256)',
  'transferFromAndCall(address,address,uint256,bytes)',
  'transferFromAndCall(address,address,uint256)',
  'approveAndCall(address,uint256,bytes)',
  'approveAndCall(address,uint256)',
  'transfer(address,uint256,bytes)',
  'send(address,uint256,bytes)',
  'authorizeOperator(address)',
  'operatorSend(address,address,uint256,bytes,bytes)',
  'burn(uint256,bytes)',
  // ERC-721, ERC-1155, ERC-6909 and CryptoPunks
  'safeTransferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256,bytes)',
  'safeTransferFrom(address,address,uint256,uint256,bytes)',
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  'setApprovalForAll(address,bool)',
  'transfer(address,uint256,uint256)',
  'transferFrom(address,address,uint256,uint256)',
  'approve(address,uint256,uint256)',
  'setOperator(address,bool)',
  'transferPunk(address,uint256)',
  'offerPunkForSaleToAddress(uint256,uint256,address)',
  // Lending, voting and names
  'approveDelegation(address,uint256)',
  'allow(address,bool)',
  'setAuthorization(address,bool)',
  'delegate(address)',
  'delegateBySig(address,uint256,uint256,uint8,bytes32,bytes32)',
  'reclaim(uint256,address)',
  // Withdrawals to another address
  'redeem(uint256,address,address)',
  'withdraw(uint256,address,address)',
  'withdraw(address,uint256,address)',
  'withdrawTo(address,address,uint256)',
  'withdrawFrom(address,address,address,uint256)',
  'withdrawETH(address,uint256,address)',
  'requestWithdrawals(uint256[],address)',
  'collect((uint256,address,uint128,uint128))',
  'removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)',
  'removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)',
  'removeLiquidityWithPermit(address,address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)',
  'removeLiquidityETHWithPermit(address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)',
  'exitPool(bytes32,address,address,(address[],uint256[],bytes,bool))',
  // Deposits for another address, which use the approval of the swap
  'deposit(uint256,address)',
  'mint(uint256,address)',
  'deposit(address,uint256,address,uint16)',
  'supply(address,uint256,address,uint16)',
  'supplyTo(address,address,uint256)',
  'supplyFrom(address,address,address,uint256)',
  'depositForBurn(uint256,uint32,bytes32,address)',
  'depositERC20To(address,address,address,uint256,uint32,bytes)',
  'depositETHTo(address,uint32,bytes)',
  // Orders that are executed later
  'setPreSignature(bytes,bool)',
  // The ownership of contracts and names
  'setOwner(bytes32,address)',
  'transferOwnership(address)',
  'setOwner(address)',
  'changeAdmin(address)',
  'upgradeTo(address)',
  'upgradeToAndCall(address,bytes)',
  'grantRole(bytes32,address)',
])('a call of %s is rejected as a swap, alone and within a multicall', (signature) => {
  const data = callTo(signature)
  expect(outcome(data)).toBe('it is not only a swap')
  const calls = [
    parseAbiItem('function multicall(bytes[] data)'),
    parseAbiItem('function multicall(bytes32 hash, bytes[] data)'),
  ]
  const swap = callTo('swap(bytes32)')
  expect(outcome(encodeFunctionData({ abi: [calls[0]] as never, args: [[swap, data]] as never } as never))).toBe(
    'it is not only a swap',
  )
  expect(
    outcome(
      encodeFunctionData({ abi: [calls[1]] as never, args: [`0x${'0'.repeat(64)}`, [swap, data]] as never } as never),
    ),
  ).toBe('it is not only a swap')
})

test.each([
  'swap(bytes32)',
  'execute(bytes,bytes[],uint256)',
  'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
  'exchange(int128,int128,uint256,uint256)',
])('a call of %s is accepted as a swap that the user has to confirm', (signature) => {
  expect(readSwapCall(callTo(signature))).toBe('unknown')
  expect(outcome(callTo(signature))).toBe('call')
})

test('Permit2 is recognized on all chains', () => {
  expect(
    ['0x000000000022d473030f116ddee9f6b43ac78ba3', '0x0000000000225e31d15943971f47ad3022f714fa'].map(isPermit2),
  ).toEqual([true, true])
  expect(isPermit2(contract)).toBe(false)
})
