// Seaport 1.5 and 1.6 orders, which are recognized by their contract and complete type.

import { type Hex, zeroHash } from 'viem'
import { apes, attacker, dai, exchange, friend, maxUint256, me, opaque, shapes, usdc, weth, zero } from './encode.ts'
import type { Effect, Expiry, OrderItem, TypedDataSample } from './sample.ts'
import { domainOf, nextMonth, now, past, request, typedDataSample, typesOf } from './typedDataRequest.ts'

const orderType =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)'
const offerType =
  'OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)'
const considerationType =
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)'
const types = typesOf(orderType, offerType, considerationType)

const contracts = [
  ['1.5', '0x00000000000000adc04c56bf30ac9d3c0aaf14dc'],
  ['1.6', '0x0000000000000068f116a894984e2db1123eb395'],
] as const
const seaport: Hex = contracts[1][1]
const openSeaConduit: Hex = '0x0000007b02230091a7ed01230072f7006a004d60a8d4e71d599b8104250f0000'

const source = (clause: string) => `Seaport, SeaportDocumentation.md and ConsiderationStructs.sol, ${clause}`

const itemTypes: readonly OrderItem['itemType'][] = [
  'coin',
  'erc20',
  'erc721',
  'erc1155',
  'erc721Criteria',
  'erc1155Criteria',
]
type Received = OrderItem & { readonly recipient: Hex }

const coin = (amount: bigint, endAmount = amount): OrderItem => ({
  itemType: 'coin',
  token: zero,
  startAmount: amount,
  endAmount,
})
const token = (address: Hex, amount: bigint, endAmount = amount): OrderItem => ({
  itemType: 'erc20',
  token: address,
  startAmount: amount,
  endAmount,
})
const ape = (id: bigint): OrderItem => ({ itemType: 'erc721', token: apes, id, startAmount: 1n, endAmount: 1n })
const shape = (id: bigint, count: bigint, endAmount = count): OrderItem => ({
  itemType: 'erc1155',
  token: shapes,
  id,
  startAmount: count,
  endAmount,
})
const anyApe = (criteria: bigint): OrderItem => ({
  itemType: 'erc721Criteria',
  token: apes,
  id: criteria,
  startAmount: 1n,
  endAmount: 1n,
})
const anyShape = (criteria: bigint, count: bigint): OrderItem => ({
  itemType: 'erc1155Criteria',
  token: shapes,
  id: criteria,
  startAmount: count,
  endAmount: count,
})
const to = (recipient: Hex, item: OrderItem): Received => ({ ...item, recipient })

const written = (item: OrderItem) => ({
  itemType: itemTypes.indexOf(item.itemType),
  token: item.token,
  identifierOrCriteria: String(item.id ?? 0n),
  startAmount: String(item.startAmount),
  endAmount: String(item.endAmount),
})
const components = (
  offers: readonly OrderItem[],
  receives: readonly Received[],
  endTime: bigint,
  more: object = {},
) => ({
  offerer: me,
  zone: zero,
  offer: offers.map(written),
  consideration: receives.map((item) => ({ ...written(item), recipient: item.recipient })),
  orderType: 0,
  startTime: String(now),
  endTime: String(endTime),
  zoneHash: zeroHash,
  salt: '0x360c6ebe000000000000000000000000000000000000000038f6ea1e6e3d3c31',
  conduitKey: openSeaConduit,
  counter: '0',
  ...more,
})
const orderRequest = (message: object, at: Hex = seaport, version = '1.6', name = 'Seaport') =>
  request({ types, primaryType: 'OrderComponents', domain: domainOf(at, name, version), message })

const eth = 10n ** 18n

interface Scenario {
  readonly id: string
  readonly clause: string
  readonly adversarial?: string
  readonly offers: readonly OrderItem[]
  readonly receives: readonly Received[]
  readonly endTime?: bigint
  readonly expires?: Expiry
  readonly more?: object
}

