import { createClient, custom, decodeFunctionData, encodeAbiParameters, type Hex, parseAbi } from 'viem'
import { mainnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { readEnsAddress } from './ensAddress.ts'

const wallet = '0x8ba1f109551bd432803012645ac136ddd64dba72'
const other = '0x2546bcd3c84621e976d8185a91a922ae77ecec30'
const universal = parseAbi(['function resolveWithGateways(bytes name, bytes data, string[] gateways)'])
const coins = parseAbi(['function addr(bytes32 node, uint256 coinType)', 'function addr(bytes32 node)'])
const [ethereum, everyChain, polygon] = [60, 0x80000000, 0x80000089]

/** Resolves a name with these addresses by coin type. `contracts` have code on Ethereum. */
function resolved(records: Readonly<Record<number, Hex>>, chainId: number, contracts: readonly Hex[] = []) {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const [subject] = params as [Hex & { data: Hex }]
    if (method === 'eth_getCode')
      return contracts.some((contract) => contract === subject.toLowerCase()) ? '0x6001' : '0x'
    const [, call] = decodeFunctionData({ abi: universal, data: subject.data }).args
    const { args } = decodeFunctionData({ abi: coins, data: call })
    const record = records[Number(args[1] ?? ethereum)]
    const type = args[1] === undefined ? 'address' : 'bytes'
    const empty = type === 'address' ? `0x${'0'.repeat(40)}` : '0x'
    const result = encodeAbiParameters([{ type }], [record ?? empty] as never)
    return encodeAbiParameters([{ type: 'bytes' }, { type: 'address' }], [result, universalResolver])
  }
  const client = createClient({ chain: mainnet, transport: custom({ request }) })
  return readEnsAddress(client, { name: 'alice.eth', chainId }).then((address) => address?.toLowerCase())
}
const universalResolver = mainnet.contracts.ensUniversalResolver.address

test('a name resolves to its address on the network, or else to its address for all EVM chains', async () => {
  expect(await resolved({ [polygon]: other, [everyChain]: wallet, [ethereum]: wallet }, 137)).toBe(other)
  expect(await resolved({ [everyChain]: other, [ethereum]: wallet }, 137)).toBe(other)
  expect(await resolved({ [polygon]: other }, 1)).toBeUndefined()
  expect(await resolved({ [ethereum]: wallet, [everyChain]: other }, 1)).toBe(wallet)
})

test('the address on Ethereum is used on another network, unless it belongs to a contract, which might not exist there', async () => {
  expect(await resolved({ [ethereum]: wallet }, 137)).toBe(wallet)
  expect(await resolved({ [ethereum]: wallet }, 137, [wallet])).toBeUndefined()
  expect(await resolved({ [ethereum]: wallet }, 1, [wallet])).toBe(wallet)
  // Only the owner of the name can set the address for all chains.
  expect(await resolved({ [ethereum]: wallet, [everyChain]: wallet }, 137, [wallet])).toBe(wallet)
})
