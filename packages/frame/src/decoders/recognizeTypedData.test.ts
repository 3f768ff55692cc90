import { parseTypedData } from '@latchkey/vault/signers/typedData'
import { expect, test } from 'vitest'
import type { Contracts } from './contractFacts.ts'
import { describeTypedData } from './describeTypedData.ts'
import { contractsOfTypedData, recognizeTypedData } from './recognizeTypedData.ts'
import type { DecodedTypedData } from './typedDataParts.ts'

const account = `0x${'a1'.repeat(20)}`
const attacker = `0x${'b2'.repeat(20)}`
const dollar = `0x${'11'.repeat(20)}`
const apes = `0x${'22'.repeat(20)}`
const zero = `0x${'0'.repeat(40)}`
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const seaport = '0x0000000000000068F116a894984e2DB1123eB395'
const contracts: Contracts = {
  [dollar]: { kind: 'erc20', decimals: 6, supply: 10n ** 15n },
  [apes]: { kind: 'erc721' },
}
const fields = (text: string) =>
  text.split(',').map((member) => {
    const [type = '', name = ''] = member.split(' ')
    return { name, type }
  })
const typesOf = (types: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(types).map(([name, text]) => [name, fields(text)]))
const read = (data: object, chainId = 1): DecodedTypedData => {
  const typed = parseTypedData(data)
  // Contracts without known facts are added as unknown.
  const known = Object.fromEntries(
    contractsOfTypedData(typed).map((contract) => [
      contract.toLowerCase(),
      contracts[contract.toLowerCase()] ?? { kind: 'unknown' as const },
    ]),
  )
  return recognizeTypedData(typed, { account, chainId, contracts: known })
}

const single = (
  details: object,
  { domain = {}, types = {} }: { domain?: object; types?: Readonly<Record<string, string>> } = {},
): object => ({
  types: typesOf({
    EIP712Domain: 'string name,uint256 chainId,address verifyingContract',
    PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline',
    PermitDetails: 'address token,uint160 amount,uint48 expiration,uint48 nonce',
    ...types,
  }),
  primaryType: 'PermitSingle',
  domain: { name: 'Permit2', chainId: 1, verifyingContract: permit2, ...domain },
  message: {
    details: { token: dollar, amount: '5', expiration: '1900000000', nonce: '0', ...details },
    spender: attacker,
    sigDeadline: '1900000000',
  },
})

test('a Permit2 permit is unknown unless it is for a token, because a collection would treat the amount as a token ID', () => {
  expect(read(single({}))).toMatchObject({ kind: 'permit', permissions: [{ token: expect.any(String), amount: 5n }] })
  expect(read(single({ token: apes }))).toEqual({ kind: 'unknown' })
  expect(read(single({ token: attacker }))).toEqual({ kind: 'unknown' })
})

test.each<[what: string, data: object, chainId?: number]>([
  ['is from a different contract', single({}, { domain: { verifyingContract: attacker } })],
  ['has a different name', single({}, { domain: { name: 'Permit3' } })],
  ['is for a network where Permit2 has a different address', single({}, { domain: { chainId: 324 } }), 324],
  [
    'has an additional member',
    single(
      { memo: '1' },
      { types: { PermitDetails: 'address token,uint160 amount,uint48 expiration,uint48 nonce,uint256 memo' } },
    ),
  ],
  [
    'has its members in a different order',
    single({}, { types: { PermitDetails: 'uint160 amount,address token,uint48 expiration,uint48 nonce' } }),
  ],
  [
    'has a wider integer type',
    single({}, { types: { PermitDetails: 'address token,uint256 amount,uint48 expiration,uint48 nonce' } }),
  ],
  ['has a shorter domain', single({}, { types: { EIP712Domain: 'string name,address verifyingContract' } })],
])('a Permit2 permit that %s is unknown', (_what, data, chainId) => {
  expect(read(data, chainId)).toEqual({ kind: 'unknown' })
})

const offerItem = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const item = (itemType: number, token: string, id: string | number, amount: string | number) => ({
  itemType,
  token,
  identifierOrCriteria: String(id),
  startAmount: String(amount),
  endAmount: String(amount),
})
const order = (offer: readonly object[], consideration: readonly object[], change: object = {}): object => ({
  types: typesOf({
    EIP712Domain: 'string name,string version,uint256 chainId,address verifyingContract',
    OrderComponents:
      'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
    OfferItem: offerItem,
    ConsiderationItem: `${offerItem},address recipient`,
  }),
  primaryType: 'OrderComponents',
  domain: { name: 'Seaport', version: '1.6', chainId: 1, verifyingContract: seaport },
  message: {
    offerer: account,
    zone: zero,
    offer,
    consideration,
    orderType: 0,
    startTime: '0',
    endTime: '1900000000',
    zoneHash: `0x${'0'.repeat(64)}`,
    salt: '1',
    conduitKey: `0x${'0'.repeat(64)}`,
    counter: '0',
    ...change,
  },
})

test('an order view distinguishes orders that pay the signer from orders that do not', () => {
  const sale = [item(2, apes, 0, 1)]
  const paid = (recipient: string) => [{ ...item(0, zero, 0, 1), recipient }]
  const view = (data: object) => describeTypedData(read(data), { now: 1_800_000_000n, contracts })
  expect(view(order(sale, paid(account)))).toMatchObject({ headline: { word: 'orderHeadline' }, risk: 'normal' })
  // The buyer pays, but the payment goes to a different account.
  expect(view(order(sale, paid(attacker)))).toMatchObject({ headline: { word: 'orderNothingHeadline' }, risk: 'high' })
  expect(view(order(sale, []))).toMatchObject({ headline: { word: 'orderNothingHeadline' }, risk: 'high' })
})

test.each<[what: string, data: object]>([
  ['sells an ERC-721 as an ERC-20 (the amount would be a token ID)', order([item(1, apes, 0, 7)], [])],
  ['sells an ERC-20 as an ERC-721 (the token ID would be an amount)', order([item(2, dollar, 1_000_000, 1)], [])],
  ['sells an ERC-721 as an ERC-1155', order([item(3, apes, 1, 1)], [])],
  ['sets a token ID for an ERC-20', order([item(1, dollar, 5, 7)], [])],
  ['pays with an unknown contract', order([item(2, apes, 0, 1)], [{ ...item(1, attacker, 0, 9), recipient: account }])],
  ['has an item of an unknown type', order([item(6, apes, 0, 1)], [])],
  [
    'sets a contract address for native currency',
    order([item(2, apes, 0, 1)], [{ ...item(0, dollar, 0, 9), recipient: account }]),
  ],
  ['belongs to a different account', order([item(2, apes, 0, 1)], [], { offerer: attacker })],
])('an order that %s is unknown', (_what, data) => {
  expect(read(data)).toEqual({ kind: 'unknown' })
})

test('a permit for the total supply is as risky as an unlimited one', () => {
  const risk = (amount: bigint) =>
    describeTypedData(read(single({ amount: String(amount) })), { now: 1_800_000_000n, contracts }).risk
  expect([risk(10n ** 15n - 1n), risk(10n ** 15n), risk(2n ** 160n - 1n)]).toEqual(['normal', 'high', 'high'])
})

test('warns about an expiry in the past', () => {
  const words = (now: bigint) => describeTypedData(read(single({})), { now, contracts }).notices.map(({ word }) => word)
  expect(words(1_800_000_000n)).not.toContain('signaturePast')
  expect(words(2_000_000_000n)).toContain('signaturePast')
})
