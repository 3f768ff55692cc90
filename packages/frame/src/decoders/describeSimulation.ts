import { type Contracts, isWholeSupply } from './contractFacts.ts'
import {
  address,
  coinAmount,
  number,
  type Risk,
  type Shown,
  token,
  tokenAmount,
  unlimited,
  type ViewFact,
  type ViewNotice,
} from './effectDescription.ts'
import type { Change, Right, Simulation } from './simulateCalls.ts'

/** What the approval screen shows about a simulated transaction. */
export interface SimulationDescription {
  readonly notices: readonly ViewNotice[]
  readonly facts: readonly ViewFact[]
  readonly risk: Risk
}

/** The maximum number of incoming assets shown. Outgoing assets are never omitted. */
const maxGains = 30
/**
 * The maximum number of incoming items in one collection that are listed individually. If there are more, they are grouped into
 * one line, because a contract can emit any number of events.
 */
const maxItemsGained = 3
const maxItemsLost = 20

/** Returns the description of the asset changes and approvals in a simulation. */
export function describeSimulation(simulation: Simulation, contracts: Contracts): SimulationDescription {
  if (simulation.kind === 'unavailable')
    return { notices: [{ tone: 'warning', word: 'changesUnknown' }], facts: [], risk: 'normal' }
  if (simulation.kind === 'reverts')
    return {
      notices: [
        { tone: 'error', word: 'changesRevert' },
        ...(simulation.reason === undefined
          ? []
          : ([
              {
                tone: 'info',
                word: 'networkSays',
                blanks: { text: { kind: 'untrusted', text: simulation.reason } },
              },
            ] as const)),
      ],
      facts: [],
      risk: 'normal',
    }
  const { changes, rights, isComplete, canLoseMore } = simulation
  const isGain = (change: Change): boolean => (change.kind === 'item' ? change.count : change.amount) > 0n
  const gains = groupItems(changes.filter(isGain), maxItemsGained).map(factsOfChanges)
  const losses = groupItems(
    changes.filter((change) => !isGain(change)),
    maxItemsLost,
  ).map(factsOfChanges)
  const approvals = groupItems(rights, maxItemsLost).map((group) => factsOfRights(group, contracts))
  const facts = [...losses, ...approvals, ...gains.slice(0, maxGains)].flat()
  const isHigh = rights.some(
    (right) =>
      right.kind === 'allowAll' || (right.kind === 'allowToken' && isWholeSupply(contracts, right.token, right.amount)),
  )
  const isCut = gains.length > maxGains
  const notices: ViewNotice[] = canLoseMore
    ? [{ tone: 'error', word: 'changesLossUnclear' }]
    : !isComplete && facts.length === 0
      ? [{ tone: 'warning', word: 'changesUnclear' }]
      : !isComplete || isCut
        ? [{ tone: 'warning', word: 'changesMore' }]
        : facts.length === 0
          ? [{ tone: 'info', word: 'changesNone' }]
          : []
  return { notices, facts, risk: isHigh ? 'high' : canLoseMore ? 'unknown' : 'normal' }
}

/** Groups items of the same kind and token if there are more than `max` of them. Other items are listed individually. */
function groupItems<Item extends Change | Right>(all: readonly Item[], max: number): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>()
  for (const item of all) {
    const key = item.kind === 'coin' ? item.kind : `${item.kind} ${item.token}`
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()].flatMap((group) => (group.length > max ? [group] : group.map((item) => [item])))
}

/** Returns the facts about a single change, or about several changes in one collection. */
function factsOfChanges(changes: readonly Change[]): readonly ViewFact[] {
  const [change] = changes
  if (!change) return []
  const size = change.kind === 'item' ? change.count : change.amount
  const gone = size < 0n
  const positive = gone ? -size : size
  const name = gone ? 'changeLeaves' : 'changeComes'
  if (change.kind === 'coin') return [{ name, value: coinAmount(positive), danger: gone }]
  const { token: of } = change
  const value: Shown =
    changes.length > 1
      ? { kind: 'items', count: changes.length }
      : change.kind === 'item'
        ? { kind: 'item', token: of, id: change.id, count: positive }
        : tokenAmount(of, positive)
  // The full address is included, because an incoming token can have any name.
  return [
    { name, value, danger: gone },
    { name: change.kind === 'item' ? 'collection' : 'token', value: token(of) },
  ]
}

/** Returns the facts about a single approval, or about several approvals for one token or collection. */
function factsOfRights(rights: readonly Right[], contracts: Contracts): readonly ViewFact[] {
  const [right] = rights
  if (!right) return []
  const many = rights.length > 1 ? number(BigInt(rights.length)) : undefined
  switch (right.kind) {
    case 'allowToken': {
      const isAll = many !== undefined || isWholeSupply(contracts, right.token, right.amount)
      return [
        {
          name: 'rightToken',
          value: many || right.amount === 'unlimited' ? unlimited : tokenAmount(right.token, right.amount),
          danger: true,
        },
        { name: 'token', value: token(right.token) },
        { name: 'spender', value: many ?? address(right.spender), danger: isAll },
      ]
    }
    case 'allowItem':
      return [
        {
          name: 'rightItem',
          value: many
            ? { kind: 'items', count: rights.length }
            : { kind: 'item', token: right.token, id: right.id, count: 1n },
          danger: true,
        },
        { name: 'collection', value: token(right.token) },
        ...(many ? [] : [{ name: 'operatorItem', value: address(right.spender), danger: true } as const]),
      ]
    case 'allowAll':
      return [
        { name: 'rightAll', value: token(right.token), danger: true },
        { name: 'operator', value: many ?? address(right.operator), danger: true },
      ]
  }
}
