import {
  postEmail,
  postEmailDevice,
  postFarcasterFinish,
  postSocial,
  postSocialFinish,
} from '@latchkey/protocol/http/keys'
import { expect, test } from 'vitest'
import type { KeysApiClient } from '../keysApiClient.ts'
import { createLoginMethods } from './loginMethods.ts'

/** Creates login methods with a server that returns the given responses to each endpoint, one after the other. */
function loginWith(responses: ReadonlyMap<object, readonly object[]>) {
  const users: unknown[][] = []
  const calls = new Map<object, number>()
  const keysClient = (async (call: object) => {
    const count = calls.get(call) ?? 0
    calls.set(call, count + 1)
    const response = responses.get(call)?.[count]
    if (!response) throw new Error('not expected')
    return response
  }) as unknown as KeysApiClient
  return {
    ...createLoginMethods({ keysClient, session: { signedIn: (...user) => void users.push(user) } }),
    users,
    calls,
  }
}

test.each([
  ['VERIFY_OTP', 'code'],
  ['VERIFY_DEVICE', 'link'],
])('if the server responds with %s, the user must use a %s [R4.4]', async (action, expected) => {
  const { mailCode } = loginWith(new Map([[postEmail, [{ action }]]]))
  expect(await mailCode('ada@example.org', false)).toBe(expected)
})

test('waiting for an emailed link ends when the user approves the browser or leaves the page', async () => {
  const pending = { status: 'pending' }
  const opened = loginWith(new Map([[postEmailDevice, [pending, pending, { status: 'approved' }]]]))
  await opened.linkFollowed(new AbortController().signal)
  expect(opened.calls.get(postEmailDevice)).toBe(3)
  const left = loginWith(new Map([[postEmailDevice, [pending, pending]]]))
  await expect(left.linkFollowed(AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  expect(left.calls.get(postEmailDevice)).toBe(1)
})

test('only opens a provider’s login page over HTTPS', async () => {
  const uri = 'https://login.example/authorize'
  expect(await loginWith(new Map([[postSocial, [{ uri }]]])).socialUri('google')).toBe(uri)
  const script = loginWith(new Map([[postSocial, [{ uri: 'javascript:alert(1)' }]]]))
  await expect(script.socialUri('google')).rejects.toThrow('The sign-in failed')
})

test('a social login signs the user in and returns their name as reported by the provider', async () => {
  const user = { id: 'ada' }
  const google = loginWith(new Map([[postSocialFinish, [{ user, userName: 'Ada', provider: 'google' }]]]))
  expect(await google.signInBySocial('https://keys.example/done')).toEqual({ provider: 'google', userName: 'Ada' })
  expect(google.users).toEqual([[user, 'Ada', 'https://keys.example/done']])

  const responses = [{ status: 'pending' }, { status: 'done', user, userName: 'ada.eth' }]
  const farcaster = loginWith(new Map([[postFarcasterFinish, responses]]))
  const result = await farcaster.signInByFarcaster(new AbortController().signal)
  expect(result).toEqual({ provider: 'farcaster', userName: 'ada.eth' })
  expect(farcaster.users).toEqual([[user, 'ada.eth']])
})
