import { expect, test } from 'vitest'
import type { SignInFields } from '../message/signInTypes.ts'
import { canonicalAccount, claimsOf, readSessionClaims, uuidOf } from './sessionClaims.ts'

const fields: SignInFields = {
  domain: 'shop.example',
  uri: 'https://shop.example/account',
  version: '1',
  nonce: 'n0nce001',
  chainId: 'eip155:10',
  // The first example in EIP-55, in lower case.
  accountAddress: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
}
const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const issued = { iss: 'latchkey', iat: 1, exp: 2, jti: 'an ID' }

test.each([
  [`eip155:10:${fields.accountAddress}`, `eip155:10:${checksummed}`],
  [`EIP155:10:0X${fields.accountAddress.slice(2).toUpperCase()}`, `eip155:10:${checksummed}`],
  // These are not EVM accounts, so they are not changed.
  [`eip155:10:${fields.accountAddress}00`, `eip155:10:${fields.accountAddress}00`],
  [`x-eip155:10:${fields.accountAddress}`, `x-eip155:10:${fields.accountAddress}`],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:So1aNaAddress', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:So1aNaAddress'],
])('the canonical form of the account %s is %s', (account, written) => {
  expect(canonicalAccount(account)).toBe(written)
})

test('the claims of an EVM session contain the checksummed account, the address as signed, and the chain ID as a number', () => {
  const claims = claimsOf({ fields, projectId: 'shop', email: undefined })
  expect(claims).toEqual({
    aud: 'shop',
    projectIdKey: 'shop',
    sub: `eip155:10:${checksummed}`,
    address: fields.accountAddress,
    chainId: 10,
    chainNamespace: 'eip155',
    caip2Network: 'eip155:10',
    uri: fields.uri,
    domain: fields.domain,
    projectUuid: uuidOf('project', 'shop'),
    profileUuid: uuidOf('profile', 'shop', `eip155:10:${checksummed}`),
    nonce: fields.nonce,
  })
  expect(claims).not.toHaveProperty('email')
})

test('the claims of a session in a different namespace contain the chain reference as the chain ID, and a verified email address', () => {
  const chainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' as const
  const claims = claimsOf({
    fields: { ...fields, chainId, accountAddress: 'So1aNaAddress' },
    projectId: 'shop',
    email: 'ada@shop.example',
  })
  expect(claims).toMatchObject({
    chainId: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    chainNamespace: 'solana',
    caip2Network: chainId,
    sub: `${chainId}:So1aNaAddress`,
    email: 'ada@shop.example',
  })
})

test('the claims of a session are read back as they were written', () => {
  const claims = { ...claimsOf({ fields, projectId: 'shop', email: 'ada@shop.example' }), ...issued }
  expect(readSessionClaims(claims)).toEqual(claims)
  const { email: _, ...withoutEmail } = claims
  expect(readSessionClaims(withoutEmail)).toEqual(withoutEmail)
})

const session = { ...claimsOf({ fields, projectId: 'shop', email: undefined }), ...issued }
test.each([
  ['no claims', undefined],
  ['an account with two parts', { ...session, sub: 'eip155:10' }],
  ['an account with four parts', { ...session, sub: 'eip155:10:0xab:c' }],
  ['an account that is not a string', { ...session, sub: 5 }],
  ['a network without a namespace', { ...session, caip2Network: '10' }],
  ['a network that is not a string', { ...session, caip2Network: ['eip155:10'] }],
  ['an unknown namespace', { ...session, chainNamespace: 'e' }],
  ['a namespace with a reference', { ...session, chainNamespace: 'eip155:1' }],
  ['a namespace that is not a string', { ...session, chainNamespace: ['eip155'] }],
  ['a nonce that is not a string', { ...session, nonce: 7 }],
  ['no session ID', { ...session, jti: undefined }],
])('a session with %s is invalid', (_, claims) => {
  expect(readSessionClaims(claims as never)).toBeUndefined()
})

test('UUIDs have version 8 and the variant of RFC 9562, are the same for the same parts, and differ for different parts', () => {
  const all = Array.from({ length: 50 }, (_, at) => uuidOf('project', String(at)))
  for (const uuid of all) expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(all).size).toBe(50)
  expect(uuidOf('project', '7')).toBe(all[7])
  expect(uuidOf('a', 'b')).not.toBe(uuidOf('ab'))
})
