import { encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { analyzeCalls } from './analyzeCalls.ts'
import { describeCall } from './describeCall.ts'
import { describeSimulation } from './describeSimulation.ts'
import { sampleNode } from './testing/sampleNode.ts'
import type { TransactionSample } from './testSamples/sample.ts'

const account = `0x${'a1'.repeat(20)}`
const attacker: Hex = `0x${'b2'.repeat(20)}`
const dollar: Hex = `0x${'11'.repeat(20)}`
const apes: Hex = `0x${'22'.repeat(20)}`
const nowhere: Hex = `0x${'33'.repeat(20)}`
const contracts: TransactionSample['contracts'] = {
  [dollar]: { kind: 'erc20', symbol: 'USD', decimals: 6 },
  [apes]: { kind: 'erc721' },
}
const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
])
const approve = (to: Hex, amount: bigint) => ({
  to,
  value: 0n,
  data: encodeFunctionData({ abi, functionName: 'approve', args: [attacker, amount] }),
})

async function read(
  calls: readonly { to: Hex | undefined; value: bigint; data: Hex }[],
  simulation: TransactionSample['simulation'] = [],
) {
  const rpc = sampleNode({ contracts, simulation })
  const understood = await analyzeCalls(rpc, { chain: 'eip155:1', account, calls })
  const context = { account, contracts: understood.contracts }
  return {
    views: understood.readings.map((reading) => describeCall(reading, context)),
    changes: describeSimulation(understood.simulation, understood.contracts),
  }
}

test('the same calldata is decoded as an allowance if the contract is a token, and as an item approval if it is a collection', async () => {
  const { views } = await read([approve(dollar, 0n), approve(apes, 0n), approve(nowhere, 0n)])
  expect(views.map(({ headline }) => headline.word)).toEqual(['revokeHeadline', 'allowItemHeadline', 'unknownHeadline'])
})

test('a token transfer lists the amount, both parties and the token', async () => {
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [attacker, 5n] })
  const { views } = await read([{ to: dollar, value: 0n, data }])
  expect(views[0]?.facts).toMatchObject([
    { name: 'amount', value: { kind: 'amount', amount: 5n, token: dollar } },
    { name: 'from', value: { kind: 'address', address: account } },
    { name: 'to', value: { kind: 'address', address: getAddress(attacker) } },
    { name: 'token', value: { kind: 'token', token: dollar } },
  ])
})

test('an allowance for the total supply requires a second confirmation', async () => {
  const { views } = await read([
    approve(dollar, 10n ** 24n - 1n),
    approve(dollar, 10n ** 24n),
    approve(dollar, 2n ** 254n),
    approve(dollar, 2n ** 256n - 1n),
  ])
  expect(views.map(({ risk }) => risk)).toEqual(['normal', 'high', 'high', 'high'])
})

test('an approval for all items requires a second confirmation, but revoking the approval does not', async () => {
  const all = (isAllowed: boolean) => ({
    to: apes,
    value: 0n,
    data: encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [attacker, isAllowed] }),
  })
  const { views } = await read([all(true), all(false)])
  expect(views.map(({ risk }) => risk)).toEqual(['high', 'normal'])
})

test('data sent to an address without code is shown as a note, unless an earlier call could have deployed code there', async () => {
  const note = { to: nowhere, value: 5n, data: '0x1234' } as const
  expect((await read([note])).views.map(({ headline }) => headline.word)).toEqual(['sendHeadline'])
  const { views } = await read([approve(apes, 1n), note])
  expect(views[1]).toMatchObject({ headline: { word: 'unknownHeadline' }, risk: 'unknown' })
})

test('"no changes" is only shown if the whole simulation was decoded', async () => {
  const words = async (...parameters: Parameters<typeof read>) =>
    (await read(...parameters)).changes.notices.map(({ word }) => word)
  expect(await words([approve(apes, 0n)])).toEqual(['changesNone'])
  expect(await words([approve(apes, 0n)], 'unavailable')).toEqual(['changesUnknown'])
  expect(await words([approve(apes, 0n)], 'reverts')).toContain('changesRevert')
  expect(await words([approve(apes, 0n)], [{ address: apes, topics: [], data: '0x' }])).toEqual(['changesUnclear'])
  expect(await words([{ to: nowhere, value: 0n, data: '0x12345678' }])).toEqual(['changesUnclear'])
  // A node that does not trace native transfers does not report outgoing native currency.
  expect(await words([{ to: attacker, value: 5n, data: '0x' }])).toEqual(['changesUnclear'])
})
