import type { MessageKey } from '../screens/messages.ts'
import { type Contracts, factsOf } from './contractFacts.ts'
import type { CountedItem, DecodedCall } from './decodeCall.ts'
import type { DecodedTypedData, OrderItem, Permission } from './decodedTypedData.ts'
import type { Change, Right, Simulation } from './simulation.ts'
import type { UntrustedText } from './untrustedText.ts'

// The content of approval screens before rendering and translation. The screens render exactly this content.

/** A displayed value. */
export type Shown =
  | { readonly kind: 'address'; readonly address: string }
  /** A token or collection, always with its address, as its name cannot be trusted. */
  | { readonly kind: 'token'; readonly token: string }
  /** In the smallest unit; without a token it is native currency. */
  | { readonly kind: 'amount'; readonly amount: bigint; readonly token?: string | undefined }
  | { readonly kind: 'number'; readonly value: bigint }
  /** A number of items. */
  | { readonly kind: 'items'; readonly count: number }
  | ({ readonly kind: 'item'; readonly token: string } & CountedItem)
  | { readonly kind: 'orderItem'; readonly item: OrderItem }
  /** In Unix seconds. */
  | { readonly kind: 'time'; readonly at: bigint }
  | { readonly kind: 'untrusted'; readonly text: UntrustedText }
  | { readonly kind: 'said'; readonly word: MessageKey }

/** A message and the values of its placeholders. */
export interface Line {
  readonly word: MessageKey
  readonly blanks?: Readonly<Record<string, Shown>> | undefined
}

/** A name and its value. */
export interface ViewFact {
  readonly name: MessageKey
  /** A number shown after the name to distinguish several items. */
  readonly number?: number | undefined
  readonly value: Shown
  readonly danger?: boolean | undefined
  /** Whether to emphasize the fact. */
  readonly strong?: boolean | undefined
}

/** A warning or an informational message. */
export interface ViewNotice extends Line {
  readonly tone: 'info' | 'warning' | 'error'
}

/**
 * The risk of an approval. `unknown`: the effect cannot be determined, so the button is delayed. `high`: the possible loss is unlimited,
 * so a second step is required.
 */
export type Risk = 'normal' | 'unknown' | 'high'

/** The view of one effect. */
export interface EffectView {
  /** The heading: the kind of effect in two or three words. */
  readonly title: MessageKey
  /** The consequence in one sentence, with its values. */
  readonly headline: Line
  readonly notices: readonly ViewNotice[]
  readonly facts: readonly ViewFact[]
  /** The raw data, if the effect could not be determined. */
  readonly raw?: { readonly selector: string; readonly data: string } | undefined
  readonly risk: Risk
}

const address = (value: string): Shown => ({ kind: 'address', address: value })
const token = (value: string): Shown => ({ kind: 'token', token: value })
const tokenAmount = (of: string, amount: bigint): Shown => ({ kind: 'amount', amount, token: of })
const number = (value: bigint): Shown => ({ kind: 'number', value })
const unlimited: Shown = { kind: 'said', word: 'unlimited' }