const scenarios: readonly Scenario[] = [
  {
    id: 'listing',
    clause: '"Order": offer items leave the offerer, consideration items go to their recipients',
    offers: [ape(4711n)],
    receives: [to(me, coin(9n * eth)), to(exchange, coin(eth / 4n))],
  },
  {
    id: 'bid',
    clause: '"Order": an offer of a token for an item',
    offers: [token(weth, 10n * eth)],
    receives: [to(me, ape(4711n)), to(exchange, token(weth, eth / 4n))],
  },
  {
    id: 'three-considerations-of-one-wei',
    clause: '"Order": each consideration item has its own amount',
    adversarial: 'Three considerations of one wei each look like "you get 3 items".',
    offers: [ape(1n), ape(2n), ape(3n)],
    receives: [to(me, coin(1n)), to(me, coin(1n)), to(me, coin(1n))],
  },
  {
    id: 'consideration-to-stranger',
    clause: '"ConsiderationItem": recipient receives the item',
    adversarial: 'The price is right, but someone else receives it.',
    offers: [ape(4711n)],
    receives: [to(attacker, coin(90n * eth))],
  },
  {
    id: 'nothing-in-return',
    clause: '"Order": consideration can be empty',
    adversarial: 'The order offers items without a price.',
    offers: [ape(1n), token(usdc, 10n ** 12n)],
    receives: [],
  },
  {
    id: 'one-wei-to-me-the-rest-to-thief',
    clause: '"ConsiderationItem": recipient receives the item',
    adversarial: 'The account gets one wei, and the address of the other recipient begins the same way.',
    offers: [ape(4711n)],
    receives: [to(me, coin(1n)), to('0xa11ce0000000000000000000000000000000a1cc', coin(90n * eth))],
  },
  {
    id: 'erc1155-amounts',
    clause: '"ItemType": ERC1155 items have an identifier and an amount',
    offers: [shape(7n, 250n)],
    receives: [to(me, token(usdc, 5_000_000n))],
  },
  {
    id: 'price-falls-to-one-wei',
    clause: '"startAmount and endAmount": the amount is interpolated between start and end time',
    adversarial: 'The price starts at 100 and falls to one wei, and only the starting price is shown.',
    offers: [ape(4711n)],
    receives: [to(me, coin(100n * eth, 1n))],
  },
  {
    id: 'offer-rises-to-everything',
    clause: '"startAmount and endAmount": the amount is interpolated between start and end time',
    adversarial: 'The offer starts at one and rises to everything, and only the starting amount is shown.',
    offers: [token(usdc, 1n, 10n ** 13n)],
    receives: [to(me, ape(1n))],
  },
  {
    id: 'criteria-any-item',
    clause: '"identifierOrCriteria": criteria of 0 match any identifier in the collection',
    offers: [token(weth, 5n * eth)],
    receives: [to(me, anyApe(0n))],
  },
  {
    id: 'offer-of-any-item',
    clause: '"identifierOrCriteria": criteria of 0 match any identifier in the collection',
    adversarial: 'The account offers any item in the collection, but the order looks like an offer of item 0.',
    offers: [anyApe(0n)],
    receives: [to(me, coin(eth))],
  },
  {
    id: 'criteria-root',
    clause: '"identifierOrCriteria": a root hash of the identifiers that match',
    offers: [token(weth, 5n * eth)],
    receives: [to(me, anyShape(0xabcdefn << 200n, 3n))],
  },
  {
    id: 'item-zero',
    clause: '"OfferItem": identifierOrCriteria is the identifier for ERC721',
    adversarial: 'Item 0 looks like nothing.',
    offers: [ape(0n)],
    receives: [to(me, coin(1n))],
  },
  {
    id: 'private-sale',
    clause: '"Order": a private listing requests the item itself for its buyer',
    offers: [ape(4711n)],
    receives: [to(me, coin(9n * eth)), to(friend, ape(4711n))],
  },
  {
    id: 'private-sale-to-thief-for-nothing',
    clause: '"ConsiderationItem": recipient receives the item',
    adversarial:
      'The consideration contains the item itself for the attacker, so that the screen says "you get ape 4711".',
    offers: [ape(4711n)],
    receives: [to(attacker, ape(4711n))],
  },
  {
    id: 'never-ends',
    clause: '"endTime": the order ends at this time',
    adversarial: 'An end time with 78 digits looks like a date, or like no date.',
    offers: [ape(4711n)],
    receives: [to(me, coin(9n * eth))],
    endTime: maxUint256,
    expires: 'never',
  },
  {
    id: 'already-ended',
    clause: '"endTime": the order ends at this time',
    offers: [ape(4711n)],
    receives: [to(me, coin(9n * eth))],
    endTime: past,
    expires: past,
  },
  {
    id: 'partial-and-restricted',
    clause: '"OrderType": 3 is partial and restricted, the zone approves each fill',
    offers: [shape(7n, 100n)],
    receives: [to(me, coin(eth))],
    more: { orderType: 3, zone: exchange, zoneHash: `0x${'12'.repeat(32)}` },
  },
]

