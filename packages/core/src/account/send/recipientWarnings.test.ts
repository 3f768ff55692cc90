import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { expect, test } from 'vitest'
import type { Token } from '../portfolioTypes.ts'
import { knownAddresses } from './knownAddresses.ts'
import { recipientWarnings } from './recipientWarnings.ts'
import type { RecentRecipient } from './sendTypes.ts'

const own = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const account = `eip155:1:${own}` as const
const friend = '0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C'
const imitation = `0x1aE0${'9'.repeat(32)}454C`
const stranger = '0x2222222222222222222222222222222222222222'
const sentTo = (address: string, more: Partial<RecentRecipient> = {}): RecentRecipient => ({
  address,
  chain: 'eip155:1',
  at: 0,
  ...more,
})
const nobody = { sent: [], seen: [] }

const token: Token = {
  id: `eip155:1:${stranger}`,
  chain: 'eip155:1',
  address: stranger,
  name: 'Coin',
  symbol: 'COIN',
  decimals: 6,
  amount: 1n,
}
const facts = {
  address: friend,
  account,
  chain: 'eip155:1' as const,
  name: undefined,
  token: undefined,
  tokens: [] as readonly Token[],
  hasWrongChecksum: false,
  isRepeated: false,
  recent: [] as readonly RecentRecipient[],
  known: nobody,
  isContract: false,
  contractOn: undefined,
  decimals: 6,
  symbol: 'COIN',
  hasWrongDecimals: false,
  amount: 100n,
  withheld: undefined,
  isEstimating: false,
}
const kinds = (change: Partial<Parameters<typeof recipientWarnings>[0]>) =>
  recipientWarnings({ ...facts, ...change }).map(({ kind }) => kind)

test('an earlier recipient causes no warning, and a new one does', () => {
  expect(kinds({ recent: [sentTo(friend.toLowerCase())] })).toEqual([])
  expect(kinds({})).toEqual(['first-time'])
})

test('an earlier transfer that only the history contains is reported as such, because a server can invent it', () => {
  expect(kinds({ known: { sent: [friend], seen: [friend] } })).toEqual(['only-in-history'])
})

test('the history cannot make an address trusted that resembles an earlier recipient or the account’s own', () => {
  const known = { sent: [imitation], seen: [imitation] }
  expect(kinds({ address: imitation, known, recent: [sentTo(friend)] })).toEqual(['look-alike', 'only-in-history'])
  const almostOwn = `${own.slice(0, 6)}${'1'.repeat(32)}${own.slice(-4)}`
  expect(kinds({ address: almostOwn, known: { sent: [almostOwn], seen: [] } })).toEqual([
    'look-alike',
    'only-in-history',
  ])
  // This browser has already sent to the recipient, so the history does not matter.
  expect(kinds({ known, recent: [sentTo(friend)] })).toEqual([])
})

test('a contract that only exists on another network causes a serious warning', () => {
  const warnings = recipientWarnings({ ...facts, contractOn: 'Ethereum', recent: [sentTo(friend)] })
  expect(warnings).toEqual([{ kind: 'contract-elsewhere', network: 'Ethereum', isSerious: true }])
})

test.each([
  ['an earlier recipient', { recent: [sentTo(friend, { chain: 'eip155:10' })] }, 'sent'],
  ['a recipient in the history', { known: { sent: [friend], seen: [friend] } }, 'sent'],
  ['an address that only occurs in the history', { known: { sent: [], seen: [friend, imitation] } }, 'seen'],
])('an address that resembles %s causes a serious warning that contains the other address', (_, change, relation) => {
  expect(recipientWarnings({ ...facts, address: imitation, ...change })[0]).toEqual({
    kind: 'look-alike',
    address: friend,
    relation,
    isSerious: true,
  })
})

