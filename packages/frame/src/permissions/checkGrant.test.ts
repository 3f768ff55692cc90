import { encodeFunctionData, type Hex, maxUint256, parseAbi, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Call } from '../decoders/decodeCall.ts'
import { checkGrant, type GrantUse } from './checkGrant.ts'
import { emptyUsage, type Grant } from './grant.ts'
import { parseGrantRequest } from './grantRequest.ts'

const now = 1_800_000_000
const day = 86_400
const account = '0xab5801a7d398351b8be11c439e05c5b3259aec9b'
const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const shop = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const friend = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function buy(uint256 item, address receiver)',
  'function sell(uint256 item)',
])
const json = (name: string) => abi.filter((item) => item.name === name)

function grantOf(changes: Partial<Grant> = {}): Grant {
  const limits = parseGrantRequest(
    [
      {
        chainId: '0x1',
        expiry: now + 30 * day,
        permissions: [
          { type: 'native-token-recurring-allowance', data: { allowance: '0x64', period: day } },
          { type: 'erc20-recurring-allowance', data: { token, allowance: '0xa', period: 7 * day } },
          {
            type: 'contract-call',
            data: {
              address: shop,
              abi: json('buy'),
              functions: [
                {
                  functionName: 'buy',
                  args: [
                    { operator: 'LESS_THAN', value: 5 },
                    { operator: 'EQUAL', value: account },
                  ],
                  valueLimit: '0x14',
                },
              ],
            },
          },
        ],
      },
    ],
    { chain: 'eip155:1', account, now },
  )
  return {
    ...limits,
    context: '0x01',
    tokens: {},
    userId: 'ada',
    origin: 'https://shop.example',
    createdAt: now,
    signedInAt: 1,
    revokedAt: undefined,
    spent: emptyUsage(limits),
    ...changes,
  }
}

const call = (to: string | undefined, value = 0n, data: Hex = '0x'): Call => ({
  to: to as Hex | undefined,
  value,
  data,
})
const transfer = (amount: bigint, to = friend, at = token): Call =>
  call(at, 0n, encodeFunctionData({ abi, functionName: 'transfer', args: [to as Hex, amount] }))
const buy = (item: bigint, receiver = account, value = 0n): Call =>
  call(shop, value, encodeFunctionData({ abi, functionName: 'buy', args: [item, receiver as Hex] }))

const use = (calls: readonly Call[], changes: Partial<GrantUse> = {}): GrantUse => ({
  userId: 'ada',
  signedInAt: 1,
  origin: 'https://shop.example',
  chain: 'eip155:1',
  account: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B',
  calls,
  fee: 1n,
  now: now + 60,
  ...changes,
})

test('covers and counts calls that are within every limit', () => {
  expect(checkGrant(grantOf(), use([call(friend, 40n), transfer(4n), buy(1n, account, 20n)]))).toEqual({
    spent: {
      used: [
        { period: 0, amount: 61n },
        { period: 0, amount: 4n },
        { period: 0, amount: 0n },
      ],
      calls: 3,
    },
  })
})

test('covers a token transfer if the token permission is the only one', () => {
  const permissions = grantOf().permissions.filter(({ kind }) => kind === 'token')
  const grant = grantOf({ permissions, spent: emptyUsage({ permissions }) })
  expect(checkGrant(grant, use([transfer(4n)], { fee: 0n }))).toMatchObject({ spent: { used: [{ amount: 4n }] } })
})