const order = ({ offers, receives, expires }: Scenario): Effect => ({
  kind: 'order',
  offers,
  receives,
  expires: expires ?? nextMonth,
})

const settled = (
  scenario: Scenario,
  version: string,
  at: Hex,
  id = `seaport-${version}-${scenario.id}`,
): TypedDataSample =>
  typedDataSample({
    id,
    source: source(scenario.clause),
    ...(scenario.adversarial ? { adversarial: scenario.adversarial } : {}),
    contracts: { [at]: { kind: 'unknown' } },
    typedData: orderRequest(
      components(scenario.offers, scenario.receives, scenario.endTime ?? nextMonth, scenario.more),
      at,
      version,
    ),
    expect: { effects: [order(scenario)], canBeUnknown: false, never: ['message', 'signIn', 'permit'] },
  })

const onlyNew: readonly Scenario[] = [
  {
    id: 'offer-behind-twenty-considerations',
    clause: '"Order": every consideration item is part of the order',
    adversarial: 'Nineteen payments of one wei precede a payment to the attacker.',
    offers: [ape(4711n)],
    receives: Array.from({ length: 20 }, (_, at) => to(at === 19 ? attacker : me, coin(at === 19 ? 50n * eth : 1n))),
  },
  {
    id: 'many-offers',
    clause: '"Order": every offer item is part of the order',
    adversarial: 'Twelve items of several kinds are offered for one price, and the screen shows only the first.',
    offers: [...Array.from({ length: 10 }, (_, at) => ape(BigInt(at))), shape(0n, 9n), token(usdc, 10n ** 12n)],
    receives: [to(me, coin(eth))],
  },
  {
    id: 'amount-and-id-look-alike',
    clause: '"OfferItem": identifier and amount are separate members',
    adversarial: 'One thousand units of ID 1 look like one unit of ID 1000.',
    offers: [shape(1n, 1000n)],
    receives: [to(me, coin(eth / 1000n))],
  },
  {
    id: 'paid-in-worthless-token',
    clause: '"ConsiderationItem": token is the contract of the item',
    adversarial: 'The price is a million units of a token that calls itself USDC.',
    offers: [ape(4711n)],
    receives: [to(me, token(opaque, 10n ** 12n))],
  },
  {
    id: 'swap-of-items',
    clause: '"Order": any items can be exchanged for any other items',
    offers: [ape(1n), shape(5n, 5n)],
    receives: [to(me, ape(2n)), to(me, token(dai, 100n * eth))],
  },
  {
    id: 'counter-and-salt-are-large',
    clause: '"counter": a nonce for the offerer',
    offers: [ape(4711n)],
    receives: [to(me, coin(9n * eth))],
    more: { counter: String(maxUint256), salt: String(maxUint256) },
  },
]

const fakeUsdc = { [opaque]: { kind: 'erc20', name: 'USD Coin', symbol: 'USDC', decimals: 6 } } as const

const listing = components([ape(4711n)], [to(me, coin(9n * eth))], nextMonth)

const lookAlike = (id: string, clause: string, adversarial: string, typedData: object): TypedDataSample =>
  typedDataSample({
    id,
    source: clause,
    adversarial,
    contracts: { [seaport]: { kind: 'unknown' } },
    typedData,
    expect: {
      effects: [{ kind: 'unknown' }],
      canBeUnknown: true,
      never: ['order', 'message', 'signIn', 'permit'],
    },
  })

