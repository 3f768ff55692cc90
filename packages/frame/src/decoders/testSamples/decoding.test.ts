// Runs every sample through the decoder and the view layer. The titles, messages and facts of the views are converted back to
// effects and compared with expectations that were written independently of the code.

import { parseTypedData, type TypedData } from '@latchkey/vault/signers/typedData'
import { type Hex, isHex } from 'viem'
import { expect, test } from 'vitest'
import { analyzeCalls } from '../analyzeCalls.ts'
import { readContracts } from '../contractFacts.ts'
import { decodeTypedData } from '../decodeTypedData.ts'
import { describeCall } from '../describeCall.ts'
import { describeSimulation, type SimulationDescription } from '../describeSimulation.ts'
import { describeTypedData } from '../describeTypedData.ts'
import type { EffectDescription, Shown, ViewFact } from '../effectDescription.ts'
import { contractsOfTypedData } from '../recognizeTypedData.ts'
import { sampleNode } from '../testing/sampleNode.ts'
import type { Change, Effect, OrderItem, TransactionSample, TypedDataSample } from './sample.ts'
import { transactionSamples } from './transactions.ts'
import { typedDataSamples } from './typedData.ts'

/** The content of a screen, described in the same way as in the samples. */
interface ScreenContent {
  readonly effects: readonly Effect[]
  readonly refused: boolean
  /** The amount of native currency that is shown next to an effect other than a native transfer. */
  readonly value: bigint
  readonly changes?: readonly Change[]
  readonly changesUnknown?: boolean
}

async function transactionContent(sample: TransactionSample): Promise<ScreenContent> {
  const { from, chainId, contracts, simulation } = sample
  const calls = sample.calls.map(({ to, value, data }) => ({ to, value, data }))
  const rpc = sampleNode({ contracts, simulation })
  const understood = await analyzeCalls(rpc, { chain: `eip155:${chainId}`, account: from, calls })
  const views = understood.readings.map((reading) =>
    describeCall(reading, { account: from, contracts: understood.contracts }),
  )
  const changes = describeSimulation(understood.simulation, understood.contracts)
  return {
    effects: views.map(effectOf),
    refused: false,
    value: views
      .flatMap(({ facts }) => facts.filter(({ name }) => name === 'with'))
      .reduce((sum, { value }) => sum + amountOf(value), 0n),
    ...simulationContent(changes),
  }
}

async function typedDataContent({
  account,
  chainId,
  contracts: world,
  typedData,
}: TypedDataSample): Promise<ScreenContent> {
  const refused = { effects: [], refused: true, value: 0n }
  let typed: TypedData
  try {
    typed = parseTypedData(typedData)
  } catch {
    return refused
  }
  const contracts = await readContracts(sampleNode({ contracts: world }), {
    chain: `eip155:${chainId}`,
    account,
    addresses: contractsOfTypedData(typed),
  })
  const reading = decodeTypedData(typed, { account, chainId, own: [], contracts })
  if (reading.kind === 'refused') return refused
  return {
    effects: [effectOf(describeTypedData(reading.meaning, { now: 1_800_000_000n, contracts }))],
    refused: false,
    value: 0n,
  }
}

