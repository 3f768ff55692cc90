// EIP-2612 permits, and Dai's older format.

import type { Hex } from 'viem'
import { apes, attacker, dai, exchange, maxUint256, me, usdc, weth } from './encode.ts'
import type { Amount, Effect, Expiry, TypedDataSample } from './sample.ts'
import { domainOf, nextMonth, past, request, typedDataSample, typesOf } from './typedDataRequest.ts'

const permitType = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'
const daiType = 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)'
const eip = 'EIP-2612, Specification, "permit"'
const daiSource = 'Dai (dss, dai.sol), "permit": the allowance becomes uint256(-1) or 0'
const usdcDomain = domainOf(usdc, 'USD Coin', '2')
const daiDomain = domainOf(dai, 'Dai Stablecoin', '1')

const message = (value: bigint | string, deadline: bigint | string, more: object = {}) => ({
  owner: me,
  spender: exchange,
  value: String(value),
  nonce: '0',
  deadline: String(deadline),
  ...more,
})
const allow = (token: Hex, amount: Amount, signatureExpires: Expiry, spender: Hex = exchange): Effect => ({
  kind: 'permit',
  spender,
  permissions: [{ token, amount, expires: 'never' }],
  signatureExpires,
})
const permit = (value: bigint | string, deadline: bigint | string, more: object = {}, domain: object = usdcDomain) =>
  request({
    types: typesOf(permitType),
    primaryType: 'Permit',
    domain: domain as Record<string, unknown>,
    message: message(value, deadline, more),
  })
const daiPermit = (expiry: bigint, allowed: unknown, more: object = {}) =>
  request({
    types: typesOf(daiType),
    primaryType: 'Permit',
    domain: daiDomain,
    message: { holder: me, spender: exchange, nonce: '3', expiry: String(expiry), allowed, ...more },
  })

const values: readonly (readonly [name: string, value: bigint, amount: Amount, risk?: string])[] = [
  ['finite', 25_000_000n, 25_000_000n],
  ['one', 1n, 1n],
  ['below-half', 2n ** 255n - 1n, 2n ** 255n - 1n],
  ['half', 2n ** 255n, 'unlimited', 'A round power of two looks like a large number, not like an unlimited amount.'],
  ['max-minus-one', maxUint256 - 1n, 'unlimited', 'One less than the maximum looks like a large number.'],
  ['max', maxUint256, 'unlimited'],
]
const deadlines: readonly (readonly [name: string, deadline: bigint, expires: Expiry, risk?: string])[] = [
  ['next-month', nextMonth, nextMonth],
  ['past', past, past],
  ['zero', 0n, 0n],
  ['max', maxUint256, 'never', 'A deadline with 78 digits looks like a date, or like no date.'],
]

/**
 * The samples for every combination of a value and a deadline. EIP-2612 checks `block.timestamp <= deadline` and gives 0 no
 * special meaning.
 */
const table: readonly TypedDataSample[] = values.flatMap(([name, value, amount, risk]) =>
  deadlines.map(([when, deadline, expires, otherHope]) => {
    const adversarial = risk ?? otherHope
    return typedDataSample({
      id: `permit-${name}-deadline-${when}`,
      source: `${eip}: sets allowance[owner][spender] to value, if block.timestamp <= deadline`,
      ...(adversarial ? { adversarial } : {}),
      typedData: permit(value, deadline),
      expect: {
        effects: [allow(usdc, amount, expires)],
        canBeUnknown: false,
        never: ['permitRevoke', 'message', 'signIn'],
      },
    })
  }),
)

const revokes: readonly TypedDataSample[] = deadlines.map(([when, deadline]) =>
  typedDataSample({
    id: `permit-zero-deadline-${when}`,
    source: `${eip}: a value of 0 is an allowance of 0`,
    typedData: permit(0n, deadline),
    expect: {
      effects: [{ kind: 'permitRevoke', spender: exchange, token: usdc }],
      canBeUnknown: false,
      never: ['permit', 'message'],
    },
  }),
)

