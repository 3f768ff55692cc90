import { everyEvmChain } from '@latchkey/protocol/accountNames'
import {
  decodeAbiParameters,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  namehash,
  parseAbi,
  parseAbiParameters,
  toHex,
} from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { packetToBytes } from 'viem/ens'
import { expect, test } from 'vitest'
import { createOffchainResolver } from './offchainResolver.ts'

const wallet = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const other = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30'
const [ethereum, polygon, solana] = [60, 0x80000089, 501]
const abi = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes, uint64, bytes)'])
const coinAbi = parseAbi(['function addr(bytes32 node, uint256 coinType) view returns (bytes)'])

/** Resolves to the address of `alice.shop.eth` for a coin type, if the name has the given addresses. */
async function addressOf(addresses: Readonly<Record<number, string>>, coinType: number): Promise<Hex> {
  const name = 'alice.shop.eth'
  const resolve = createOffchainResolver({
    privateKey: generatePrivateKey(),
    zone: 'shop.eth',
    now: () => 0,
    find: async () => ({
      name,
      registered_at: '',
      addresses: Object.fromEntries(Object.entries(addresses).map(([type, address]) => [type, { address }])),
    }),
  })
  const call = encodeFunctionData({ abi: coinAbi, args: [namehash(name), BigInt(coinType)] })
  const data = encodeFunctionData({ abi, args: [toHex(packetToBytes(name)), call] })
  const answer = await resolve(other, data)
  const [result] = decodeAbiParameters(parseAbiParameters('bytes result, uint64 expires, bytes signature'), answer)
  return decodeFunctionResult({ abi: coinAbi, data: result })
}

test('on an EVM chain, a name resolves to the address for that chain or for all EVM chains, and a contract’s name resolves only on the contract’s chain', async () => {
  const byKey = { [ethereum]: wallet, [everyEvmChain]: wallet }
  expect(await addressOf(byKey, polygon)).toBe(wallet.toLowerCase())
  expect(await addressOf({ ...byKey, [polygon]: other }, polygon)).toBe(other.toLowerCase())
  expect(await addressOf(byKey, solana)).toBe('0x')
  // A contract that registered its name on Polygon, and one that registered its name on Ethereum.
  expect(await addressOf({ [polygon]: wallet }, ethereum)).toBe('0x')
  expect(await addressOf({ [ethereum]: wallet }, polygon)).toBe('0x')
})
