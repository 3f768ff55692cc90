import { encodeAbiParameters, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { PublicError } from '../publicError.ts'
import { type ContractFacts, factsOf, maxContracts, readContracts } from './contractFacts.ts'
import { type SampleOverrides, sampleNode } from './testing/sampleNode.ts'
import type { SampleContract } from './testSamples/sample.ts'

const chain = 'eip155:1'
const account = `0x${'a1'.repeat(20)}`
const address = `0x${'c0'.repeat(20)}`
const abi = parseAbi(['function supportsInterface(bytes4 interfaceId) view returns (bool)'])
const supports = (id: Hex): Hex => encodeFunctionData({ abi, functionName: 'supportsInterface', args: [id] })
const [yes, no] = [numberToHex(1, { size: 32 }), numberToHex(0, { size: 32 })]
const [decimals, symbol, allowance, supply] = ['0x313ce567', '0x95d89b41', '0xdd62ed3e', '0x18160ddd']

async function read(contract: SampleContract, overrides: SampleOverrides = {}): Promise<ContractFacts> {
  const rpc = sampleNode({ contracts: { [address]: contract }, overrides: { [address]: overrides } })
  return factsOf(await readContracts(rpc, { chain, account, addresses: [address] }), address)
}

const dollar = { kind: 'erc20', symbol: 'USD', decimals: 6 } as const

test.each<[what: string, contract: SampleContract, overrides: SampleOverrides, kind: ContractFacts['kind']]>([
  ['an address without code', { kind: 'none' }, {}, 'none'],
  ['an ERC-20', dollar, {}, 'erc20'],
  ['an ERC-20 without decimals', { kind: 'erc20' }, {}, 'erc20'],
  ['an ERC-20 whose fallback function returns nothing (WETH)', dollar, { '0x01ffc9a7': '0x' }, 'erc20'],
  ['an ERC-20 that supports ERC-165', dollar, { [supports('0x01ffc9a7')]: yes, '0x01ffc9a7': no }, 'erc20'],
  ['an ERC-721', { kind: 'erc721', symbol: 'APE' }, {}, 'erc721'],
  ['an ERC-721 with decimals', { kind: 'erc721', decimals: 0 }, {}, 'erc721'],
  ['an ERC-1155', { kind: 'erc1155' }, {}, 'erc1155'],
  ['code that returns nothing', { kind: 'unknown' }, {}, 'unknown'],
  [
    'a contract with decimals and a symbol, but no allowance function',
    { kind: 'unknown', symbol: 'USDC', decimals: 6 },
    {},
    'unknown',
  ],
  [
    'a contract that supports both ERC-721 and ERC-1155',
    { kind: 'erc721' },
    { [supports('0xd9b67a26')]: yes },
    'unknown',
  ],
  ['an ERC-721 with an allowance function (ERC-404)', { kind: 'erc721' }, { [allowance]: yes }, 'unknown'],
  ['an ERC-20 with getApproved (ERC-404 without ERC-165)', dollar, { '0x081812fc': no }, 'unknown'],
  ['an ERC-20 with ownerOf', dollar, { '0x6352211e': numberToHex(BigInt(account), { size: 32 }) }, 'unknown'],
  [
    'an ERC-20 that returns nothing for getApproved and ownerOf',
    dollar,
    { '0x081812fc': '0x', '0x6352211e': '0x' },
    'erc20',
  ],
  [
    'an ERC-20 whose ownerOf cannot be read from the node',
    dollar,
    { '0x6352211e': new PublicError('busy') },
    'unknown',
  ],
  [
    'a contract that claims to support the invalid interface 0xffffffff',
    { kind: 'erc721' },
    { [supports('0xffffffff')]: yes },
    'unknown',
  ],
  ['an ERC-20 that claims to support every interface', dollar, { '0x01ffc9a7': yes }, 'unknown'],
  ['an ERC-20 that denies support for ERC-165 itself', dollar, { '0x01ffc9a7': no }, 'unknown'],
  [
    'a contract that returns an invalid boolean',
    { kind: 'erc721' },
    { '0x01ffc9a7': numberToHex(2, { size: 32 }) },
    'unknown',
  ],
  [
    'a contract that returns two words for a boolean',
    { kind: 'erc721' },
    { '0x01ffc9a7': `${yes}${yes.slice(2)}` },
    'unknown',
  ],
  [
    'an ERC-20 whose ERC-165 response cannot be read from the node',
    dollar,
    { '0x01ffc9a7': new PublicError('rate limit exceeded') },
    'unknown',
  ],
  [
    'an ERC-721 whose ERC-721 support cannot be read from the node',
    { kind: 'erc721' },
    { [supports('0x80ac58cd')]: new PublicError('busy') },
    'unknown',
  ],
  [
    'an ERC-721 whose allowance cannot be read from the node',
    { kind: 'erc721' },
    { [allowance]: new PublicError('busy') },
    'unknown',
  ],
  [
    'an ERC-20 whose total supply cannot be read from the node',
    dollar,
    { [supply]: new PublicError('busy') },
    'unknown',
  ],
])('classifies %s by its responses', async (_what, contract, overrides, kind) => {
  expect((await read(contract, overrides)).kind).toBe(kind)
})

test('an unusable number of decimals is ignored', async () => {
  expect(await read({ kind: 'erc20', decimals: 18 })).toMatchObject({ decimals: 18 })
  for (const absurd of [77, 255])
    expect(await read({ kind: 'erc20', decimals: absurd })).toMatchObject({ kind: 'erc20', decimals: undefined })
  expect(await read(dollar, { [decimals]: numberToHex(2n ** 255n, { size: 32 }) })).toMatchObject({
    decimals: undefined,
  })
})

test('reads a symbol, even if it is a bytes32, but does not require one', async () => {
  expect(await read(dollar)).toMatchObject({ symbol: { untrusted: 'USD' } })
  const bytes32 = `0x4d4b52${'0'.repeat(58)}` as const
  expect(await read(dollar, { [symbol]: bytes32 })).toMatchObject({ symbol: { untrusted: 'MKR' } })
  const huge = encodeAbiParameters([{ type: 'string' }], ['x'.repeat(50_000)])
  for (const odd of ['0x', '0x1234', huge, new PublicError('execution reverted')] as const)
    expect(await read(dollar, { [symbol]: odd })).toMatchObject({ kind: 'erc20', symbol: undefined })
})

test('a contract is unknown if the network does not respond', async () => {
  const silent: ChainRpcClient = async () => {
    throw new PublicError('The network cannot be reached')
  }
  const facts = await readContracts(silent, { chain, account, addresses: [address] })
  expect(factsOf(facts, address).kind).toBe('unknown')
})

test('each contract in an approval is queried only once, and the number of contracts is limited', async () => {
  const request = new Set<string>()
  const rpc: ChainRpcClient = async <Result>(_chain: string, method: string, params: unknown) => {
    if (method === 'eth_getCode') request.add((params as string[])[0] ?? '')
    return '0x' as Result
  }
  const many = Array.from({ length: 100 }, (_, at) => numberToHex(at + 1, { size: 20 }))
  const facts = await readContracts(rpc, {
    chain,
    account,
    addresses: [...many, ...many.map((item) => item.toUpperCase())],
  })
  expect(request.size).toBe(maxContracts)
  expect(factsOf(facts, many[99] ?? '').kind).toBe('unknown')
  expect(factsOf(facts, '__proto__').kind).toBe('unknown')
})
