import { encodeFunctionData, type Hex, numberToHex, pad, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { analyzeCalls } from './analyzeCalls.ts'
import type { Call } from './decodeCall.ts'
import { describeSimulation, type SimulationDescription } from './describeSimulation.ts'
import type { ViewFact } from './effectDescription.ts'
import { type SampleOverrides, sampleNode } from './testing/sampleNode.ts'
import type { SampleContract } from './testSamples/sample.ts'

const chain = 'eip155:1'
const me: Hex = `0x${'a1'.repeat(20)}`
const you: Hex = `0x${'b2'.repeat(20)}`
const liar: Hex = `0x${'1a'.repeat(20)}`
const usdc: Hex = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const other: Hex = `0x${'77'.repeat(20)}`
const dollar = { kind: 'erc20', symbol: 'USDC', decimals: 6 } as const
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const approval = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const word = (value: number): Hex => numberToHex(value, { size: 32 })
const junk = (count: number): Hex[] => Array.from({ length: count }, (_, at) => numberToHex(0xbad00 + at, { size: 20 }))

interface Log {
  readonly address: Hex
  readonly topics: Hex[]
  readonly data: Hex
}
const item = (address: Hex, from: Hex, to: Hex, id: number): Log => ({
  address,
  topics: [transfer, pad(from), pad(to), word(id)],
  data: '0x',
})
const amount = (address: Hex, from: Hex, to: Hex, value: number): Log => ({
  address,
  topics: [transfer, pad(from), pad(to)],
  data: word(value),
})

const claim: Call = { to: liar, value: 0n, data: '0xdeadbeef' }

async function understand(
  logs: Log[],
  contracts: Record<string, SampleContract>,
  call = claim,
  overrides?: Record<Hex, SampleOverrides>,
) {
  const rpc = sampleNode({ contracts, simulation: logs, ...(overrides && { overrides }) })
  return await analyzeCalls(rpc, { chain, account: me, calls: [call] })
}
async function view(logs: Log[], contracts: Record<string, SampleContract>): Promise<SimulationDescription> {
  const understood = await understand(logs, contracts)
  return describeSimulation(understood.simulation, understood.contracts)
}
const collections = (addresses: readonly Hex[]): Record<string, SampleContract> =>
  Object.fromEntries(addresses.map((address) => [address, { kind: 'erc721' }]))

const loss: readonly ViewFact[] = [
  { name: 'changeLeaves', value: { kind: 'amount', amount: 9n, token: usdc }, danger: true },
  { name: 'token', value: { kind: 'token', token: usdc } },
]

test('lists outgoing assets before any number of incoming ones, and groups incoming items from a collection into one line', async () => {
  for (const count of [30, 200]) {
    const gifts = Array.from({ length: count }, (_, at) => item(liar, you, me, at))
    const { facts } = await view([...gifts, amount(usdc, me, you, 9)], { [liar]: { kind: 'erc721' }, [usdc]: dollar })
    expect(facts).toEqual([
      ...loss,
      { name: 'changeComes', value: { kind: 'items', count }, danger: false },
      { name: 'collection', value: { kind: 'token', token: liar } },
    ])
  }
})

test('lists an outgoing well-known token before thousands of losses faked by a contract', async () => {
  const noise = Array.from({ length: 3_000 }, (_, at) => item(liar, me, you, at))
  const { facts } = await view([...noise, amount(usdc, me, you, 9)], { [liar]: { kind: 'erc721' }, [usdc]: dollar })
  expect(facts.slice(0, 2)).toEqual(loss)
  expect(facts.length).toBeLessThan(20)
})

test('shows losses and approvals regardless of the number of incoming tokens', async () => {
  const tokens = junk(20)
  const contracts = { ...Object.fromEntries(tokens.map((token) => [token, dollar])), [other]: dollar }
  const gifts = tokens.flatMap((token) => [amount(token, you, me, 1)])
  const many = Array.from({ length: 80 }, (_, at) => item(liar, you, me, at))
  const right = { address: other, topics: [approval, pad(me), pad(you)] as Hex[], data: word(5) }
  const { facts } = await view([...gifts, ...many, right, amount(other, me, you, 3)], {
    ...contracts,
    [liar]: { kind: 'erc721' },
  })
  expect(facts.map(({ name }) => name).slice(0, 5)).toEqual(['changeLeaves', 'token', 'rightToken', 'token', 'spender'])
})

test.each<[what: string, token: Hex]>([
  ['from a known issuer', usdc],
  ['from an unknown issuer', other],
])('looks up a token %s even if sixty contracts that send gifts come first', async (_what, token) => {
  const givers = junk(60)
  const gifts = givers.map((giver, at) => item(giver, you, me, at))
  const { facts } = await view([...gifts, amount(token, me, you, 9)], { ...collections(givers), [token]: dollar })
  expect(facts[0]).toMatchObject({ name: 'changeLeaves', value: { amount: 9n, token } })
})

test.each<[what: string, log: Log]>([
  ['a token transfer', amount(other, me, you, 9)],
  ['an NFT transfer', item(other, me, you, 9)],
  ['an approval', { address: other, topics: [approval, pad(me), pad(you)], data: word(5) }],
  [
    'a token transfer that does not index the sender',
    { address: other, topics: [transfer], data: `${pad(me)}${pad(you).slice(2)}` },
  ],
])('warns about a possible loss if %s cannot be decoded, and treats the effect as unknown', async (_what, log) => {
  const losers = junk(60)
  const noise = losers.map((loser, at) => item(loser, me, you, at))
  for (const logs of [[log], [...noise, log]]) {
    const { notices, risk } = await view(logs, { ...collections(losers), [other]: { kind: 'unknown' } })
    expect(notices.map(({ word }) => word)).toEqual(['changesLossUnclear'])
    expect(risk).toBe('unknown')
  }
})

test('looks up a known token even if sixty contracts that fake losses come first', async () => {
  const losers = junk(60)
  const noise = losers.map((loser, at) => item(loser, me, you, at))
  const { facts, risk } = await view([...noise, amount(usdc, me, you, 9)], { ...collections(losers), [usdc]: dollar })
  expect(facts.slice(0, 2)).toEqual(loss)
  expect(risk).toBe('unknown')
})

test('does not treat an incoming transfer that cannot be decoded as a loss', async () => {
  const { notices, risk } = await view([amount(other, you, me, 9)], { [other]: { kind: 'unknown' } })
  expect(notices.map(({ word }) => word)).toEqual(['changesUnclear'])
  expect(risk).toBe('normal')
})

test('does not decode a call to a token if the number in the call is also the ID of an item in the same contract', async () => {
  const abi = parseAbi([
    'function transferFrom(address from, address to, uint256 amount)',
    'function approve(address spender, uint256 amount)',
    'function ownerOf(uint256 id) view returns (address)',
  ])
  const answers = { [encodeFunctionData({ abi, functionName: 'ownerOf', args: [5n] })]: pad(me) }
  for (const data of [
    encodeFunctionData({ abi, functionName: 'transferFrom', args: [me, you, 5n] }),
    encodeFunctionData({ abi, functionName: 'approve', args: [you, 5n] }),
  ]) {
    const call = { to: other, value: 0n, data }
    const plain = await understand([], { [other]: dollar }, call)
    expect(plain.readings[0]?.kind).not.toBe('unknown')
    const hybrid = await understand([], { [other]: dollar }, call, { [other]: answers })
    expect(hybrid.readings[0]?.kind).toBe('unknown')
  }
})