test('an address that resembles the account’s own causes a serious warning, but an imitated recipient does not', () => {
  const almostOwn = `${own.slice(0, 6)}${'1'.repeat(32)}${own.slice(-4)}`
  expect(recipientWarnings({ ...facts, address: almostOwn })[0]).toMatchObject({ kind: 'look-alike', relation: 'own' })
  expect(kinds({ recent: [sentTo(friend)], known: { sent: [], seen: [imitation] } })).toEqual([])
})

test('a recipient on another network is new on this one, because a contract might not exist here', () => {
  expect(kinds({ recent: [sentTo(friend, { chain: 'eip155:10' })] })).toEqual(['first-time'])
})

test('a name that resolves to a different address than before causes a serious warning with the earlier one', () => {
  const recent = [sentTo(stranger, { name: 'bob.eth' })]
  expect(recipientWarnings({ ...facts, name: 'bob.eth', recent })[0]).toEqual({
    kind: 'name-changed',
    address: stranger,
    isSerious: true,
  })
  expect(kinds({ name: 'bob.eth', address: stranger, recent })).toEqual([])
  expect(kinds({ name: 'eve.eth', recent })).toEqual(['first-time'])
})

test.each([
  ['the zero address', { address: `0x${'0'.repeat(40)}` }, ['zero-address'], true],
  ['the token’s contract', { address: stranger, token, isContract: true }, ['token-contract'], true],
  ['the contract of another token', { address: stranger, tokens: [token], isContract: true }, ['token-contract'], true],
  ['the user’s own address', { address: own.toLowerCase() }, ['own-address'], false],
  ['a contract', { isContract: true }, ['contract', 'first-time'], false],
  ['a wrong checksum', { hasWrongChecksum: true }, ['checksum', 'first-time'], true],
  ['a transfer that was requested before', { isRepeated: true }, ['repeat', 'first-time'], true],
])('%s causes a warning', (_, change, expected, isSerious) => {
  expect(kinds(change)).toEqual(expected)
  expect(recipientWarnings({ ...facts, ...change })[0]?.isSerious).toBe(isSerious)
})

test('failed checks are reported as unchecked', () => {
  expect(recipientWarnings({ ...facts, known: undefined, isContract: undefined })).toEqual([
    { kind: 'first-time', isSerious: false },
    { kind: 'unchecked', what: 'history', isSerious: false },
    { kind: 'unchecked', what: 'contract', isSerious: false },
  ])
})

const transaction = (
  change: Partial<HistoryTransaction['metadata']>,
  transfer: Partial<HistoryTransaction['transfers'][number]> = {},
): HistoryTransaction => ({
  id: '1',
  metadata: {
    operationType: 'send',
    hash: '0x1',
    minedAt: '2026-01-01T00:00:00Z',
    sentFrom: own,
    sentTo: imitation,
    status: 'confirmed',
    chain: 'eip155:1',
    ...change,
  },
  transfers: [{ direction: 'out', quantity: { numeric: '1' }, ...transfer }],
})

test('a poisoned history does not make an address an earlier recipient', () => {
  const poison = [
    transaction({}, { quantity: { numeric: '0' } }),
    transaction({}, { quantity: { numeric: '0.000' } }),
    transaction({}, { isSpam: true }),
    transaction({}, { isUnlisted: true }),
    transaction({ status: 'failed' }),
    transaction({ operationType: 'receive', sentFrom: imitation, sentTo: own }, { direction: 'in' }),
    transaction({ sentFrom: imitation, sentTo: stranger }),
  ]
  const known = knownAddresses(poison, account)
  expect(known.sent).toEqual([])
  expect(known.seen).toEqual([imitation, stranger])
  expect(knownAddresses([transaction({ sentTo: friend })], account).sent).toEqual([friend])
})

test('a partially read history is reported as unchecked', () => {
  const known = { sent: [friend], seen: [friend], isPartial: true } as const
  expect(recipientWarnings({ ...facts, known })).toEqual([
    { kind: 'only-in-history', isSerious: false },
    { kind: 'unchecked', what: 'history', isSerious: false },
  ])
})