describe('attacks', () => {
  const garbled = (data: Hex, tail: string): Hex => `${data}${tail}`
  const lines: readonly (readonly [what: string, use: GrantUse, outside: string])[] = [
    ['a request from a different page', use([call(friend, 1n)], { origin: 'https://evil.example' }), 'other-owner'],
    [
      'a request from a page on the same host that uses HTTP',
      use([call(friend, 1n)], { origin: 'http://shop.example' }),
      'other-owner',
    ],
    ['a request while a different user is signed in', use([call(friend, 1n)], { userId: 'bob' }), 'other-owner'],
    ['a request after the user has signed in again', use([call(friend, 1n)], { signedInAt: 2 }), 'other-sign-in'],
    ['a request on a different network', use([call(friend, 1n)], { chain: 'eip155:10' }), 'other-network'],
    ['a request from a different account', use([call(friend, 1n)], { account: friend }), 'other-account'],
    ['a request without calls', use([]), 'too-many'],
    ['a request at the exact time of expiry', use([call(friend, 1n)], { now: now + 30 * day }), 'expired'],
    ['a request before the start of the first period', use([call(friend, 1n)], { now: now - 1 }), 'not-yet'],
    ['more native currency than allowed', use([call(friend, 100n)]), 'too-much'],
    ['two calls that together exceed the allowance', use([call(friend, 50n), call(friend, 50n)]), 'too-much'],
    ['a fee above the allowance', use([transfer(1n)], { fee: 101n }), 'too-much'],
    ['more tokens than allowed', use([transfer(11n)]), 'too-much'],
    ['an unlimited token amount', use([transfer(maxUint256)]), 'too-much'],
    ['amounts whose sum overflows', use([transfer(maxUint256), transfer(5n)]), 'too-much'],
    ['a transfer of a different token', use([transfer(1n, friend, friend)]), 'call'],
    ['a token transfer that also sends native currency', use([{ ...transfer(1n), value: 1n }]), 'call'],
    ['a transfer with trailing data', use([{ ...transfer(1n), data: garbled(transfer(1n).data, '00') }]), 'call'],
    [
      'a recipient with nonzero padding',
      use([{ ...transfer(1n), data: transfer(1n).data.replace(/^(0x.{8})00/, '$1ff') as Hex }]),
      'call',
    ],
    [
      'a call to approve on the token',
      use([call(token, 0n, encodeFunctionData({ abi, functionName: 'approve', args: [friend, 1n] }))]),
      'call',
    ],
    [
      'a call to transferFrom on the token',
      use([call(token, 0n, encodeFunctionData({ abi, functionName: 'transferFrom', args: [account, friend, 1n] }))]),
      'call',
    ],
    ['a contract creation', use([call(undefined, 0n, '0x6000')]), 'call'],
    ['a call to the account itself', use([call(account, 1n)]), 'call'],
    [
      'a call to the account itself, written in uppercase',
      use([call(account.toUpperCase().replace('0X', '0x'), 1n)]),
      'call',
    ],
    [
      'a call to a different function of the contract',
      use([call(shop, 0n, encodeFunctionData({ abi, functionName: 'sell', args: [1n] }))]),
      'call',
    ],
    ['a call with an incomplete selector', use([call(shop, 0n, '0xabcd')]), 'call'],
    ['a call with an argument that is not allowed', use([buy(5n)]), 'call'],
    ['a call with a different receiver', use([buy(1n, friend)]), 'call'],
    ['a call with more native currency than allowed', use([buy(1n, account, 21n)]), 'call'],
    ['a call with trailing data', use([{ ...buy(1n), data: garbled(buy(1n).data, 'deadbeef') }]), 'call'],
    ['a call with truncated calldata', use([{ ...buy(1n), data: buy(1n).data.slice(0, -2) as Hex }]), 'call'],
    ['a valid call together with an invalid call', use([transfer(1n), buy(9n)]), 'call'],
  ]
  test.each(lines)('a grant does not cover %s', (_what, request, outside) => {
    const verdict = checkGrant(grantOf(), request)
    expect('outside' in verdict ? verdict.outside : 'covered').toBe(outside)
  })

  test('a revoked grant covers nothing, even before it expires', () => {
    expect(checkGrant(grantOf({ revokedAt: now }), use([call(friend, 1n)]))).toEqual({ outside: 'revoked' })
  })

  test('native currency and tokens can only be sent to listed recipients', () => {
    const grant = grantOf({ recipients: [shop] })
    expect(checkGrant(grant, use([call(friend, 1n)]))).toEqual({ outside: 'recipient' })
    expect(checkGrant(grant, use([transfer(1n)]))).toEqual({ outside: 'recipient' })
    expect(checkGrant(grant, use([transfer(1n, shop)]))).toHaveProperty('spent')
  })

  test('a contract can receive native currency with a call only if the contract is a listed recipient', () => {
    expect(checkGrant(grantOf({ recipients: [friend] }), use([buy(1n, account, 1n)]))).toEqual({ outside: 'recipient' })
    expect(checkGrant(grantOf({ recipients: [friend] }), use([buy(1n)]))).toHaveProperty('spent')
    expect(checkGrant(grantOf({ recipients: [shop] }), use([buy(1n, account, 1n)]))).toHaveProperty('spent')
  })

  test.each<readonly [what: string, rule: object]>([
    ['an unconstrained argument', { rules: [undefined, { operator: 'EQUAL', value: account }] }],
    [
      'a number without an upper limit',
      {
        rules: [
          { operator: 'GREATER_THAN', value: '1' },
          { operator: 'EQUAL', value: account },
        ],
      },
    ],
    [
      'an address declared as a number',
      {
        inputs: [{ type: 'uint256' }, { type: 'uint256' }],
        rules: [
          { operator: 'LESS_THAN', value: '5' },
          { operator: 'EQUAL', value: String(BigInt(account)) },
        ],
      },
    ],
    [
      'the address of a different account',
      {
        rules: [
          { operator: 'LESS_THAN', value: '5' },
          { operator: 'EQUAL', value: friend },
        ],
        sent: buy(1n, friend),
      },
    ],
    ['the selector of approve', { selector: '0x095ea7b3' }],
  ])('a grant from an earlier version does not cover a call with %s', (_, changes) => {
    const { sent = buy(1n), ...changed } = changes as { sent?: Call }
    const { permissions, ...rest } = grantOf()
    const older = permissions.map((item) =>
      item.kind === 'contract' ? { ...item, functions: item.functions.map((rule) => ({ ...rule, ...changed })) } : item,
    )
    const [selector] = Object.values(changed).filter((value) => typeof value === 'string')
    const data = selector ? (`${selector}${sent.data.slice(10)}` as Hex) : sent.data
    expect(checkGrant({ ...rest, permissions: older }, use([{ ...sent, data }]))).toEqual({ outside: 'call' })
  })

  test('calldata that is not canonically encoded is not covered', () => {
    const args = buy(1n).data.slice(10)
    for (const data of [
      // An offset instead of a number, dirty bits before an address, extra words and missing words.
      `0x${buy(1n).data.slice(2, 10)}${'00'.repeat(31)}40${args.slice(64)}`,
      `0x${buy(1n).data.slice(2, 10)}${args.slice(0, 64)}ff${args.slice(66)}`,
      `${buy(1n).data}${'00'.repeat(32)}`,
      buy(1n).data.slice(0, -64),
      buy(1n).data.slice(0, 10),
      buy(1n).data.slice(0, 8),
      '0x00',
    ])
      expect(checkGrant(grantOf(), use([call(shop, 0n, data as Hex)])), data).toEqual({ outside: 'call' })
  })

  test('calls are counted across all requests', () => {
    const grant = grantOf({ callsMost: 2 })
    expect(checkGrant(grant, use([transfer(1n), transfer(1n), transfer(1n)]))).toEqual({ outside: 'too-many' })
    const once = checkGrant(grant, use([transfer(1n)]))
    if ('outside' in once) throw new Error('not covered')
    expect(checkGrant({ ...grant, spent: once.spent }, use([transfer(1n), transfer(1n)]))).toEqual({
      outside: 'too-many',
    })
  })
})