/** The view of a call for the owner of `account`. */
export function viewCall(
  reading: DecodedCall,
  { account, contracts }: { readonly account: string; readonly contracts: Contracts },
): EffectView {
  const isOwn = (who: string): boolean => who.toLowerCase() === account.toLowerCase()
  const coin: readonly ViewFact[] =
    reading.value > 0n ? [{ name: 'with', value: { kind: 'amount', amount: reading.value }, strong: true }] : []
  // Native currency sent along with another effect is easily overlooked.
  const withCoin: readonly ViewNotice[] =
    reading.value > 0n
      ? [{ tone: 'warning', word: 'coinWithCall', blanks: { amount: { kind: 'amount', amount: reading.value } } }]
      : []
  switch (reading.kind) {
    case 'sendCoin': {
      const amount: Shown = { kind: 'amount', amount: reading.value }
      return {
        title: 'sendTitle',
        headline: { word: 'sendHeadline', blanks: { amount, to: address(reading.to) } },
        notices: reading.data === undefined ? [] : [{ tone: 'warning', word: 'callNoCode' }],
        facts: [
          { name: 'amount', value: amount, strong: true },
          { name: 'to', value: address(reading.to) },
        ],
        ...(reading.data !== undefined && { raw: { selector: reading.data.slice(0, 10), data: reading.data } }),
        risk: 'normal',
      }
    }
    case 'deploy':
      return {
        title: 'deployTitle',
        headline: { word: 'deploy', blanks: { bytes: number(BigInt(reading.bytes)) } },
        notices: withCoin,
        facts: coin,
        risk: 'normal',
      }
    case 'sendToken': {
      const { from, to, amount } = reading
      const sent = tokenAmount(reading.token, amount)
      return {
        title: isOwn(from) ? 'sendTitle' : 'moveTitle',
        headline: isOwn(from)
          ? { word: 'sendHeadline', blanks: { amount: sent, to: address(to) } }
          : { word: 'moveHeadline', blanks: { amount: sent, from: address(from), to: address(to) } },
        notices: withCoin,
        facts: [
          { name: 'amount', value: sent, strong: true },
          { name: 'from', value: address(from) },
          { name: 'to', value: address(to) },
          { name: 'token', value: token(reading.token) },
          ...coin,
        ],
        risk: 'normal',
      }
    }
    case 'sendItems': {
      const { from, to, items } = reading
      const [first] = items
      const only = items.length === 1 ? first : undefined
      const what: Line['blanks'] = only
        ? { item: { kind: 'item', token: reading.token, ...only } }
        : { items: { kind: 'items', count: items.length }, collection: token(reading.token) }
      const words = isOwn(from)
        ? (['sendItemHeadline', 'sendItemsHeadline'] as const)
        : (['moveItemHeadline', 'moveItemsHeadline'] as const)
      return {
        title: isOwn(from) ? 'sendItemTitle' : 'moveTitle',
        headline: {
          word: words[only ? 0 : 1],
          blanks: { ...what, ...(!isOwn(from) && { from: address(from) }), to: address(to) },
        },
        notices: withCoin,
        facts: [
          ...items.map(
            (item, at): ViewFact => ({
              name: 'item',
              ...(only ? {} : { number: at + 1 }),
              value: { kind: 'item', token: reading.token, ...item },
              strong: true,
            }),
          ),
          { name: 'from', value: address(from) },
          { name: 'to', value: address(to) },
          { name: 'collection', value: token(reading.token) },
          ...coin,
        ],
        risk: 'normal',
      }
    }
    case 'allowToken': {
      const { spender, amount, change } = reading
      const blanks = { spender: address(spender), token: token(reading.token) }
      const isUnlimited = amount === 'unlimited'
      // An allowance of the total supply is effectively unlimited.
      const isAll = change !== 'decrease' && isWholeSupply(contracts, reading.token, amount)
      const limited = {
        spender: address(spender),
        amount: isUnlimited ? unlimited : tokenAmount(reading.token, amount),
      }
      const words = { set: 'allowHeadline', increase: 'allowMoreHeadline', decrease: 'allowLessHeadline' } as const
      return {
        title: change === 'decrease' ? 'allowLessTitle' : 'allowTitle',
        headline: isUnlimited ? { word: 'allowUnlimitedHeadline', blanks } : { word: words[change], blanks: limited },
        notices: [
          ...(change === 'decrease'
            ? []
            : ([
                { tone: isUnlimited ? 'error' : 'warning', word: isUnlimited ? 'permitUnlimited' : 'allow' },
              ] as const)),
          ...withCoin,
        ],
        facts: [
          { name: 'amount', value: limited.amount, danger: isAll, strong: true },
          { name: 'spender', value: address(spender) },
          { name: 'token', value: token(reading.token) },
          ...coin,
        ],
        risk: isAll ? 'high' : 'normal',
      }
    }
    case 'allowItem': {
      const item: Shown = { kind: 'item', token: reading.token, id: reading.id, count: 1n }
      return {
        title: 'allowItemTitle',
        headline: { word: 'allowItemHeadline', blanks: { item, spender: address(reading.spender) } },
        notices: [{ tone: 'warning', word: 'allowItem' }, ...withCoin],
        facts: [
          { name: 'item', value: item, danger: true, strong: true },
          { name: 'operatorItem', value: address(reading.spender), danger: true },
          { name: 'collection', value: token(reading.token) },
          ...coin,
        ],
        risk: 'normal',
      }
    }
    case 'allowAll':
      return {
        title: 'allowAllTitle',
        headline: {
          word: 'allowAllHeadline',
          blanks: { collection: token(reading.token), operator: address(reading.operator) },
        },
        notices: [{ tone: 'error', word: 'allowAll' }, ...withCoin],
        facts: [
          { name: 'operator', value: address(reading.operator), danger: true },
          { name: 'collection', value: token(reading.token) },
          ...coin,
        ],
        risk: 'high',
      }
    case 'revokeToken':
      return {
        title: 'revokeTitle',
        headline: {
          word: 'revokeHeadline',
          blanks: { spender: address(reading.spender), token: token(reading.token) },
        },
        notices: withCoin,
        facts: [
          { name: 'revokedFrom', value: address(reading.spender) },
          { name: 'token', value: token(reading.token) },
          ...coin,
        ],
        risk: 'normal',
      }
    case 'revokeItem': {
      const item: Shown = { kind: 'item', token: reading.token, id: reading.id, count: 1n }
      return {
        title: 'revokeTitle',
        headline: { word: 'revokeItemHeadline', blanks: { item } },
        notices: withCoin,
        facts: [
          { name: 'item', value: item, strong: true },
          { name: 'collection', value: token(reading.token) },
          ...coin,
        ],
        risk: 'normal',
      }
    }
    case 'revokeAll':
      return {
        title: 'revokeTitle',
        headline: {
          word: 'revokeAllHeadline',
          blanks: { operator: address(reading.operator), collection: token(reading.token) },
        },
        notices: withCoin,
        facts: [
          { name: 'revokedFrom', value: address(reading.operator) },
          { name: 'collection', value: token(reading.token) },
          ...coin,
        ],
        risk: 'normal',
      }
    case 'unknown': {
      const reasons = { 'no-code': 'callNoCode', malformed: 'callMalformed', unknown: 'callUnknown' } as const
      return {
        title: 'unknownTitle',
        headline: { word: 'unknownHeadline' },
        notices: [{ tone: 'warning', word: reasons[reading.because] }, ...withCoin],
        facts: [{ name: 'contract', value: address(reading.to) }, ...coin],
        raw: { selector: reading.selector, data: reading.data },
        risk: 'unknown',
      }
    }
  }
}

