import { afterEach, expect, test, vi } from 'vitest'
import { createMockOpenIdProvider } from './mockOpenIdProvider.ts'
import { createOpenIdStore } from './mockOpenIdStore.ts'

afterEach(() => vi.restoreAllMocks())

test('entries can be found by ID and by session until they expire, and each model has separate entries', async () => {
  let now = 0
  const store = createOpenIdStore(() => now)
  const sessions = store('Session')
  await sessions.upsert('a', { uid: 'u1', kind: 'Session' }, 10)
  expect(await sessions.find('a')).toMatchObject({ uid: 'u1' })
  expect(await sessions.findByUid('u1')).toMatchObject({ uid: 'u1' })
  expect(await store('Grant').find('a')).toBeUndefined()
  expect(await store('Interaction').findByUid('u1')).toBeUndefined()
  now = 10_000
  expect(await sessions.find('a')).toBeUndefined()
  expect(await sessions.findByUid('u1')).toBeUndefined()
})

test('consume() marks a code as consumed, and revoking a grant removes all of its entries', async () => {
  const store = createOpenIdStore()
  const codes = store('AuthorizationCode')
  await codes.upsert('c', { grantId: 'g' }, 60)
  await store('AccessToken').upsert('t', { grantId: 'g' }, 60)
  await codes.consume('c')
  expect(await codes.find('c')).toMatchObject({ consumed: expect.any(Number) })
  await codes.revokeByGrantId('g')
  expect(await codes.find('c')).toBeUndefined()
  expect(await store('AccessToken').find('t')).toBeUndefined()
})

test('the provider starts without printing anything', async () => {
  const printed = ['warn', 'info', 'error', 'log'].map((name) => vi.spyOn(console, name as 'warn').mockReturnValue())
  const issuer = 'http://login.demo.localhost:4100'
  const openId = createMockOpenIdProvider({ issuer, clients: [] })
  try {
    const answer = await openId.site(new Request(`${issuer}/.well-known/openid-configuration`))
    expect(((await answer.json()) as { issuer: string }).issuer).toBe(issuer)
  } finally {
    await openId.close()
  }
  expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([])
})
