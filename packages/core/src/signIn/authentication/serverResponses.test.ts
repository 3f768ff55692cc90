import { failure } from '@latchkey/protocol/errors/errorMessages'
import { nonceResponse } from '@latchkey/protocol/http/signInResponses'
import { isCurrent } from '@latchkey/siwx/validateMessage'
import { expect, test } from 'vitest'
import { accountIn, isSignedOut, parseResponse, toAccount, toSession } from './serverResponses.ts'

const url = 'https://connect.shop.example'
const session = { address: '0xa', caip2Network: 'eip155:1', exp: 1_800_000_000 } as const

test.each([
  ['invalid characters in the nonce', { nonce: 'n0nce-001' }],
  ['a nonce that is too short', { nonce: 'n0nce' }],
  ['an invalid time', { nonce: 'n0nce001', issuedAt: 'today' }],
  ['a null body', null],
])('a nonce response with %s is malformed', (_, response) => {
  expect(() => parseResponse(nonceResponse, response, url)).toThrow(expect.objectContaining({ code: 'http/malformed' }))
})

test('the expiry of a session is converted to milliseconds for the account and to a date for the message', () => {
  expect(toAccount(session)).toMatchObject({ account: 'eip155:1:0xa', expiresAt: 1_800_000_000_000 })
  expect(toSession(session).data).toMatchObject({ accountAddress: '0xa', expirationTime: '2027-01-15T08:00:00.000Z' })
})

test('a session from a server is current from its creation until it expires', () => {
  const { data } = toSession({ ...session, iat: 1_799_000_000 })
  expect(data.issuedAt).toBe('2027-01-03T18:13:20.000Z')
  expect(isCurrent(data, 1_799_000_000_000)).toBe(true)
  expect(isCurrent(data, 1_800_000_000_000)).toBe(false)
})

test('accountIn() returns undefined if the claims do not identify an account', () => {
  expect(accountIn({ ...session, caip2Network: 'mainnet' })).toBeUndefined()
  expect(accountIn(session)).toMatchObject({ account: 'eip155:1:0xa' })
})

test('isSignedOut() returns true only for the server’s own not-authenticated error', () => {
  expect(isSignedOut(failure('sign-in/not-authenticated'))).toBe(true)
  expect(isSignedOut(failure('sign-in/spent'))).toBe(false)
})