const daiTable: readonly TypedDataSample[] = (
  [
    ['next-month', nextMonth, nextMonth],
    ['zero', 0n, 'never', 'An expiry of 0 means that the signature never expires, but looks like 1970.'],
    ['past', past, past],
    ['max', maxUint256, 'never'],
  ] as const
).flatMap(([when, expiry, expires, risk]) => [
  typedDataSample({
    id: `dai-permit-allowed-expiry-${when}`,
    source: `${daiSource}; require(expiry == 0 || now <= expiry)`,
    ...(risk ? { adversarial: risk } : {}),
    typedData: daiPermit(expiry, true),
    expect: {
      effects: [allow(dai, 'unlimited', expires)],
      canBeUnknown: false,
      never: ['permitRevoke', 'message'],
    },
  }),
  typedDataSample({
    id: `dai-permit-not-allowed-expiry-${when}`,
    source: daiSource,
    typedData: daiPermit(expiry, false),
    expect: {
      effects: [{ kind: 'permitRevoke', spender: exchange, token: dai }],
      canBeUnknown: false,
      never: ['permit'],
    },
  }),
])

const bad = (
  id: string,
  source: string,
  malformed: string,
  typedData: object,
  adversarial = 'Data that does not match its types looks like a different permit or like a message.',
): TypedDataSample =>
  typedDataSample({
    id,
    source,
    malformed,
    adversarial,
    typedData,
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: false, refused: true },
  })

const typed = 'EIP-712, "Definition of encodeData"'
const schema = 'EIP-712, "Specification of the eth_signTypedData JSON RPC", the JSON schema of typedData'

