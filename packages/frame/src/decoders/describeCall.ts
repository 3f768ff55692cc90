import { type Contracts, isWholeSupply } from './contractFacts.ts'
import type { DecodedCall } from './decodeCall.ts'
import {
  address,
  coinAmount,
  type EffectDescription,
  type Line,
  number,
  type Shown,
  token,
  tokenAmount,
  unlimited,
  type ViewFact,
  type ViewNotice,
} from './effectDescription.ts'

type Decoded<Kind extends DecodedCall['kind']> = Extract<DecodedCall, { readonly kind: Kind }>

/** Returns what the approval screen shows about a call, for the owner of `account`. */
export function describeCall(
  call: DecodedCall,
  { account, contracts }: { readonly account: string; readonly contracts: Contracts },
): EffectDescription {
  switch (call.kind) {
    case 'sendCoin':
      return viewSendCoin(call)
    case 'deploy':
      return viewDeploy(call)
    case 'sendToken':
      return viewSendToken(call, account)
    case 'sendItems':
      return viewSendItems(call, account)
    case 'allowToken':
      return viewAllowToken(call, contracts)
    case 'allowItem':
      return viewAllowItem(call)
    case 'allowAll':
      return viewAllowAll(call)
    case 'revokeToken':
      return viewRevokeToken(call)
    case 'revokeItem':
      return viewRevokeItem(call)
    case 'revokeAll':
      return viewRevokeAll(call)
    case 'unknown':
      return viewUnknown(call)
  }
}

function viewSendCoin(call: Decoded<'sendCoin'>): EffectDescription {
  const amount: Shown = coinAmount(call.value)
  return {
    title: 'sendTitle',
    headline: { word: 'sendHeadline', blanks: { amount, to: address(call.to) } },
    notices: call.data === undefined ? [] : [{ tone: 'warning', word: 'callNoCode' }],
    facts: [
      { name: 'amount', value: amount, strong: true },
      { name: 'to', value: address(call.to) },
    ],
    ...(call.data !== undefined && { raw: { selector: call.data.slice(0, 10), data: call.data } }),
    risk: 'normal',
  }
}

function viewDeploy(call: Decoded<'deploy'>): EffectDescription {
  return {
    title: 'deployTitle',
    headline: { word: 'deploy', blanks: { bytes: number(BigInt(call.bytes)) } },
    notices: valueNotices(call),
    facts: valueFacts(call),
    risk: 'normal',
  }
}

function viewSendToken(call: Decoded<'sendToken'>, account: string): EffectDescription {
  const { from, to, amount } = call
  const sent = tokenAmount(call.token, amount)
  return {
    title: isSameAddress(from, account) ? 'sendTitle' : 'moveTitle',
    headline: isSameAddress(from, account)
      ? { word: 'sendHeadline', blanks: { amount: sent, to: address(to) } }
      : { word: 'moveHeadline', blanks: { amount: sent, from: address(from), to: address(to) } },
    notices: valueNotices(call),
    facts: [
      { name: 'amount', value: sent, strong: true },
      { name: 'from', value: address(from) },
      { name: 'to', value: address(to) },
      { name: 'token', value: token(call.token) },
      ...valueFacts(call),
    ],
    risk: 'normal',
  }
}

function viewSendItems(call: Decoded<'sendItems'>, account: string): EffectDescription {
  const { from, to, items } = call
  const [first] = items
  const only = items.length === 1 ? first : undefined
  const what: Line['blanks'] = only
    ? { item: { kind: 'item', token: call.token, ...only } }
    : { items: { kind: 'items', count: items.length }, collection: token(call.token) }
  const words = isSameAddress(from, account)
    ? (['sendItemHeadline', 'sendItemsHeadline'] as const)
    : (['moveItemHeadline', 'moveItemsHeadline'] as const)
  return {
    title: isSameAddress(from, account) ? 'sendItemTitle' : 'moveTitle',
    headline: {
      word: words[only ? 0 : 1],
      blanks: { ...what, ...(!isSameAddress(from, account) && { from: address(from) }), to: address(to) },
    },
    notices: valueNotices(call),
    facts: [
      ...items.map(
        (item, at): ViewFact => ({
          name: 'item',
          ...(only ? {} : { number: at + 1 }),
          value: { kind: 'item', token: call.token, ...item },
          strong: true,
        }),
      ),
      { name: 'from', value: address(from) },
      { name: 'to', value: address(to) },
      { name: 'collection', value: token(call.token) },
      ...valueFacts(call),
    ],
    risk: 'normal',
  }
}