/** The view of a transaction's simulation. */
export interface SimulationView {
  readonly notices: readonly ViewNotice[]
  readonly facts: readonly ViewFact[]
  readonly risk: Risk
}

/** Maximum number of incoming assets shown. Outgoing assets are always shown in full. */
const maxGains = 30
/** Above this number, items of one collection (or approvals for it) are grouped into a counted line: a contract can invent any number. */
const maxItemsGained = 3
const maxItemsLost = 20

/** The view of the asset changes, as far as they are known. */
export function viewSimulation(simulation: Simulation, contracts: Contracts): SimulationView {
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
  const { changes, rights, isComplete, mayLoseMore } = simulation
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
  const notices: ViewNotice[] = mayLoseMore
    ? [{ tone: 'error', word: 'changesLossUnclear' }]
    : !isComplete && facts.length === 0
      ? [{ tone: 'warning', word: 'changesUnclear' }]
      : !isComplete || isCut
        ? [{ tone: 'warning', word: 'changesMore' }]
        : facts.length === 0
          ? [{ tone: 'info', word: 'changesNone' }]
          : []
  return { notices, facts, risk: isHigh ? 'high' : mayLoseMore ? 'unknown' : 'normal' }
}

/** Lists items individually, but groups those of the same kind and token if there are more than `most`. */
function groupItems<Item extends Change | Right>(all: readonly Item[], most: number): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>()
  for (const item of all) {
    const key = item.kind === 'coin' ? item.kind : `${item.kind} ${item.token}`
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()].flatMap((group) => (group.length > most ? [group] : group.map((item) => [item])))
}

