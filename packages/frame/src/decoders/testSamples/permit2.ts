// Permit2: the interfaces IAllowanceTransfer and ISignatureTransfer, as published with the contract.

import type { Hex } from 'viem'
import { attacker, dai, exchange, maxUint256, opaque, permit2, stranger, usdc, weth } from './encode.ts'
import type { Amount, Effect, Expiry, TypedDataSample } from './sample.ts'
import { domainOf, nextMonth, now, past, request, typedDataSample, typesOf } from './typedDataRequest.ts'

const details = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const single = `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${details}`
const batch = `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${details}`
const permissions = 'TokenPermissions(address token,uint256 amount)'
const transferFrom = `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${permissions}`
const batchTransferFrom = `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${permissions}`
const witnessTransferFrom = `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness)Order(address maker,uint256 price)${permissions}`
const batchWitnessTransferFrom = `PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,Order witness)Order(address maker,uint256 price)${permissions}`

const maxUint160 = 2n ** 160n - 1n
const maxUint48 = 2n ** 48n - 1n
const domain = domainOf(permit2, 'Permit2')
const nextYear = now + 31_536_000n

const allowance = 'Permit2, IAllowanceTransfer, "permit"'
const signature = 'Permit2, ISignatureTransfer'

interface Detail {
  readonly token: Hex
  readonly amount: bigint
  readonly expiration: bigint
}
const written = ({ token, amount, expiration }: Detail) => ({
  token,
  amount: String(amount),
  expiration: String(expiration),
  nonce: '0',
})

const permitSingle = (detail: Detail, deadline: bigint, spender: Hex = exchange, at: object = domain) =>
  request({
    types: typesOf(single),
    primaryType: 'PermitSingle',
    domain: at as Record<string, unknown>,
    message: { details: written(detail), spender, sigDeadline: String(deadline) },
  })
const permitBatch = (all: readonly Detail[], deadline: bigint, spender: Hex = exchange) =>
  request({
    types: typesOf(batch),
    primaryType: 'PermitBatch',
    domain,
    message: { details: all.map(written), spender, sigDeadline: String(deadline) },
  })
const transfer = (token: Hex, amount: bigint, deadline: bigint, spender: Hex = exchange, at: object = domain) =>
  request({
    types: typesOf(transferFrom),
    primaryType: 'PermitTransferFrom',
    domain: at as Record<string, unknown>,
    message: { permitted: { token, amount: String(amount) }, spender, nonce: '7', deadline: String(deadline) },
  })
const transfers = (
  all: readonly (readonly [token: Hex, amount: bigint])[],
  deadline: bigint,
  spender: Hex = exchange,
) =>
  request({
    types: typesOf(batchTransferFrom),
    primaryType: 'PermitBatchTransferFrom',
    domain,
    message: {
      permitted: all.map(([token, amount]) => ({ token, amount: String(amount) })),
      spender,
      nonce: '7',
      deadline: String(deadline),
    },
  })

type Permission = readonly [token: Hex, amount: Amount, expires: Expiry]
const permitted = (all: readonly Permission[], signatureExpires: Expiry, spender: Hex = exchange): Effect => ({
  kind: 'permit',
  spender,
  permissions: all.map(([token, amount, expires]) => ({ token, amount, expires })),
  signatureExpires,
})
const transferable = (
  all: readonly (readonly [token: Hex, amount: Amount])[],
  signatureExpires: Expiry,
  spender: Hex = exchange,
): Effect => ({
  kind: 'permitTransfer',
  spender,
  permissions: all.map(([token, amount]) => ({ token, amount })),
  signatureExpires,
})

/** Creates a sample for a request whose effect Permit2 defines. */
const settled = (
  id: string,
  source: string,
  typedData: object,
  effect: Effect,
  adversarial?: string,
  never: readonly Effect['kind'][] = ['message', 'signIn'],
): TypedDataSample =>
  typedDataSample({
    id,
    source,
    ...(adversarial ? { adversarial } : {}),
    typedData,
    expect: { effects: [effect], canBeUnknown: false, never },
  })