function viewAllowToken(call: Decoded<'allowToken'>, contracts: Contracts): EffectDescription {
  const { spender, amount, change } = call
  const blanks = { spender: address(spender), token: token(call.token) }
  const isUnlimited = amount === 'unlimited'
  // An allowance for the total supply is effectively unlimited.
  const isAll = change !== 'decrease' && isWholeSupply(contracts, call.token, amount)
  const limited = {
    spender: address(spender),
    amount: isUnlimited ? unlimited : tokenAmount(call.token, amount),
  }
  const words = { set: 'allowHeadline', increase: 'allowMoreHeadline', decrease: 'allowLessHeadline' } as const
  return {
    title: change === 'decrease' ? 'allowLessTitle' : 'allowTitle',
    headline: isUnlimited ? { word: 'allowUnlimitedHeadline', blanks } : { word: words[change], blanks: limited },
    notices: [
      ...(change === 'decrease'
        ? []
        : ([{ tone: isUnlimited ? 'error' : 'warning', word: isUnlimited ? 'permitUnlimited' : 'allow' }] as const)),
      ...valueNotices(call),
    ],
    facts: [
      { name: 'amount', value: limited.amount, danger: isAll, strong: true },
      { name: 'spender', value: address(spender) },
      { name: 'token', value: token(call.token) },
      ...valueFacts(call),
    ],
    risk: isAll ? 'high' : 'normal',
  }
}

function viewAllowItem(call: Decoded<'allowItem'>): EffectDescription {
  const item: Shown = { kind: 'item', token: call.token, id: call.id, count: 1n }
  return {
    title: 'allowItemTitle',
    headline: { word: 'allowItemHeadline', blanks: { item, spender: address(call.spender) } },
    notices: [{ tone: 'warning', word: 'allowItem' }, ...valueNotices(call)],
    facts: [
      { name: 'item', value: item, danger: true, strong: true },
      { name: 'operatorItem', value: address(call.spender), danger: true },
      { name: 'collection', value: token(call.token) },
      ...valueFacts(call),
    ],
    risk: 'normal',
  }
}

function viewAllowAll(call: Decoded<'allowAll'>): EffectDescription {
  return {
    title: 'allowAllTitle',
    headline: {
      word: 'allowAllHeadline',
      blanks: { collection: token(call.token), operator: address(call.operator) },
    },
    notices: [{ tone: 'error', word: 'allowAll' }, ...valueNotices(call)],
    facts: [
      { name: 'operator', value: address(call.operator), danger: true },
      { name: 'collection', value: token(call.token) },
      ...valueFacts(call),
    ],
    risk: 'high',
  }
}

function viewRevokeToken(call: Decoded<'revokeToken'>): EffectDescription {
  return {
    title: 'revokeTitle',
    headline: {
      word: 'revokeHeadline',
      blanks: { spender: address(call.spender), token: token(call.token) },
    },
    notices: valueNotices(call),
    facts: [
      { name: 'revokedFrom', value: address(call.spender) },
      { name: 'token', value: token(call.token) },
      ...valueFacts(call),
    ],
    risk: 'normal',
  }
}

function viewRevokeItem(call: Decoded<'revokeItem'>): EffectDescription {
  const item: Shown = { kind: 'item', token: call.token, id: call.id, count: 1n }
  return {
    title: 'revokeTitle',
    headline: { word: 'revokeItemHeadline', blanks: { item } },
    notices: valueNotices(call),
    facts: [
      { name: 'item', value: item, strong: true },
      { name: 'collection', value: token(call.token) },
      ...valueFacts(call),
    ],
    risk: 'normal',
  }
}

function viewRevokeAll(call: Decoded<'revokeAll'>): EffectDescription {
  return {
    title: 'revokeTitle',
    headline: {
      word: 'revokeAllHeadline',
      blanks: { operator: address(call.operator), collection: token(call.token) },
    },
    notices: valueNotices(call),
    facts: [
      { name: 'revokedFrom', value: address(call.operator) },
      { name: 'collection', value: token(call.token) },
      ...valueFacts(call),
    ],
    risk: 'normal',
  }
}

function viewUnknown(call: Decoded<'unknown'>): EffectDescription {
  const reasons = { 'no-code': 'callNoCode', malformed: 'callMalformed', unknown: 'callUnknown' } as const
  return {
    title: 'unknownTitle',
    headline: { word: 'unknownHeadline' },
    notices: [{ tone: 'warning', word: reasons[call.because] }, ...valueNotices(call)],
    facts: [{ name: 'contract', value: address(call.to) }, ...valueFacts(call)],
    raw: { selector: call.selector, data: call.data },
    risk: 'unknown',
  }
}

/** Returns the fact for the native currency that is sent with a call. */
function valueFacts({ value }: DecodedCall): readonly ViewFact[] {
  return value > 0n ? [{ name: 'with', value: coinAmount(value), strong: true }] : []
}

/** Returns a warning if native currency is sent with a call, because the user could easily overlook the amount. */
function valueNotices({ value }: DecodedCall): readonly ViewNotice[] {
  return value > 0n ? [{ tone: 'warning', word: 'coinWithCall', blanks: { amount: coinAmount(value) } }] : []
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