/** Returns the effect that a view shows. */
function effectOf(view: EffectDescription): Effect {
  const { headline, facts } = view
  const find = (name: ViewFact['name']): Shown => {
    const fact = facts.find((item) => item.name === name)
    if (!fact) throw new Error(`${headline.word}: ${name} is not on screen`)
    return fact.value
  }
  const address = (name: ViewFact['name']): Hex => {
    const value = find(name)
    const text = value.kind === 'address' ? value.address : value.kind === 'token' ? value.token : ''
    if (!isHex(text)) throw new Error(`${name}: no address`)
    return text
  }
  switch (headline.word) {
    case 'sendHeadline':
    case 'moveHeadline': {
      const sent = find('amount')
      if (sent.kind === 'amount' && sent.token === undefined)
        return { kind: 'sendCoin', to: address('to'), amount: sent.amount }
      return {
        kind: 'sendToken',
        token: address('token'),
        from: address('from'),
        to: address('to'),
        amount: amountOf(sent),
      }
    }
    case 'sendItemHeadline':
    case 'moveItemHeadline':
    case 'sendItemsHeadline':
    case 'moveItemsHeadline': {
      const items = facts.flatMap(({ name, value }) =>
        name === 'item' && value.kind === 'item' ? [{ id: value.id, count: value.count }] : [],
      )
      const ends = { token: address('collection'), from: address('from'), to: address('to') }
      const [only] = items
      return /Items/.test(headline.word) || !only
        ? { kind: 'sendItems', ...ends, items }
        : { kind: 'sendItem', ...ends, ...only }
    }
    case 'allowHeadline':
    case 'allowMoreHeadline':
    case 'allowLessHeadline':
    case 'allowUnlimitedHeadline': {
      const change = /More/.test(headline.word) ? 'increase' : /Less/.test(headline.word) ? 'decrease' : undefined
      return {
        kind: 'allowToken',
        token: address('token'),
        spender: address('spender'),
        amount: limitOf(find('amount')),
        ...(change && { change }),
      }
    }
    case 'allowItemHeadline':
      return {
        kind: 'allowItem',
        token: address('collection'),
        spender: address('operatorItem'),
        id: idOf(find('item')),
      }
    case 'allowAllHeadline':
      return { kind: 'allowAll', token: address('collection'), operator: address('operator') }
    case 'revokeHeadline':
      return { kind: 'revokeToken', token: address('token'), spender: address('revokedFrom') }
    case 'revokeItemHeadline':
      return { kind: 'revokeItem', token: address('collection'), id: idOf(find('item')) }
    case 'revokeAllHeadline':
      return { kind: 'revokeAll', token: address('collection'), spender: address('revokedFrom') }
    case 'deploy':
      return { kind: 'deploy' }
    case 'permitRevokeHeadline':
      return { kind: 'permitRevoke', spender: address('revokedFrom'), token: address('token') }
    case 'permitHeadline':
    case 'permitUnlimitedHeadline':
    case 'permitManyHeadline':
      return {
        kind: 'permit',
        spender: address('spender'),
        permissions: permissionsOf(facts).map(({ token, amount, expires }) => ({
          token,
          amount,
          expires: expires ?? 'never',
        })),
        signatureExpires: momentOf(find('signatureUntil')),
      }
    case 'permitTransferHeadline':
    case 'permitTransferUnlimitedHeadline':
    case 'permitTransferManyHeadline':
      return {
        kind: 'permitTransfer',
        spender: address('spender'),
        permissions: permissionsOf(facts).map(({ token, amount }) => ({ token, amount })),
        signatureExpires: momentOf(find('signatureUntil')),
      }
    case 'orderHeadline':
    case 'orderNothingHeadline': {
      const recipients = facts.flatMap(({ name, value }) =>
        (name === 'paidTo' || name === 'paidToYou') && value.kind === 'address' ? [value.address as Hex] : [],
      )
      const items = (names: readonly string[]): OrderItem[] =>
        facts.flatMap(({ name, value }) =>
          names.includes(name) && value.kind === 'orderItem' ? [value.item as OrderItem] : [],
        )
      return {
        kind: 'order',
        offers: items(['offers']),
        receives: items(['asksFor', 'othersGet']).map((item, at) => ({ ...item, recipient: recipients[at]! })),
        expires: momentOf(find('until')),
      }
    }
    case 'unknownHeadline':
    case 'dataUnknownHeadline':
      return { kind: 'unknown' }
    default:
      throw new Error(`${headline.word} states no effect`)
  }
}

function simulationContent({
  facts,
  notices,
}: SimulationDescription): Pick<ScreenContent, 'changes' | 'changesUnknown'> {
  const changes = facts.flatMap(({ name, value }): Change[] => {
    if (name !== 'changeLeaves' && name !== 'changeComes') return []
    const sign = name === 'changeLeaves' ? -1n : 1n
    if (value.kind === 'item')
      return [{ kind: 'item', token: value.token as Hex, id: value.id, count: sign * value.count }]
    if (value.kind !== 'amount') throw new Error('a change without an amount')
    return [
      value.token === undefined
        ? { kind: 'coin', amount: sign * value.amount }
        : { kind: 'token', token: value.token as Hex, amount: sign * value.amount },
    ]
  })
  const words = notices.map(({ word }) => word)
  // The changes are inconclusive if there is a notice about unclear changes, or if approvals remain afterwards.
  const changesUnknown =
    words.some((word) => /^changes(Unknown|Unclear|LossUnclear|More|Revert)$/.test(word)) ||
    facts.some(({ name }) => name.startsWith('right'))
  // The screen must say explicitly that there are no changes.
  if (changes.length === 0 && !changesUnknown && !words.includes('changesNone') && facts.length === 0)
    throw new Error('nothing is said of what changes')
  return { changes, changesUnknown }
}

