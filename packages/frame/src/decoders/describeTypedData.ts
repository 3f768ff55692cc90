import { type Contracts, isWholeSupply } from './contractFacts.ts'
import {
  address,
  type EffectDescription,
  message,
  number,
  type Shown,
  token,
  tokenAmount,
  unlimited,
  type ViewFact,
  type ViewNotice,
} from './effectDescription.ts'
import type { DecodedTypedData, OrderItem, Permission } from './typedDataParts.ts'

/** Returns what the approval screen shows about typed data. `now` is in Unix seconds. */
export function describeTypedData(
  typedData: DecodedTypedData,
  { now, contracts }: { readonly now: bigint; readonly contracts: Contracts },
): EffectDescription {
  switch (typedData.kind) {
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
          blanks: { spender: address(typedData.spender), token: token(typedData.token) },
        },
        notices: [],
        facts: [
          { name: 'revokedFrom', value: address(typedData.spender) },
          { name: 'token', value: token(typedData.token) },
          ...signatureEnd(typedData.signatureExpires, now),
        ],
        risk: 'normal',
      }
    case 'permit':
    case 'permitTransfer': {
      const { permissions, spender } = typedData
      const isTransfer = typedData.kind === 'permitTransfer'
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
          ...(isTransfer && typedData.hasWitness ? ([{ tone: 'warning', word: 'permitWitness' }] as const) : []),
          ...pastNotice(typedData.signatureExpires, now),
        ],
        facts: [
          ...permissions.flatMap((permission, at) =>
            permissionFacts(permission, permissions.length > 1 ? at + 1 : undefined),
          ),
          { name: 'spender', value: address(spender) },
          ...signatureEnd(typedData.signatureExpires, now),
        ],
        risk: isUnlimited ? 'high' : 'normal',
      }
    }
    case 'order': {
      const { offers, receives, account } = typedData
      const isOwn = (who: string): boolean => who.toLowerCase() === account.toLowerCase()
      const gains = receives.filter(({ recipient }) => isOwn(recipient))
      const [gift] = offers
      const [gain] = gains
      const gives: Shown =
        offers.length === 1 && gift
          ? { kind: 'orderItem', item: gift }
          : offers.length === 0
            ? message('nothing')
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
          ...pastNotice(typedData.expires, now),
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
          ...(receives.length === 0 ? [{ name: 'asksFor', value: message('nothing'), danger: true } as const] : []),
          typedData.expires === 'never'
            ? { name: 'until', value: message('noEnd'), danger: true }
            : { name: 'until', value: { kind: 'time', at: typedData.expires } },
        ],
        risk: gets && !isAnyOfSet ? 'normal' : 'high',
      }
    }
  }
}

/** Returns a fact with the full address of an order item's token, because two abbreviated addresses can look alike. */
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
  if (expires === 'never') facts.push({ name: 'until', value: message('noEnd'), danger: true })
  else if (expires === 'sameBlock') facts.push({ name: 'until', value: message('untilSameBlock') })
  else if (expires !== undefined) facts.push({ name: 'until', value: { kind: 'time', at: expires } })
  return facts.map((fact) => ({ ...fact, number: at }))
}

function signatureEnd(expires: bigint | 'never' | undefined, now: bigint): readonly ViewFact[] {
  if (expires === undefined) return []
  return [
    expires === 'never'
      ? { name: 'signatureUntil', value: message('noEnd'), danger: true }
      : { name: 'signatureUntil', value: { kind: 'time', at: expires }, danger: expires < now },
  ]
}

function pastNotice(expires: bigint | 'never' | undefined, now: bigint): readonly ViewNotice[] {
  return typeof expires === 'bigint' && expires < now ? [{ tone: 'warning', word: 'signaturePast' }] : []
}