/** The samples for token permits. */
export const permitSamples: readonly TypedDataSample[] = [
  ...table,
  ...revokes,
  ...daiTable,
  typedDataSample({
    id: 'permit-value-as-hex',
    source: `${eip}; the value is the same number`,
    typedData: permit('0x17d7840', nextMonth),
    expect: { effects: [allow(usdc, 25_000_000n, nextMonth)], canBeUnknown: false },
  }),
  typedDataSample({
    id: 'permit-value-as-hex-max',
    source: `${eip}; the value is the same number`,
    adversarial: 'The maximum in hexadecimal is not recognized as unlimited.',
    typedData: permit(`0x${'f'.repeat(64)}`, nextMonth),
    expect: { effects: [allow(usdc, 'unlimited', nextMonth)], canBeUnknown: false },
  }),
  typedDataSample({
    id: 'permit-deadline-as-number',
    source: eip,
    typedData: permit(5n, nextMonth, { deadline: Number(nextMonth), nonce: 0 }),
    expect: { effects: [allow(usdc, 5n, nextMonth)], canBeUnknown: false },
  }),
  typedDataSample({
    id: 'permit-spender-is-a-person',
    source: `${eip}: any address can be a spender`,
    adversarial: 'The spender is the attacker.',
    typedData: permit(maxUint256, nextMonth, { spender: attacker }),
    expect: { effects: [allow(usdc, 'unlimited', nextMonth, attacker)], canBeUnknown: false },
  }),
  typedDataSample({
    id: 'permit-chain-id-as-string',
    source: 'EIP-712, "Definition of domainSeparator": chainId is a uint256',
    typedData: permit(5n, nextMonth, {}, { ...usdcDomain, chainId: '1' }),
    expect: { effects: [allow(usdc, 5n, nextMonth)], canBeUnknown: false },
  }),
  typedDataSample({
    id: 'permit-chain-id-as-hex',
    source: 'EIP-712, "Definition of domainSeparator": chainId is a uint256',
    typedData: permit(5n, nextMonth, {}, { ...usdcDomain, chainId: '0x1' }),
    expect: { effects: [allow(usdc, 5n, nextMonth)], canBeUnknown: false },
  }),
  typedDataSample({
    id: 'permit-checksummed-contract',
    source: 'ERC-55: the case of an address is a checksum, not a part of it',
    typedData: permit(
      5n,
      nextMonth,
      {},
      { ...usdcDomain, verifyingContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
    ),
    expect: { effects: [allow(usdc, 5n, nextMonth)], canBeUnknown: false },
  }),
  typedDataSample({
    id: 'permit-unused-types',
    source: 'EIP-712, "Definition of encodeType": only types that the primary type refers to',
    adversarial: 'The types include an unused Mail type, so that the data looks like a message.',
    typedData: request({
      types: { Mail: [{ name: 'contents', type: 'string' }], ...typesOf(permitType) },
      primaryType: 'Permit',
      domain: usdcDomain,
      message: message(5n, nextMonth),
    }),
    expect: { effects: [allow(usdc, 5n, nextMonth)], canBeUnknown: false, never: ['message', 'signIn'] },
  }),
  typedDataSample({
    id: 'permit-members-of-the-message-in-another-order',
    source: 'EIP-712, "Definition of encodeData": members are encoded in the order of the type',
    typedData: request({
      types: typesOf(permitType),
      primaryType: 'Permit',
      domain: usdcDomain,
      message: { deadline: String(nextMonth), nonce: '0', value: '5', spender: exchange, owner: me },
    }),
    expect: { effects: [allow(usdc, 5n, nextMonth)], canBeUnknown: false },
  }),
  typedDataSample({
    id: 'permit-domain-name-lies',
    source: `${eip}; the name of a domain is any string, but it is hashed, so the contract accepts only its own name`,
    adversarial: 'The domain name says "Log in to Example" with bidirectional controls, but the contract is USDC.',
    typedData: permit(maxUint256, nextMonth, {}, { ...usdcDomain, name: '\u202eLog in to Example\u2069\u200b' }),
    expect: { effects: [allow(usdc, 'unlimited', nextMonth)], canBeUnknown: true, never: ['signIn', 'message'] },
  }),
  typedDataSample({
    id: 'permit-domain-name-of-another-token',
    source: `${eip}; the name of a domain is any string, but it is hashed, so the contract accepts only its own name`,
    adversarial: 'The domain has the name of a worthless token, but the contract is WETH.',
    typedData: permit(10n ** 20n, nextMonth, {}, domainOf(weth, 'Worthless Token', '1')),
    expect: { effects: [allow(weth, 10n ** 20n, nextMonth)], canBeUnknown: true },
  }),
  typedDataSample({
    id: 'permit-domain-without-version',
    source: `${eip}; EIP-712: protocol designers only need to include the fields that make sense`,
    typedData: permit(5n, nextMonth, {}, domainOf(usdc, 'USD Coin')),
    expect: { effects: [allow(usdc, 5n, nextMonth)], canBeUnknown: false },
  }),
  typedDataSample({
    id: 'permit-other-network',
    source: 'EIP-712, "Definition of domainSeparator": refuse signing if chainId does not match the active chain',
    adversarial: 'A permit for the network with the funds is requested on a different network.',
    chainId: 8453,
    typedData: permit(maxUint256, nextMonth),
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: false, refused: true },
  }),
  typedDataSample({
    id: 'permit-other-network-as-hex-string',
    source: 'EIP-712, "Definition of domainSeparator": refuse signing if chainId does not match the active chain',
    adversarial: 'A network that is specified as a hexadecimal string passes a comparison with a number.',
    typedData: permit(maxUint256, nextMonth, {}, { ...usdcDomain, chainId: '0x2105' }),
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: false, refused: true },
  }),
  typedDataSample({
    id: 'permit-other-network-beyond-double',
    source: 'EIP-712, "Definition of domainSeparator": refuse signing if chainId does not match the active chain',
    adversarial: 'The network ID is rounded in a double, or wraps to 1 in 64 bits.',
    typedData: permit(maxUint256, nextMonth, {}, { ...usdcDomain, chainId: String(2n ** 64n + 1n) }),
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: false, refused: true },
  }),
  typedDataSample({
    id: 'dai-permit-other-network',
    source: 'EIP-712, "Definition of domainSeparator": refuse signing if chainId does not match the active chain',
    adversarial: 'A permit for the network with the funds is requested on a different network.',
    chainId: 10,
    typedData: daiPermit(0n, true),
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: false, refused: true },
  }),
  bad(
    'permit-member-missing',
    typed,
    'The message has no value for the member "value".',
    request({
      types: typesOf(permitType),
      primaryType: 'Permit',
      domain: usdcDomain,
      message: { owner: me, spender: attacker, nonce: '0', deadline: String(nextMonth) },
    }),
    'A permit without a value looks like a permit of 0, which would be a revocation.',
  ),
  bad(
    'permit-value-too-large',
    typed,
    'The value is not a uint256.',
    permit(2n ** 256n, nextMonth),
    '2^256 wraps to 0.',
  ),
  bad(
    'permit-value-negative',
    typed,
    'The value is not a uint256.',
    permit('-1', nextMonth),
    '-1 wraps to the maximum.',
  ),
  bad('permit-value-is-text', typed, 'The value is not a number.', permit('a few', nextMonth)),
  bad('permit-value-is-a-fraction', typed, 'The value is not an integer.', permit('1.5', nextMonth)),
  bad(
    'permit-value-is-a-list',
    typed,
    'The value is a list.',
    permit(5n, nextMonth, { value: ['5', maxUint256].map(String) }),
  ),
  bad(
    'permit-spender-too-short',
    typed,
    'The spender is not an address.',
    permit(5n, nextMonth, { spender: '0x1234' }),
  ),
  bad(
    'permit-spender-is-a-name',
    typed,
    'The spender is not an address.',
    permit(5n, nextMonth, { spender: 'vitalik.eth' }),
  ),
  bad('permit-spender-is-null', typed, 'The spender is not an address.', permit(5n, nextMonth, { spender: null })),
  bad(
    'dai-permit-allowed-is-text',
    typed,
    '"false" is not a bool.',
    daiPermit(nextMonth, 'false'),
    'The string "false" hashes as true.',
  ),
  bad('permit-without-message', schema, 'There is no message.', { ...permit(5n, nextMonth), message: undefined }),
  bad('permit-without-domain', schema, 'There is no domain.', { ...permit(5n, nextMonth), domain: undefined }),
  bad('permit-primary-type-unknown', schema, 'The primary type is not among the types.', {
    ...permit(5n, nextMonth),
    primaryType: 'Permits',
  }),
  bad('permit-type-of-member-unknown', typed, 'A member has a type that is not defined.', {
    ...permit(5n, nextMonth),
    types: typesOf(permitType.replace('uint256 value', 'Value value')),
  }),
  bad(
    'permit-without-domain-type',
    `${schema}: EIP712Domain is required`,
    'The types do not define EIP712Domain.',
    { ...permit(5n, nextMonth), types: typesOf(permitType) },
    'Without its type, some signers hash the domain as empty and others hash it unchanged.',
  ),
  typedDataSample({
    id: 'permit-domain-type-without-contract',
    source: 'EIP-712, "Definition of domainSeparator": members that the type does not list are not hashed',
    adversarial: 'The domain contains a contract and a network that are not signed.',
    typedData: {
      ...permit(5n, nextMonth),
      types: { EIP712Domain: [{ name: 'name', type: 'string' }], ...typesOf(permitType) },
    },
    expect: {
      effects: [{ kind: 'unknown' }],
      canBeUnknown: true,
      never: ['permit', 'permitRevoke', 'message', 'signIn'],
    },
  }),
  typedDataSample({
    id: 'permit-domain-without-chain-id',
    source: 'EIP-712, "Definition of domainSeparator"; EIP-2612: unique to the contract and chain',
    adversarial: 'The signature is valid on every network.',
    typedData: permit(5n, nextMonth, {}, { name: 'USD Coin', version: '2', verifyingContract: usdc }),
    expect: {
      effects: [allow(usdc, 5n, nextMonth)],
      canBeUnknown: true,
      never: ['message', 'signIn'],
    },
  }),
  typedDataSample({
    id: 'permit-other-types',
    source: `${eip}; EIP-712, "Definition of typeHash": a different type is a different permit`,
    adversarial: 'owner and spender are swapped in the type, so that the fields are read the wrong way round.',
    typedData: request({
      types: typesOf('Permit(address spender,address owner,uint128 value,uint256 nonce,uint256 deadline)'),
      primaryType: 'Permit',
      domain: usdcDomain,
      message: message(0n, nextMonth),
    }),
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, never: ['permitRevoke', 'message', 'signIn'] },
  }),
  typedDataSample({
    id: 'permit-at-collection',
    source: 'EIP-721; EIP-2612 is an extension of EIP-20 only',
    adversarial: 'A permit for item 0 in a collection looks like a permit of 0.',
    typedData: permit(0n, nextMonth, {}, domainOf(apes, 'BoredApeYachtClub', '1')),
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, never: ['permitRevoke', 'permit', 'message'] },
  }),
]