/** The facts of a single change, or of several changes of one collection. */
function factsOfChanges(changes: readonly Change[]): readonly ViewFact[] {
  const [change] = changes
  if (!change) return []
  const size = change.kind === 'item' ? change.count : change.amount
  const gone = size < 0n
  const positive = gone ? -size : size
  const name = gone ? 'changeLeaves' : 'changeComes'
  if (change.kind === 'coin') return [{ name, value: { kind: 'amount', amount: positive }, danger: gone }]
  const { token: of } = change
  const value: Shown =
    changes.length > 1
      ? { kind: 'items', count: changes.length }
      : change.kind === 'item'
        ? { kind: 'item', token: of, id: change.id, count: positive }
        : tokenAmount(of, positive)
  // Include the full address: an incoming token can have any name.
  return [
    { name, value, danger: gone },
    { name: change.kind === 'item' ? 'collection' : 'token', value: token(of) },
  ]
}

/** The facts of a single approval, or of several approvals for one token or collection. */
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

/** The view of typed data. `now` is in Unix seconds. */
export function viewMeaning(
  meaning: DecodedTypedData,
  { now, contracts }: { readonly now: bigint; readonly contracts: Contracts },
): EffectView {
  switch (meaning.kind) {
    case 'unknown':
      return {
        title: 'dataTitle',
        headline: { word: 'dataUnknownHeadline' },
        notices: [{ tone: 'warning', word: 'dataUnknown' }],
        facts: [],
        risk: 'unknown',
      }
    case 'permitRevoke':
      return {
        title: 'revokeTitle',
        headline: {
          word: 'permitRevokeHeadline',
          blanks: { spender: address(meaning.spender), token: token(meaning.token) },
        },
        notices: [],
        facts: [
          { name: 'revokedFrom', value: address(meaning.spender) },
          { name: 'token', value: token(meaning.token) },
          ...signatureEnd(meaning.signatureExpires, now),
        ],
        risk: 'normal',
      }
    case 'permit':
    case 'permitTransfer': {
      const { permissions, spender } = meaning
      const isTransfer = meaning.kind === 'permitTransfer'
      const isUnlimited = permissions.some(({ token: of, amount }) => isWholeSupply(contracts, of, amount))
      const [only] = permissions
      const blanks = {
        spender: address(spender),
        ...(permissions.length === 1 && only
          ? {
              amount: only.amount === 'unlimited' ? unlimited : tokenAmount(only.token, only.amount),
              token: token(only.token),
            }
          : { count: number(BigInt(permissions.length)) }),
      }
      const word =
        permissions.length !== 1
          ? isTransfer
            ? 'permitTransferManyHeadline'
            : 'permitManyHeadline'
          : only?.amount === 'unlimited'
            ? isTransfer
              ? 'permitTransferUnlimitedHeadline'
              : 'permitUnlimitedHeadline'
            : isTransfer
              ? 'permitTransferHeadline'
              : 'permitHeadline'
      return {
        title: isTransfer ? 'transferTitle' : 'allowTitle',
        headline: { word, blanks },
        notices: [
          { tone: isUnlimited || isTransfer ? 'error' : 'warning', word: isTransfer ? 'transfer' : 'permit' },
          ...(isUnlimited ? ([{ tone: 'error', word: 'permitUnlimited' }] as const) : []),
          ...(isTransfer && meaning.hasWitness ? ([{ tone: 'warning', word: 'permitWitness' }] as const) : []),
          ...pastNotice(meaning.signatureExpires, now),
        ],
        facts: [
          ...permissions.flatMap((permission, at) =>
            permissionFacts(permission, permissions.length > 1 ? at + 1 : undefined),
          ),
          { name: 'spender', value: address(spender) },
          ...signatureEnd(meaning.signatureExpires, now),
        ],
        risk: isUnlimited ? 'high' : 'normal',
      }
    }
    case 'order': {
      const { offers, receives, account } = meaning
      const isOwn = (who: string): boolean => who.toLowerCase() === account.toLowerCase()
      const gains = receives.filter(({ recipient }) => isOwn(recipient))
      const [gift] = offers
      const [gain] = gains
      const gives: Shown =
        offers.length === 1 && gift
          ? { kind: 'orderItem', item: gift }
          : offers.length === 0
            ? response('nothing')
            : { kind: 'items', count: offers.length }
      const gets: Shown | undefined =
        gains.length === 0
          ? undefined
          : gains.length === 1 && gain
            ? { kind: 'orderItem', item: gain }
            : { kind: 'items', count: gains.length }
      const isAnyOfSet = offers.some(({ itemType }) => itemType.endsWith('Criteria'))
      return {
        title: 'orderTitle',
        headline: { word: gets ? 'orderHeadline' : 'orderNothingHeadline', blanks: { gives, ...(gets && { gets }) } },
        notices: [
          { tone: gets ? 'warning' : 'error', word: 'order' },
          ...(isAnyOfSet ? ([{ tone: 'error', word: 'orderAny' }] as const) : []),
          ...pastNotice(meaning.expires, now),
        ],
        facts: [
          ...offers.flatMap((item, at): readonly ViewFact[] => [
            {
              name: 'offers',
              ...(offers.length > 1 && { number: at + 1 }),
              value: { kind: 'orderItem', item },
              strong: true,
            },
            ...tokenOf(item, offers.length > 1 ? at + 1 : undefined),
          ]),
          ...receives.flatMap((item, at): readonly ViewFact[] => [
            {
              name: isOwn(item.recipient) ? 'asksFor' : 'othersGet',
              ...(receives.length > 1 && { number: at + 1 }),
              value: { kind: 'orderItem', item },
              strong: isOwn(item.recipient),
            },
            ...tokenOf(item, receives.length > 1 ? at + 1 : undefined),
            {
              name: isOwn(item.recipient) ? 'paidToYou' : 'paidTo',
              ...(receives.length > 1 && { number: at + 1 }),
              value: address(item.recipient),
            },
          ]),
          ...(receives.length === 0 ? [{ name: 'asksFor', value: response('nothing'), danger: true } as const] : []),
          meaning.expires === 'never'
            ? { name: 'until', value: response('noEnd'), danger: true }
            : { name: 'until', value: { kind: 'time', at: meaning.expires } },
        ],
        risk: gets && !isAnyOfSet ? 'normal' : 'high',
      }
    }
  }
}

