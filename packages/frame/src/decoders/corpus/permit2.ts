// Permit2: IAllowanceTransfer and ISignatureTransfer, as published with the contract.

import type { Hex } from 'viem'
import { dai, exchange, maxUint256, opaque, permit2, stranger, thief, usdc, weth } from './encode.ts'
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

/** A request whose effect is defined by Permit2. */
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
    expect: { effects: [effect], mayBeUnknown: false, never },
  })

const amounts: readonly (readonly [name: string, amount: bigint, reads: Amount, hope?: string])[] = [
  ['finite', 25_000_000n, 25_000_000n],
  ['below-half', 2n ** 159n - 1n, 2n ** 159n - 1n],
  ['half', 2n ** 159n, 'unlimited', 'A power of two reads as a long number rather than as everything.'],
  ['max', maxUint160, 'unlimited'],
]
const expirations: readonly (readonly [name: string, expiration: bigint, reads: Expiry, hope?: string])[] = [
  ['next-month', nextMonth, nextMonth],
  ['zero', 0n, 'sameBlock', 'An expiration of 0 reads as 1970, or as never; it means the block of the permit.'],
  ['max', maxUint48, 'never', 'An expiration eight million years away reads as a date, or as none.'],
]

/** Every amount with every expiration; the signature itself expires next month. */
const table: readonly TypedDataSample[] = amounts.flatMap(([name, amount, reads, hope]) =>
  expirations.map(([when, expiration, expires, otherHope]) =>
    settled(
      `permit2-single-${name}-expires-${when}`,
      `${allowance}; Allowance.updateAll: an expiration of 0 is the time of the block`,
      permitSingle({ token: usdc, amount, expiration }, nextMonth),
      permitted([[usdc, reads, expires]], nextMonth),
      hope ?? otherHope,
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
      mayBeUnknown: true,
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
    expect: { effects: [{ kind: 'unknown' }], mayBeUnknown: false, refused: true },
  })

/** Permit2 permits. */
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
    'The allowance ends next month, the signature that grants it anew does not.',
  ),
  settled(
    'permit2-single-allowance-outlives-signature',
    `${allowance}: sigDeadline and expiration are two things`,
    permitSingle({ token: dai, amount: maxUint160, expiration: maxUint48 }, now + 60n),
    permitted([[dai, 'unlimited', 'never']], now + 60n),
    'The signature ends in a minute, which is what is shown; the allowance never does.',
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
    `${allowance}: any address may be a spender`,
    permitSingle({ token: usdc, amount: maxUint160, expiration: nextYear }, nextMonth, thief),
    permitted([[usdc, 'unlimited', nextYear]], nextMonth, thief),
    'The spender is the thief itself, under the trusted name Permit2.',
  ),
  typedDataSample({
    id: 'permit2-single-domain-name-lies',
    source: 'Permit2, EIP712.sol; the name of a domain is any string, but hashed: the contract takes its own only',
    adversarial: 'The contract is Permit2, the name says "Sign in".',
    typedData: permitSingle(
      { token: usdc, amount: maxUint160, expiration: nextYear },
      nextMonth,
      thief,
      domainOf(permit2, 'Sign in'),
    ),
    expect: {
      effects: [permitted([[usdc, 'unlimited', nextYear]], nextMonth, thief)],
      mayBeUnknown: true,
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
      thief,
    ),
    permitted(
      [
        [usdc, 1n, nextMonth],
        [dai, 1n, nextMonth],
        [weth, 'unlimited', nextYear],
      ],
      nextMonth,
      thief,
    ),
    'The last of three takes everything.',
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
      thief,
    ),
    permitted(
      [
        [usdc, 1n, nextMonth],
        [usdc, 'unlimited', 'never'],
      ],
      nextMonth,
      thief,
    ),
    'The same token twice: the first, small, amount is shown.',
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
      thief,
    ),
    permitted(
      [
        [usdc, 0n, nextMonth],
        [dai, 'unlimited', nextMonth],
      ],
      nextMonth,
      thief,
    ),
    'An amount of 0 in front makes the whole read as taking permissions back.',
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
      thief,
    ),
    permitted(
      Array.from(
        { length: 50 },
        (_, at): Permission => (at === 49 ? [weth, 'unlimited', nextMonth] : [usdc, 1n, nextMonth]),
      ),
      nextMonth,
      thief,
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
    transfer(usdc, maxUint256, nextMonth, thief),
    transferable([[usdc, 'unlimited']], nextMonth, thief),
    'Everything, once, to a recipient that is not signed.',
  ),
  settled(
    'permit2-transfer-half-of-uint256',
    `${signature}, "permitTransferFrom": the amount is a uint256`,
    transfer(usdc, 2n ** 255n, nextMonth, thief),
    transferable([[usdc, 'unlimited']], nextMonth, thief),
    'A power of two reads as a long number.',
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
    `${signature}, "permitTransferFrom" of several`,
    transfers(
      [
        [usdc, 1n],
        [dai, 2n],
        [weth, maxUint256],
      ],
      nextMonth,
      thief,
    ),
    transferable(
      [
        [usdc, 1n],
        [dai, 2n],
        [weth, 'unlimited'],
      ],
      nextMonth,
      thief,
    ),
    'The last of three takes everything.',
  ),
  settled(
    'permit2-batch-transfer-of-one',
    `${signature}, "permitTransferFrom" of several`,
    transfers([[usdc, 77n]], nextMonth),
    transferable([[usdc, 77n]], nextMonth),
  ),
  settled(
    'permit2-witness-transfer',
    `${signature}, "permitWitnessTransferFrom": the transfer is the same, whatever the witness is`,
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
    `${signature}, "permitWitnessTransferFrom" of several`,
    request({
      types: typesOf(batchWitnessTransferFrom),
      primaryType: 'PermitBatchWitnessTransferFrom',
      domain,
      message: {
        permitted: [
          { token: weth, amount: '1000000000000000000' },
          { token: usdc, amount: String(maxUint256) },
        ],
        spender: thief,
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
      thief,
    ),
    'The witness reads as an order with a price; the transfer is what is signed.',
    ['order', 'message', 'signIn'],
  ),
  lookAlike(
    'permit2-at-another-contract',
    'Permit2, README, "Deployments": one address',
    'The domain is named Permit2, the contract is another one.',
    permitSingle({ token: usdc, amount: 0n, expiration: nextMonth }, nextMonth, thief, domainOf(opaque, 'Permit2')),
  ),
  lookAlike(
    'permit2-with-other-types',
    `${allowance}; EIP-712, "Definition of typeHash": another type is another struct`,
    'The right contract, and a PermitSingle whose amount is called something else.',
    request({
      types: typesOf(
        'PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 limit,uint48 amount,uint48 nonce)',
      ),
      primaryType: 'PermitSingle',
      domain,
      message: {
        details: { token: usdc, limit: String(maxUint160), amount: '0', nonce: '0' },
        spender: thief,
        sigDeadline: String(nextMonth),
      },
    }),
  ),
  typedDataSample({
    id: 'permit2-other-network',
    source: 'EIP-712, "Definition of domainSeparator": refuse signing if chainId does not match the active chain',
    adversarial: 'Permit2 has the same address everywhere: the permit is for the network where the money is.',
    chainId: 42161,
    typedData: permitSingle({ token: usdc, amount: maxUint160, expiration: maxUint48 }, maxUint256, thief),
    expect: { effects: [{ kind: 'unknown' }], mayBeUnknown: false, refused: true },
  }),
  bad(
    'permit2-amount-beyond-uint160',
    'The amount is no uint160.',
    '2^160 wraps to 0.',
    permitSingle({ token: usdc, amount: 2n ** 160n, expiration: nextMonth }, nextMonth),
  ),
  bad(
    'permit2-expiration-beyond-uint48',
    'The expiration is no uint48.',
    '2^48 wraps to 0, which means this block.',
    permitSingle({ token: usdc, amount: 1n, expiration: 2n ** 48n }, nextMonth),
  ),
  bad('permit2-batch-details-is-one', 'The details are no list.', 'One detail where a list belongs reads as none.', {
    ...permitBatch([], nextMonth),
    message: {
      details: written({ token: usdc, amount: maxUint160, expiration: nextMonth }),
      spender: thief,
      sigDeadline: String(nextMonth),
    },
  }),
  bad('permit2-details-missing', 'The message has no details.', 'No details read as no permission.', {
    ...permitSingle({ token: usdc, amount: 1n, expiration: nextMonth }, nextMonth),
    message: { spender: thief, sigDeadline: String(nextMonth) },
  }),
]