const bad = (id: string, malformed: string, adversarial: string, typedData: object): TypedDataSample =>
  typedDataSample({
    id,
    source: 'EIP-712, "Definition of encodeData"',
    malformed,
    adversarial,
    contracts: { [seaport]: { kind: 'unknown' } },
    typedData,
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: false, refused: true },
  })

/** The samples for Seaport orders. */
export const seaportSamples: readonly TypedDataSample[] = [
  ...contracts.flatMap(([version, at]) => scenarios.map((scenario) => settled(scenario, version, at))),
  ...onlyNew.map((scenario) => {
    const sample = settled(scenario, '1.6', seaport)
    return { ...sample, contracts: { ...sample.contracts, ...fakeUsdc } }
  }),
  typedDataSample({
    id: 'seaport-domain-name-lies',
    source: source('domain separator; the contract decides'),
    adversarial: 'The contract is Seaport, but the domain says "Sign in to Example".',
    contracts: { [seaport]: { kind: 'unknown' } },
    typedData: orderRequest(listing, seaport, '1.6', 'Sign in to Example\u202e'),
    expect: {
      effects: [{ kind: 'order', offers: [ape(4711n)], receives: [to(me, coin(9n * eth))], expires: nextMonth }],
      canBeUnknown: true,
      never: ['signIn', 'message'],
    },
  }),
  lookAlike(
    'seaport-types-at-another-contract',
    source('deployments: one address for each version'),
    "An offer at a good price uses the Seaport types with the attacker's contract.",
    orderRequest(listing, opaque),
  ),
  lookAlike(
    'seaport-contract-with-other-types',
    `${source('types')}; EIP-712, "Definition of typeHash"`,
    'The contract is Seaport, but the consideration has no recipients.',
    request({
      types: typesOf(orderType, offerType, considerationType.replace(',address recipient', '')),
      primaryType: 'OrderComponents',
      domain: domainOf(seaport, 'Seaport', '1.6'),
      message: components([ape(4711n)], [to(me, coin(9n * eth))], nextMonth),
    }),
  ),
  lookAlike(
    'seaport-bulk-order',
    source('"Bulk Order Creation": one signature for a tree of orders'),
    'One signature covers two orders, and only the first order is read.',
    request({
      types: typesOf('BulkOrder(OrderComponents[2] tree)', orderType, offerType, considerationType),
      primaryType: 'BulkOrder',
      domain: domainOf(seaport, 'Seaport', '1.6'),
      message: { tree: [listing, components([ape(1n), ape(2n)], [to(attacker, coin(1n))], nextMonth)] },
    }),
  ),
  typedDataSample({
    id: 'seaport-other-network',
    source: 'EIP-712, "Definition of domainSeparator": refuse signing if chainId does not match the active chain',
    adversarial: 'Seaport has the same address on every network, and the order is for the network with the items.',
    chainId: 137,
    contracts: { [seaport]: { kind: 'unknown' } },
    typedData: orderRequest(listing),
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: false, refused: true },
  }),
  bad(
    'seaport-consideration-missing',
    'The message has no consideration.',
    'An order without consideration looks like an order for nothing, or like a list of unknown length.',
    orderRequest({ ...listing, consideration: undefined }),
  ),
  bad(
    'seaport-offer-is-text',
    'The offer is not a list.',
    'A string of three characters also has a length, which looks like 3 items.',
    orderRequest({ ...listing, offer: 'abc' }),
  ),
  bad(
    'seaport-offer-is-array-like',
    'The offer is not a list.',
    'An object with a length of 0 looks like an empty list.',
    orderRequest({ ...listing, offer: { length: 0 } }),
  ),
  bad(
    'seaport-item-type-beyond-uint8',
    'The item type is not a uint8.',
    'Type 256 wraps to 0, which is native currency.',
    orderRequest({ ...listing, offer: [{ ...written(ape(1n)), itemType: 256 }] }),
  ),
  typedDataSample({
    id: 'seaport-item-type-of-no-item',
    source: source('"ItemType": 0 to 5'),
    adversarial: 'Item type 9 looks like the first item type, which is native currency.',
    contracts: { [seaport]: { kind: 'unknown' } },
    typedData: orderRequest({ ...listing, offer: [{ ...written(ape(1n)), itemType: 9 }] }),
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, never: ['order', 'message'] },
  }),
]
