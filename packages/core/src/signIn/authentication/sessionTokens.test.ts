import { expect, test } from 'vitest'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { createTokens, readToken } from './sessionTokens.ts'

const claims = Buffer.from(JSON.stringify({ sub: 'é' })).toString('base64url')

test('readToken() returns the claims of a token without verifying the signature', () => {
  expect(readToken(`header.${claims}.signature`)).toEqual({ sub: 'é' })
})

test.each([
  ['without a signature', `header.${claims}`],
  ['with a fourth part', `header.${claims}.signature.more`],
  ['without claims', 'header..signature'],
  ['with claims that are not base64url', 'header.!!.signature'],
  ['with claims that are not UTF-8', `header.${Buffer.from([0xff]).toString('base64url')}.signature`],
  ['with claims that are not JSON', `header.${Buffer.from('{').toString('base64url')}.signature`],
])('a token %s is invalid', (_, token) => {
  expect(() => readToken(token)).toThrow(expect.objectContaining({ code: 'sign-in/bad-token' }))
})

test('a page’s tabs share their tokens, and any tab can clear them', () => {
  const storage = memoryStorage()
  const [tab, other] = [createTokens({ storage, id: undefined }), createTokens({ storage, id: undefined })]
  tab.session.set('session token')
  tab.nonce.set('nonce token')
  expect([other.session.get(), other.nonce.get()]).toEqual(['session token', 'nonce token'])
  other.session.clear()
  expect([tab.session.get(), tab.nonce.get()]).toEqual([undefined, 'nonce token'])
})

test('instances with different IDs have separate tokens', () => {
  const storage = memoryStorage()
  createTokens({ storage, id: 'first' }).session.set('session token')
  expect(createTokens({ storage, id: 'second' }).session.get()).toBeUndefined()
})

test('tokens are kept in memory if storage is missing or full', () => {
  const full = {
    ...memoryStorage(),
    setItem: () => {
      throw new DOMException('Full', 'QuotaExceededError')
    },
  }
  for (const storage of [undefined, full]) {
    const tokens = createTokens({ storage, id: undefined })
    tokens.session.set('session token')
    expect(tokens.session.get()).toBe('session token')
    tokens.session.clear()
    expect(tokens.session.get()).toBeUndefined()
  }
})
