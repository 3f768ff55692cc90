import { encodeAbiParameters, type Hex, numberToHex, pad } from 'viem'
import { expect, test } from 'vitest'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { PublicError } from '../publicError.ts'
import type { Contracts } from './contractFacts.ts'
import { type RawSimulation, readSimulation, type Simulation, simulate } from './simulateCalls.ts'

const chain = 'eip155:1'
const me: Hex = `0x${'a1'.repeat(20)}`
const you: Hex = `0x${'b2'.repeat(20)}`
const [token, apes, shapes, odd]: readonly Hex[] = ['11', '22', '33', '44'].map(
  (byte) => `0x${byte.repeat(20)}` as const,
)
const contracts: Contracts = {
  [token!]: { kind: 'erc20' },
  [apes!]: { kind: 'erc721' },
  [shapes!]: { kind: 'erc1155' },
  [odd!]: { kind: 'unknown' },
}
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const approval = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
const coin: Hex = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 })
const at = (address: Hex): Hex => pad(address)

type Logs = Extract<RawSimulation, { kind: 'done' }>['logs']
const read = (logs: Logs): Simulation => readSimulation({ kind: 'done', logs }, { chain, account: me, contracts })
const log = (address: Hex | undefined, topics: Hex[], data: Hex = '0x'): Logs[number] => ({
  address: address!,
  topics,
  data,
})

test('adds up the changes for each asset and omits those that cancel out', () => {
  expect(
    read([
      log(token, [transfer, at(me), at(you)], word(7)),
      log(token, [transfer, at(you), at(me)], word(2)),
      log(token, [transfer, at(me), at(me)], word(1_000)),
      log(apes, [transfer, at(me), at(you), word(0)]),
    ]),
  ).toMatchObject({
    isComplete: true,
    changes: [
      { kind: 'token', token, amount: -5n },
      { kind: 'item', token: apes, id: 0n, count: -1n },
    ],
  })
})

test.each<[what: string, log: Logs[number]]>([
  ['a token transfer with two data words', log(token, [transfer, at(me), at(you)], `${word(1)}${word(2).slice(2)}`)],
  ['a token transfer without data', log(token, [transfer, at(me), at(you)])],
  ['a transfer without addresses', log(token, [transfer])],
  ['a transfer whose sender has nonzero padding', log(token, [transfer, word(2n ** 255n + 5n), at(me)], word(1))],
  ['an NFT transfer with an amount', log(apes, [transfer, at(me), at(you), word(1)], word(1))],
  ['an NFT transfer emitted by an ERC-20 contract', log(token, [transfer, at(me), at(you), word(1)])],
  ['a token transfer emitted by an ERC-721 contract', log(apes, [transfer, at(me), at(you)], word(1))],
  ['a token transfer emitted by an unknown contract', log(odd, [transfer, at(you), at(me)], word(10n ** 12n))],
  ['an approval emitted by an unknown contract', log(odd, [approval, at(me), at(you)], word(1))],
  [
    'a batch transfer with lists of different lengths',
    log(
      shapes,
      [batch, at(me), at(me), at(you)],
      encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [[1n, 2n], [1n]]),
    ),
  ],
  ['a batch transfer with a truncated list', log(shapes, [batch, at(me), at(me), at(you)], word(64))],
  ['an unknown event', log(odd, [word(1)], '0x')],
  ['an event without topics', log(odd, [], '0x')],
])('%s is not decoded and does not count as a change', (_what, item) => {
  expect(read([item])).toMatchObject({ kind: 'done', changes: [], rights: [], isComplete: false })
})

test('ignores an event from an unknown contract if the event mentions only other accounts', () => {
  expect(read([log(odd, [transfer, at(you), at(you)], word(1))])).toMatchObject({ changes: [], isComplete: true })
})

test('reports approvals that remain in effect, but not revoked ones', () => {
  expect(
    read([
      log(token, [approval, at(me), at(you)], word(2n ** 256n - 1n)),
      log(apes, [approval, at(me), at(you), word(0)]),
      log(apes, [approval, at(me), at(you), word(1)]),
      log(apes, [approval, at(me), word(0), word(1)]),
    ]),
  ).toMatchObject({
    rights: [
      { kind: 'allowToken', token, spender: you, amount: 'unlimited' },
      { kind: 'allowItem', token: apes, spender: you, id: 0n },
    ],
  })
})

const answering =
  (answer: unknown): ChainRpcClient =>
  async <Result>() => {
    if (answer instanceof Error) throw answer
    return answer as Result
  }
const ask = (answer: unknown) => simulate(answering(answer), { chain, calls: [{}] })

test('an invalid response makes the simulation unavailable', async () => {
  const good = { status: '0x1', logs: [log(coin, [transfer, at(me), at(you)], word(5))] }
  expect(await ask([{ calls: [good] }])).toMatchObject({ kind: 'done' })
  for (const answer of [
    undefined,
    [],
    {},
    [{ calls: [] }],
    [{ calls: [good, good] }],
    [{ calls: [good] }, { calls: [] }],
    [{ calls: [{ ...good, logs: [{ address: '0x1', topics: [], data: '0x' }] }] }],
    [{ calls: [{ ...good, logs: [{ address: you, topics: ['x'], data: '0x' }] }] }],
    new PublicError('the method eth_simulateV1 does not exist'),
  ])
    expect(await ask(answer)).toEqual({ kind: 'unavailable' })
})

test('a reverting call is reported with the contract’s reason', async () => {
  expect(await ask([{ calls: [{ status: '0x0', error: { message: 'execution reverted: \u202e' } }] }])).toEqual({
    kind: 'reverts',
    reason: { untrusted: 'execution reverted: \u202e' },
  })
  expect(await ask(new PublicError('execution reverted'))).toMatchObject({ kind: 'reverts' })
})
