import { maxSignInLifeMs, signInNonceLifeMs, signInSkewMs } from '@latchkey/protocol/specificationConstants'
import { expect, test } from 'vitest'
import type { SignInExpected, SignInFields, SignInRefusal } from './signInTypes.ts'
import { isCurrent, validateMessage } from './validateMessage.ts'

const now = Date.parse('2026-01-02T03:04:05.000Z')
const iso = (moment: number): string => new Date(moment).toISOString()
const fields: SignInFields = {
  domain: 'shop.example',
  uri: 'https://shop.example/pay',
  version: '1',
  nonce: 'Tz8sK2mQ4vLp',
  chainId: 'eip155:1',
  accountAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  issuedAt: iso(now - 1_000),
  expirationTime: iso(now + 3_600_000),
}
const expected: SignInExpected = {
  origin: 'https://shop.example',
  nonce: 'Tz8sK2mQ4vLp',
  account: 'eip155:1:0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  now,
}
const verdict = (change: Partial<SignInFields>, expectation: Partial<SignInExpected> = {}) =>
  validateMessage({ ...fields, ...change }, { ...expected, ...expectation })

test('a message with the expected values is accepted', () => {
  expect(verdict({})).toEqual({ ok: true, fields })
  expect(verdict({ scheme: 'https', notBefore: iso(now), uri: 'https://shop.example' })).toMatchObject({ ok: true })
})

test('EVM addresses are compared case-insensitively, and other addresses are compared case-sensitively [R3.10]', () => {
  const lower = fields.accountAddress.toLowerCase()
  expect(verdict({ accountAddress: lower })).toMatchObject({ ok: true })
  expect(verdict({}, { account: `eip155:1:${lower}` })).toMatchObject({ ok: true })
  const solana = { chainId: 'solana:main', accountAddress: 'GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1' } as const
  expect(verdict(solana, { account: `solana:main:${solana.accountAddress}` })).toMatchObject({ ok: true })
  expect(verdict(solana, { account: `solana:main:${solana.accountAddress.toLowerCase()}` })).toMatchObject({
    reason: 'account',
  })
})

test.each<[SignInRefusal, Partial<SignInFields>]>([
  ['domain', { domain: 'evil.example' }],
  ['domain', { domain: 'shop.example:443' }],
  ['domain', { scheme: 'http' }],
  ['uri', { uri: 'https://evil.example/' }],
  ['uri', { uri: 'https://shop.example.evil.example/' }],
  ['uri', { uri: 'https:shop.example' }],
  ['version', { version: '2' }],
  ['nonce', { nonce: 'Tz8sK2mQ4vLq' }],
  ['chain', { chainId: 'eip155:2' }],
  ['account', { accountAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc3' }],
  ['issued-later', { issuedAt: iso(now + signInSkewMs + 1) }],
  ['issued-long-ago', { issuedAt: iso(now - signInNonceLifeMs - 1) }],
  ['expired', { expirationTime: iso(now) }],
  ['expired', { issuedAt: iso(now + 30_000), expirationTime: iso(now + 30_000) }],
  ['lives-too-long', { expirationTime: iso(now + maxSignInLifeMs + 1) }],
  ['not-yet-valid', { notBefore: iso(now + 1) }],
  ['not-yet-valid', { notBefore: 'soon' }],
])('the reason is %s if the message has %j [R3.10]', (reason, change) => {
  expect(verdict(change)).toEqual({ ok: false, reason })
})

test('an EVM chain has only one valid ID, so a leading zero is rejected', () => {
  const account = `eip155:01:${fields.accountAddress}` as const
  expect(verdict({ chainId: 'eip155:01' }, { account })).toMatchObject({ ok: false, reason: 'chain' })
})

test('times exactly at the limits are accepted', () => {
  expect(verdict({ issuedAt: iso(now + signInSkewMs) })).toMatchObject({ ok: true })
  expect(verdict({ issuedAt: iso(now - signInNonceLifeMs) })).toMatchObject({ ok: true })
  expect(verdict({ expirationTime: iso(now + 1) })).toMatchObject({ ok: true })
  expect(verdict({ expirationTime: iso(now + maxSignInLifeMs) })).toMatchObject({ ok: true })
})

test('a message without an issue time or expiration time is rejected, and so are invalid times', () => {
  const { issuedAt: _issuedAt, ...timeless } = fields
  const { expirationTime: _expirationTime, ...endless } = fields
  expect(validateMessage(timeless, expected)).toMatchObject({ ok: false })
  expect(validateMessage(endless, expected)).toMatchObject({ ok: false })
  expect(verdict({ issuedAt: 'now' })).toMatchObject({ ok: false })
  expect(verdict({ expirationTime: 'never' })).toMatchObject({ ok: false })
  expect(verdict({}, { now: Number.NaN })).toMatchObject({ ok: false })
})

test('a missing nonce never matches, even if the caller is not type-checked', () => {
  for (const nonce of [undefined, '', 'short']) {
    expect(verdict({ nonce: nonce as string }, { nonce: nonce as string })).toEqual({ ok: false, reason: 'nonce' })
  }
})

test.each([
  'shop.example',
  'https://shop.example/',
  'https://SHOP.example',
  'https://shop.example:443',
  'null',
  '*',
  '',
  'data:,a',
])('validateMessage throws if the expected origin is %j', (origin) => {
  expect(() => verdict({}, { origin })).toThrow(/expected\.origin/)
})

test.each([
  fields.accountAddress,
  `1:${fields.accountAddress}`,
  `eip155::${fields.accountAddress}`,
  'eip155:1:',
  `:1:${fields.accountAddress}`,
  `eip155:1:${fields.accountAddress}:1`,
  `tezos:1:${fields.accountAddress}`,
])('validateMessage throws if the expected account is %s [R5.7]', (account) => {
  expect(() => verdict({}, { account: account as never })).toThrow(/expected\.account/)
})

test('no expected value can be omitted', () => {
  const { origin, nonce, account } = expected
  // @ts-expect-error without an origin, a phishing page would be accepted
  const nowhere: SignInExpected = { nonce, account, now }
  // @ts-expect-error without a nonce, an old message would be accepted
  const anytime: SignInExpected = { origin, account, now }
  // @ts-expect-error without an account, any account would be accepted
  const anybody: SignInExpected = { origin, nonce, now }
  for (const expectation of [nowhere, anytime, anybody]) {
    let believed = false
    try {
      believed = validateMessage(fields, expectation).ok
    } catch {}
    expect(believed).toBe(false)
  }
})

test('a sign-in is valid from its start until its expiration time [R3.9]', () => {
  const start = Date.parse(fields.issuedAt ?? '')
  const end = Date.parse(fields.expirationTime ?? '')
  expect(isCurrent(fields, start)).toBe(true)
  expect(isCurrent(fields, end - 1)).toBe(true)
  expect(isCurrent(fields, end)).toBe(false)
  expect(isCurrent(fields, start - signInSkewMs - 1)).toBe(false)
  const later = { ...fields, notBefore: iso(now + 60_000) }
  expect(isCurrent(later, now + 59_999)).toBe(false)
  expect(isCurrent(later, now + 60_000)).toBe(true)
  const { expirationTime: _, ...endless } = fields
  expect(isCurrent(endless, now)).toBe(false)
  expect(isCurrent({ ...fields, issuedAt: 'once' }, now)).toBe(false)
})