function isWholeSupply(contracts: Contracts, of: string, amount: bigint | 'unlimited'): boolean {
  const { supply } = factsOf(contracts, of)
  return amount === 'unlimited' || (supply !== undefined && supply > 0n && amount >= supply)
}

function response(word: MessageKey): Shown {
  return { kind: 'said', word }
}

/** The full address of an order's token, as two abbreviated addresses can look alike. */
function tokenOf({ itemType, token: of }: OrderItem, at: number | undefined): readonly ViewFact[] {
  if (itemType === 'coin') return []
  return [{ name: itemType === 'erc20' ? 'token' : 'collection', number: at, value: token(of) }]
}

function permissionFacts({ token: of, amount, expires }: Permission, at: number | undefined): readonly ViewFact[] {
  const facts: ViewFact[] = [
    amount === 'unlimited'
      ? { name: 'amount', value: unlimited, danger: true, strong: true }
      : { name: 'amount', value: tokenAmount(of, amount), strong: true },
    { name: 'token', value: token(of) },
  ]
  if (expires === 'never') facts.push({ name: 'until', value: response('noEnd'), danger: true })
  else if (expires === 'sameBlock') facts.push({ name: 'until', value: response('untilSameBlock') })
  else if (expires !== undefined) facts.push({ name: 'until', value: { kind: 'time', at: expires } })
  return facts.map((fact) => ({ ...fact, number: at }))
}

function signatureEnd(expires: bigint | 'never' | undefined, now: bigint): readonly ViewFact[] {
  if (expires === undefined) return []
  return [
    expires === 'never'
      ? { name: 'signatureUntil', value: response('noEnd'), danger: true }
      : { name: 'signatureUntil', value: { kind: 'time', at: expires }, danger: expires < now },
  ]
}

function pastNotice(expires: bigint | 'never' | undefined, now: bigint): readonly ViewNotice[] {
  return typeof expires === 'bigint' && expires < now ? [{ tone: 'warning', word: 'signaturePast' }] : []
}