test('a new period resets the usage, but setting the clock back does not', () => {
  const used = checkGrant(grantOf(), use([call(friend, 90n)]))
  if ('outside' in used) throw new Error('not covered')
  const grant = grantOf({ spent: used.spent })
  expect(checkGrant(grant, use([call(friend, 20n)]))).toEqual({ outside: 'too-much' })
  const tomorrow = checkGrant(grant, use([call(friend, 90n)], { now: now + day }))
  if ('outside' in tomorrow) throw new Error('not covered')
  expect(tomorrow.spent.used[0]).toEqual({ period: 1, amount: 91n })
  expect(checkGrant({ ...grant, spent: tomorrow.spent }, use([call(friend, 20n)], { now: now + 60 }))).toEqual({
    outside: 'too-much',
  })
})

test('usage never exceeds the allowance for a period, for any sequence of requests', () => {
  // The failure message includes the seed, so that a failed run can be repeated.
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  let state = seed
  const random = (max: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
  for (let round = 0; round < 60; round += 1) {
    let grant = grantOf()
    const totals = new Map<string, bigint>()
    let at = now
    for (let step = 0; step < 40; step += 1) {
      at += random(day / 2)
      const calls = Array.from(
        { length: 1 + random(3) },
        () =>
          [
            () => call(friend, BigInt(random(60))),
            () => transfer(BigInt(random(6))),
            () => buy(BigInt(random(7)), random(4) ? account : friend, BigInt(random(25))),
          ][random(3)]?.() as Call,
      )
      const fee = BigInt(random(10))
      const verdict = checkGrant(grant, use(calls, { now: at, fee }))
      if ('outside' in verdict) continue
      grant = { ...grant, spent: verdict.spent }
      const coins = fee + calls.reduce((sum, { value }) => sum + value, 0n)
      const tokens = calls
        .filter(({ to }) => to === token)
        .reduce((sum, { data }) => sum + BigInt(`0x${data.slice(-64)}`), 0n)
      const add = (key: string, amount: bigint) => totals.set(key, (totals.get(key) ?? 0n) + amount)
      add(`coin ${Math.floor((at - now) / day)}`, coins)
      add(`token ${Math.floor((at - now) / (7 * day))}`, tokens)
      expect(at, `seed ${seed}`).toBeLessThan(grant.expiry)
    }
    for (const [key, total] of totals)
      expect(total <= (key.startsWith('coin') ? 100n : 10n), `seed ${seed}: ${key} ${toHex(total)}`).toBe(true)
  }
})