function permissionsOf(facts: readonly ViewFact[]) {
  const named = (name: string): readonly Shown[] => facts.filter((fact) => fact.name === name).map(({ value }) => value)
  const [amounts, tokens, ends] = [named('amount'), named('token'), named('until')]
  expect([tokens.length, ends.length === 0 || ends.length]).toEqual([
    amounts.length,
    ends.length === 0 || amounts.length,
  ])
  return amounts.map((amount, at) => {
    const token = tokens[at]
    const end = ends[at]
    if (token?.kind !== 'token') throw new Error('no token')
    return { token: token.token as Hex, amount: limitOf(amount), expires: end && endOf(end) }
  })
}

function amountOf(value: Shown): bigint {
  if (value.kind !== 'amount') throw new Error('no amount')
  return value.amount
}

function limitOf(value: Shown): bigint | 'unlimited' {
  return value.kind === 'message' && value.word === 'unlimited' ? 'unlimited' : amountOf(value)
}

function idOf(value: Shown): bigint {
  if (value.kind !== 'item') throw new Error('no item')
  return value.id
}

function endOf(value: Shown): bigint | 'never' | 'sameBlock' {
  return value.kind === 'message' && value.word === 'untilSameBlock' ? 'sameBlock' : momentOf(value)
}

function momentOf(value: Shown): bigint | 'never' {
  if (value.kind === 'message' && value.word === 'noEnd') return 'never'
  if (value.kind !== 'time') throw new Error('no moment')
  return value.at
}

/**
 * Normalizes a value, with lowercase addresses and sorted keys. `set` is the default change. An unlimited increase equals an
 * unlimited allowance, and a list with a single item equals that item, because the screen does not distinguish them.
 */
function normal(value: unknown): unknown {
  if (typeof value === 'string' && isHex(value)) return value.toLowerCase()
  if (Array.isArray(value)) return value.map(normal)
  if (typeof value !== 'object' || value === null) return value
  if ('items' in value && Array.isArray(value.items) && value.items.length === 1)
    return normal({ ...value, kind: 'sendItem', items: undefined, ...value.items[0] })
  const isUnlimited = 'amount' in value && value.amount === 'unlimited'
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .filter(([key, inner]) => key !== 'change' || !(inner === 'set' || (inner === 'increase' && isUnlimited)))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, normal(inner)]),
  )
}

const keyOf = (change: Change): string =>
  JSON.stringify(normal(change), (_, inner) => (typeof inner === 'bigint' ? `${inner}` : inner))

/**
 * Returns the mismatches in a result. There are none if the result is correct, or if it is `unknown` and the sample allows that.
 */
function faultsOf({ expect: expected }: TransactionSample | TypedDataSample, response: ScreenContent): string[] {
  const faults: string[] = []
  const text = (value: unknown): string =>
    JSON.stringify(normal(value), (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))
  if (expected.refused) return response.refused ? [] : [`not refused: ${text(response.effects)}`]
  if (response.refused)
    return expected.canBeUnknown || expected.effects.every(({ kind }) => kind === 'unknown') ? [] : ['refused']
  for (const [at, effect] of expected.effects.entries()) {
    const found = response.effects[at]
    const isUnknown = found?.kind === 'unknown' && expected.canBeUnknown
    if (!isUnknown && text(found) !== text(effect)) faults.push(`${text(found)} instead of ${text(effect)}`)
    if (found && expected.never?.includes(found.kind)) faults.push(`says ${found.kind}`)
  }
  if (response.value !== (expected.value ?? 0n))
    faults.push(`coin ${response.value} instead of ${expected.value ?? 0n}`)
  if (expected.changes) {
    const [a, b] = [response.changes ?? [], expected.changes].map((list) => list.map(keyOf).sort())
    if (text(a) !== text(b)) faults.push(`changes ${text(a)} instead of ${text(b)}`)
  }
  if (expected.changesUnknown && !response.changesUnknown) faults.push('does not say that the changes are not settled')
  return faults
}

const readings = [
  ...transactionSamples.map((sample) => ({ sample, read: () => transactionContent(sample) })),
  ...typedDataSamples.map((sample) => ({ sample, read: () => typedDataContent(sample) })),
]

test.each(readings.map(({ sample, read }) => [sample.id, sample, read] as const))(
  '%s is decoded correctly, or reported as unknown if the sample allows that',
  async (_id, sample, read) => {
    expect(faultsOf(sample, await read())).toEqual([])
  },
)

test('at most 15% of the samples are reported as unknown although their effect is known', async () => {
  const unknown: string[] = []
  for (const { sample, read } of readings) {
    const { effects } = await read()
    const isLess = sample.expect.effects.some(({ kind }, at) => kind !== 'unknown' && effects[at]?.kind === 'unknown')
    if (isLess) unknown.push(sample.id)
  }
  expect(unknown.length / readings.length, unknown.join(', ')).toBeLessThanOrEqual(0.15)
})
