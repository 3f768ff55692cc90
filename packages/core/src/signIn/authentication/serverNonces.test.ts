import { expect, test } from 'vitest'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { createServerNonces } from './serverNonces.ts'
import { createTokens } from './sessionTokens.ts'

const url = 'https://connect.shop.example'

/**
 * Creates the nonces for a server that issues n0nce001, n0nce002 and so on. In token mode, the server issues a token with each
 * nonce.
 */
function page({ serverMode, mode }: { serverMode: 'cookie' | 'token'; mode: 'cookie' | 'token' }) {
  let issued = 0
  const tokens = mode === 'token' ? createTokens({ storage: memoryStorage(), id: undefined }) : undefined
  const api = async () => {
    const nonce = `n0nce${String(++issued).padStart(3, '0')}`
    return { nonce, token: serverMode === 'token' ? `token of ${nonce}` : null }
  }
  return createServerNonces({ api, url, tokens })
}

test('take() returns the token for a nonce only once, and returns the latest token after that', async () => {
  const nonces = page({ serverMode: 'token', mode: 'token' })
  await nonces.request('eip155:1')
  await nonces.request('eip155:10')
  expect(nonces.chainOf('n0nce001')).toBe('eip155:1')
  expect(nonces.take('n0nce001')).toBe('token of n0nce001')
  expect(nonces.chainOf('n0nce001')).toBeUndefined()
  expect(nonces.take('n0nce001')).toBe('token of n0nce002')
})

test('only the 16 newest nonces are kept', async () => {
  const nonces = page({ serverMode: 'cookie', mode: 'cookie' })
  for (let count = 0; count < 17; count++) await nonces.request('eip155:1')
  expect([nonces.chainOf('n0nce001'), nonces.chainOf('n0nce002')]).toEqual([undefined, 'eip155:1'])
})

test.each([
  ['cookie', 'token'],
  ['token', 'cookie'],
] as const)('a server in %s mode is rejected by a page in %s mode', async (serverMode, mode) => {
  const promise = page({ serverMode, mode }).request('eip155:1')
  await expect(promise).rejects.toMatchObject({ code: 'input/invalid', message: expect.stringContaining(serverMode) })
})
