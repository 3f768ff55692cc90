import { toBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { createServerSession } from './serverSession.ts'
import { createTokens } from './sessionTokens.ts'
import type { AuthRequest } from './signInApiClient.ts'

const ada = 'eip155:1:0xab' as const
const bob = 'eip155:1:0xcd' as const
const claims = { address: '0xAB', caip2Network: 'eip155:1' }
const tokenOf = (body: unknown) => ['{}', JSON.stringify(body), 's'].map((part) => toBase64Url(toUtf8(part))).join('.')

/** Creates a page's session, in token mode if `token` is set. The server responds with the result of `respond`. */
function page({ token, respond = async () => claims }: { token?: string; respond?: () => Promise<unknown> } = {}) {
  const requests: AuthRequest[] = []
  const tokens = token === undefined ? undefined : createTokens({ storage: memoryStorage(), id: undefined })
  if (token) tokens?.session.set(token)
  const api = (params: AuthRequest) => {
    requests.push(params)
    return respond()
  }
  const session = createServerSession({ api, serialApi: api, url: 'https://connect.shop.example', tokens })
  return { session, requests, tokens }
}

test('the token is sent with each request, but no request is sent for an account that the token does not identify', async () => {
  const token = tokenOf(claims)
  const { session, requests } = page({ token })
  expect(await session.get(bob)).toBeUndefined()
  expect([session.canBe(ada), session.canBe(bob)]).toEqual([true, false])
  expect(requests).toEqual([])
  expect(await session.get(ada)).toEqual(claims)
  expect(requests).toMatchObject([
    { path: 'me', query: { account: ada }, headers: { authorization: `Bearer ${token}` } },
  ])
})

test('in cookie mode, the server is asked whether the account is signed in', async () => {
  const { session, requests } = page()
  expect(session.canBe(bob)).toBe(true)
  expect(await session.get(bob)).toBeUndefined()
  expect(requests).toMatchObject([{ path: 'me', headers: {} }])
})

test('an unreadable token is removed, and there is no session', async () => {
  const { session, requests, tokens } = page({ token: 'not a token' })
  expect(await session.get()).toBeUndefined()
  expect([session.canBe(ada), tokens?.session.get(), requests]).toEqual([false, undefined, []])
})

test('a token that the server rejects is removed, but the token is kept if the request is aborted', async () => {
  let error: LatchkeyError = new LatchkeyError('request/aborted')
  const { session, tokens } = page({ token: tokenOf(claims), respond: () => Promise.reject(error) })
  await expect(session.get()).rejects.toBe(error)
  expect(tokens?.session.get()).toBeDefined()
  error = failure('sign-in/not-authenticated')
  expect(await session.get()).toBeUndefined()
  expect(tokens?.session.get()).toBeUndefined()
})

test('an empty response means that there is no session, and a malformed response is an error', async () => {
  expect(await page({ respond: async () => null }).session.get()).toBeUndefined()
  await expect(page({ respond: async () => ({}) }).session.get()).rejects.toMatchObject({ code: 'http/malformed' })
})

test('ending a session that has already ended is not an error', async () => {
  const respond = () => Promise.reject(failure('sign-in/not-authenticated'))
  const { session, requests } = page({ respond })
  await session.end({ account: ada })
  expect(requests).toMatchObject([{ method: 'POST', path: 'sign-out', query: { account: ada } }])
  const signedOut = page({ token: '', respond })
  await signedOut.session.end({}, undefined)
  expect(signedOut.requests).toEqual([])
})