const amounts: readonly (readonly [name: string, amount: bigint, reads: Amount, risk?: string])[] = [
  ['finite', 25_000_000n, 25_000_000n],
  ['below-half', 2n ** 159n - 1n, 2n ** 159n - 1n],
  ['half', 2n ** 159n, 'unlimited', 'A power of two looks like a large number, not like an unlimited amount.'],
  ['max', maxUint160, 'unlimited'],
]
const expirations: readonly (readonly [name: string, expiration: bigint, reads: Expiry, risk?: string])[] = [
  ['next-month', nextMonth, nextMonth],
  ['zero', 0n, 'sameBlock', 'An expiration of 0 looks like 1970 or never, but it means the block of the permit.'],
  ['max', maxUint48, 'never', 'An expiration in eight million years looks like a date, or like no date.'],
]

/** The samples for every combination of an amount and an expiration. The signature itself expires one month after `now`. */
const table: readonly TypedDataSample[] = amounts.flatMap(([name, amount, reads, risk]) =>
  expirations.map(([when, expiration, expires, otherHope]) =>
    settled(
      `permit2-single-${name}-expires-${when}`,
      `${allowance}; Allowance.updateAll: an expiration of 0 is the time of the block`,
      permitSingle({ token: usdc, amount, expiration }, nextMonth),
      permitted([[usdc, reads, expires]], nextMonth),
      risk ?? otherHope,
      ['permitRevoke', 'permitTransfer', 'message', 'signIn'],
    ),
  ),
)

const lookAlike = (id: string, source: string, adversarial: string, typedData: object): TypedDataSample =>
  typedDataSample({
    id,
    source,
    adversarial,
    typedData,
    expect: {
      effects: [{ kind: 'unknown' }],
      canBeUnknown: true,
      never: ['permit', 'permitTransfer', 'permitRevoke', 'message', 'signIn'],
    },
  })

const bad = (id: string, malformed: string, adversarial: string, typedData: object): TypedDataSample =>
  typedDataSample({
    id,
    source: 'EIP-712, "Definition of encodeData"',
    malformed,
    adversarial,
    typedData,
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: false, refused: true },
  })

/** The samples for Permit2 permits. */
export const permit2Samples: readonly TypedDataSample[] = [
  ...table,
  settled(
    'permit2-single-zero',
    `${allowance}: sets the amount`,
    permitSingle({ token: usdc, amount: 0n, expiration: nextMonth }, nextMonth),
    { kind: 'permitRevoke', spender: exchange, token: usdc },
    undefined,
    ['permit', 'message'],
  ),
  settled(
    'permit2-single-signature-never-ends',
    `${allowance}: block.timestamp > sigDeadline reverts`,
    permitSingle({ token: dai, amount: 5n, expiration: nextMonth }, maxUint256),
    permitted([[dai, 5n, nextMonth]], 'never'),
    'The allowance ends next month, but the signature that can grant it again never expires.',
  ),
  settled(
    'permit2-single-allowance-outlives-signature',
    `${allowance}: sigDeadline and expiration are independent`,
    permitSingle({ token: dai, amount: maxUint160, expiration: maxUint48 }, now + 60n),
    permitted([[dai, 'unlimited', 'never']], now + 60n),
    'The screen shows that the signature ends in a minute, but the allowance never ends.',
  ),
  settled(
    'permit2-single-signature-past',
    `${allowance}: block.timestamp > sigDeadline reverts`,
    permitSingle({ token: dai, amount: 5n, expiration: nextMonth }, past),
    permitted([[dai, 5n, nextMonth]], past),
  ),
  settled(
    'permit2-single-deadline-zero',
    `${allowance}: block.timestamp > sigDeadline reverts; 0 has no other meaning`,
    permitSingle({ token: dai, amount: 5n, expiration: nextMonth }, 0n),
    permitted([[dai, 5n, nextMonth]], 0n),
  ),
  settled(
    'permit2-single-expiration-past',
    `${allowance}: the allowance has ended before it begins`,
    permitSingle({ token: dai, amount: 5n, expiration: past }, nextMonth),
    permitted([[dai, 5n, past]], nextMonth),
  ),
  settled(
    'permit2-single-spender-is-a-person',
    `${allowance}: any address can be a spender`,
    permitSingle({ token: usdc, amount: maxUint160, expiration: nextYear }, nextMonth, attacker),
    permitted([[usdc, 'unlimited', nextYear]], nextMonth, attacker),
    'The spender is the attacker, behind the trusted name Permit2.',
  ),
  typedDataSample({
    id: 'permit2-single-domain-name-lies',
    source:
      'Permit2, EIP712.sol; the name of a domain is any string, but it is hashed, so the contract accepts only its own name',
    adversarial: 'The contract is Permit2, but the domain name says "Sign in".',
    typedData: permitSingle(
      { token: usdc, amount: maxUint160, expiration: nextYear },
      nextMonth,
      attacker,
      domainOf(permit2, 'Sign in'),
    ),
    expect: {
      effects: [permitted([[usdc, 'unlimited', nextYear]], nextMonth, attacker)],
      canBeUnknown: true,
      never: ['signIn', 'message', 'permitRevoke'],
    },
  }),
  settled(
    'permit2-batch-two',
    allowance,
    permitBatch(
      [
        { token: usdc, amount: 10n, expiration: nextMonth },
        { token: dai, amount: 20n, expiration: nextMonth },
      ],
      nextMonth,
    ),
    permitted(
      [
        [usdc, 10n, nextMonth],
        [dai, 20n, nextMonth],
      ],
      nextMonth,
    ),
  ),
  settled(
    'permit2-batch-different-expirations',
    `${allowance}: each detail has its own expiration`,
    permitBatch(
      [
        { token: usdc, amount: 10n, expiration: now + 60n },
        { token: dai, amount: 20n, expiration: maxUint48 },
        { token: weth, amount: 30n, expiration: 0n },
      ],
      nextMonth,
    ),
    permitted(
      [
        [usdc, 10n, now + 60n],
        [dai, 20n, 'never'],
        [weth, 30n, 'sameBlock'],
      ],
      nextMonth,
    ),
    'Only the first expiration is shown.',
  ),
  settled(
    'permit2-batch-one-unlimited',
    `${allowance}: each detail has its own amount`,
    permitBatch(
      [
        { token: usdc, amount: 1n, expiration: nextMonth },
        { token: dai, amount: 1n, expiration: nextMonth },
        { token: weth, amount: maxUint160, expiration: nextYear },
      ],
      nextMonth,
      attacker,
    ),
    permitted(
      [
        [usdc, 1n, nextMonth],
        [dai, 1n, nextMonth],
        [weth, 'unlimited', nextYear],
      ],
      nextMonth,
      attacker,
    ),
    'The last of the three permissions is unlimited.',
  ),
  settled(
    'permit2-batch-same-token-twice',
    `${allowance}: details are applied in order`,
    permitBatch(
      [
        { token: usdc, amount: 1n, expiration: nextMonth },
        { token: usdc, amount: maxUint160, expiration: maxUint48 },
      ],
      nextMonth,
      attacker,
    ),
    permitted(
      [
        [usdc, 1n, nextMonth],
        [usdc, 'unlimited', 'never'],
      ],
      nextMonth,
      attacker,
    ),
    'The batch contains the same token twice, and the screen shows only the first, small amount.',
  ),
  settled(
    'permit2-batch-zero-first',
    `${allowance}: each detail has its own amount`,
    permitBatch(
      [
        { token: usdc, amount: 0n, expiration: nextMonth },
        { token: dai, amount: maxUint160, expiration: nextMonth },
      ],
      nextMonth,
      attacker,
    ),
    permitted(
      [
        [usdc, 0n, nextMonth],
        [dai, 'unlimited', nextMonth],
      ],
      nextMonth,
      attacker,
    ),
    'A leading amount of 0 makes the whole batch look like a revocation.',
    ['permitRevoke', 'message', 'signIn'],
  ),
  settled(
    'permit2-batch-of-one',
    allowance,
    permitBatch([{ token: usdc, amount: 9n, expiration: nextMonth }], nextMonth),
    permitted([[usdc, 9n, nextMonth]], nextMonth),
  ),
  settled(
    'permit2-batch-of-fifty',
    allowance,
    permitBatch(
      Array.from({ length: 50 }, (_, at) => ({
        token: at === 49 ? weth : usdc,
        amount: at === 49 ? maxUint160 : 1n,
        expiration: nextMonth,
      })),
      nextMonth,
      attacker,
    ),
    permitted(
      Array.from(
        { length: 50 },
        (_, at): Permission => (at === 49 ? [weth, 'unlimited', nextMonth] : [usdc, 1n, nextMonth]),
      ),
      nextMonth,
      attacker,
    ),
    'Forty-nine harmless entries push the fiftieth out of sight.',
  ),
  settled(
    'permit2-transfer',
    `${signature}, "permitTransferFrom"`,
    transfer(usdc, 25_000_000n, nextMonth),
    transferable([[usdc, 25_000_000n]], nextMonth),
    undefined,
    ['permit', 'permitRevoke', 'message', 'signIn'],
  ),
  settled(
    'permit2-transfer-unlimited',
    `${signature}, "permitTransferFrom": permitted.amount is the most that can be requested`,
    transfer(usdc, maxUint256, nextMonth, attacker),
    transferable([[usdc, 'unlimited']], nextMonth, attacker),
    'The signature allows a single transfer of everything to a recipient that is not signed.',
  ),
  settled(
    'permit2-transfer-half-of-uint256',
    `${signature}, "permitTransferFrom": the amount is a uint256`,
    transfer(usdc, 2n ** 255n, nextMonth, attacker),
    transferable([[usdc, 'unlimited']], nextMonth, attacker),
    'A power of two looks like a large number.',
  ),
  settled(
    'permit2-transfer-never-ends',
    `${signature}, "permitTransferFrom": block.timestamp > deadline reverts`,
    transfer(dai, 5n, maxUint256),
    transferable([[dai, 5n]], 'never'),
  ),
  settled(
    'permit2-transfer-past',
    `${signature}, "permitTransferFrom": block.timestamp > deadline reverts`,
    transfer(dai, 5n, past),
    transferable([[dai, 5n]], past),
  ),
  settled(
    'permit2-transfer-zero-token-amount',
    `${signature}, "permitTransferFrom"`,
    transfer(dai, 0n, nextMonth),
    transferable([[dai, 0n]], nextMonth),
    undefined,
    ['permitRevoke', 'message'],
  ),
  settled(
    'permit2-batch-transfer',
    `${signature}, "permitTransferFrom" with several tokens`,
    transfers(
      [
        [usdc, 1n],
        [dai, 2n],
        [weth, maxUint256],
      ],
      nextMonth,
      attacker,
    ),
    transferable(
      [
        [usdc, 1n],
        [dai, 2n],
        [weth, 'unlimited'],
      ],
      nextMonth,
      attacker,
    ),
    'The last of the three permissions is unlimited.',
  ),
  settled(
    'permit2-batch-transfer-of-one',
    `${signature}, "permitTransferFrom" with several tokens`,
    transfers([[usdc, 77n]], nextMonth),
    transferable([[usdc, 77n]], nextMonth),
  ),
  settled(
    'permit2-witness-transfer',
    `${signature}, "permitWitnessTransferFrom": the transfer is the same for every witness`,
    request({
      types: typesOf(witnessTransferFrom),
      primaryType: 'PermitWitnessTransferFrom',
      domain,
      message: {
        permitted: { token: weth, amount: '1000000000000000000' },
        spender: exchange,
        nonce: '7',
        deadline: String(nextMonth),
        witness: { maker: stranger, price: '0' },
      },
    }),
    transferable([[weth, 10n ** 18n]], nextMonth),
  ),
  settled(
    'permit2-batch-witness-transfer',
    `${signature}, "permitWitnessTransferFrom" with several tokens`,
    request({
      types: typesOf(batchWitnessTransferFrom),
      primaryType: 'PermitBatchWitnessTransferFrom',
      domain,
      message: {
        permitted: [
          { token: weth, amount: '1000000000000000000' },
          { token: usdc, amount: String(maxUint256) },
        ],
        spender: attacker,
        nonce: '7',
        deadline: String(nextMonth),
        witness: { maker: stranger, price: '0' },
      },
    }),
    transferable(
      [
        [weth, 10n ** 18n],
        [usdc, 'unlimited'],
      ],
      nextMonth,
      attacker,
    ),
    'The witness looks like an order with a price, but the signature allows a transfer.',
    ['order', 'message', 'signIn'],
  ),
  lookAlike(
    'permit2-at-another-contract',
    'Permit2, README, "Deployments": one address',
    'The domain is named Permit2, but the contract is different.',
    permitSingle({ token: usdc, amount: 0n, expiration: nextMonth }, nextMonth, attacker, domainOf(opaque, 'Permit2')),
  ),
  lookAlike(
    'permit2-with-other-types',
    `${allowance}; EIP-712, "Definition of typeHash": a different type is a different struct`,
    'The contract is Permit2, but the amount in PermitSingle has a different name.',
    request({
      types: typesOf(
        'PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 limit,uint48 amount,uint48 nonce)',
      ),
      primaryType: 'PermitSingle',
      domain,
      message: {
        details: { token: usdc, limit: String(maxUint160), amount: '0', nonce: '0' },
        spender: attacker,
        sigDeadline: String(nextMonth),
      },
    }),
  ),
  typedDataSample({
    id: 'permit2-other-network',
    source: 'EIP-712, "Definition of domainSeparator": refuse signing if chainId does not match the active chain',
    adversarial: 'Permit2 has the same address on every network, and the permit is for the network with the funds.',
    chainId: 42161,
    typedData: permitSingle({ token: usdc, amount: maxUint160, expiration: maxUint48 }, maxUint256, attacker),
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: false, refused: true },
  }),
  bad(
    'permit2-amount-beyond-uint160',
    'The amount is not a uint160.',
    '2^160 wraps to 0.',
    permitSingle({ token: usdc, amount: 2n ** 160n, expiration: nextMonth }, nextMonth),
  ),
  bad(
    'permit2-expiration-beyond-uint48',
    'The expiration is not a uint48.',
    '2^48 wraps to 0, which means this block.',
    permitSingle({ token: usdc, amount: 1n, expiration: 2n ** 48n }, nextMonth),
  ),
  bad(
    'permit2-batch-details-is-one',
    'The details are not a list.',
    'A single detail instead of a list looks like no details.',
    {
      ...permitBatch([], nextMonth),
      message: {
        details: written({ token: usdc, amount: maxUint160, expiration: nextMonth }),
        spender: attacker,
        sigDeadline: String(nextMonth),
      },
    },
  ),
  bad('permit2-details-missing', 'The message has no details.', 'Missing details look like no permission.', {
    ...permitSingle({ token: usdc, amount: 1n, expiration: nextMonth }, nextMonth),
    message: { spender: attacker, sigDeadline: String(nextMonth) },
  }),
]
