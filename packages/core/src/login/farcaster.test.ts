import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { SocialName } from '@latchkey/protocol/frame/messages'
import { expect, test } from 'vitest'
import type { EmbeddedWalletClient } from '../adapter.ts'
import { createStore } from '../lib/store.ts'
import { startFarcasterLogin } from './farcaster.ts'
import type { LoginContext } from './loginContext.ts'
import { createLoginSteps } from './loginSteps.ts'
import type { LoginState } from './loginTypes.ts'

const link = 'https://farcaster.example/connect?channel=1'

/** Starts a Farcaster login. The test settles the login request with `approve` or `fail`. */
function start(
  params: { url?: string; window?: () => Promise<SocialName | undefined>; connects?: Promise<void> } = {},
) {
  const store = createStore<LoginState>({
    busy: undefined,
    email: undefined,
    error: undefined,
    resendAt: undefined,
    social: undefined,
    farcasterUrl: params.url,
  })
  const calls: string[] = []
  const stored: Record<string, string> = {}
  const record = (name: string) => ({ set: (value: string) => void (stored[name] = value) })
  const page = new AbortController()
  const patch = (change: Partial<LoginState>) => store.set({ ...store.get(), ...change })
  let approve: (answer: { userName: string }) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const approved = new Promise<{ userName: string }>((...settle) => {
    ;[approve, fail] = settle
  })
  const wallet: Partial<EmbeddedWalletClient> = {
    connectInWindow: params.window,
    notify: (method: string) => void calls.push(`notify ${method}`),
    request: (async (method: string) => {
      calls.push(`request ${method}`)
      return method === 'GET_FARCASTER_URI' ? { url: link } : approved
    }) as EmbeddedWalletClient['request'],
  }
  const login = startFarcasterLogin({
    store,
    patch,
    signal: page.signal,
    navigation: { follow: ({ type }: { type: string }) => void calls.push(type) },
    track: ({ event }: { event: string }) => void calls.push(event),
    records: { socialUsername: record('user'), connectedSocial: record('social') },
    wallet: async () => wallet,
    awaitFrame: async () => undefined,
    connectEmbeddedAccount: () => params.connects ?? Promise.resolve(),
    run: createLoginSteps({
      patch,
      signal: page.signal,
      toast: (kind, text) => void calls.push(`toast ${kind} ${text}`),
    }).run,
  } as unknown as LoginContext)
  // The test awaits `done` later.
  login.done.catch(() => {})
  return { ...login, store, calls, stored, page, approve, fail }
}

const settled = async () => {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}
const started = ['farcaster-started', 'SOCIAL_LOGIN_STARTED']
const requestCalls = [...started, 'request GET_FARCASTER_URI', 'request CONNECT_FARCASTER']

test('the link is shown until the user approves, and is removed once the account is connected [R1.4]', async () => {
  const { done, store, calls, stored, approve } = start()
  await settled()
  expect(store.get()).toMatchObject({ farcasterUrl: link, busy: 'farcaster' })
  approve({ userName: 'ana.eth' })
  await done
  expect(store.get()).toMatchObject({ farcasterUrl: undefined, busy: undefined, error: undefined })
  expect(stored).toEqual({ user: 'ana.eth', social: 'farcaster' })
  expect(calls).toEqual([...requestCalls, 'SOCIAL_LOGIN_REQUEST_USER_DATA', 'SOCIAL_LOGIN_SUCCESS'])
})

test('a link that has already been requested is shown again, without requesting another link', async () => {
  const { store, calls } = start({ url: 'https://farcaster.example/earlier' })
  await settled()
  expect(store.get().farcasterUrl).toBe('https://farcaster.example/earlier')
  expect(calls).toEqual([...started, 'request CONNECT_FARCASTER'])
})

test.each([
  ['farcaster', { social: 'farcaster' }],
  ['google', { social: 'google' }],
  [undefined, {}],
] as const)(
  'in the wallet’s own window, the provider that the user chose is stored: %s',
  async (provider, expected) => {
    const { done, store, calls, stored } = start({ window: async () => provider })
    await done
    expect(stored).toEqual(expected)
    expect(store.get().farcasterUrl).toBeUndefined()
    expect(calls).toEqual([...started, 'SOCIAL_LOGIN_REQUEST_USER_DATA', 'SOCIAL_LOGIN_SUCCESS'])
  },
)

test('a failure is shown in a toast, returns to the login options and removes the link [R1.4]', async () => {
  const { done, store, calls, stored, fail } = start()
  await settled()
  fail(failure('frame/failed', { message: 'Not today.' }))
  await expect(done).rejects.toMatchObject({ code: 'frame/failed' })
  expect(store.get()).toMatchObject({ farcasterUrl: undefined, busy: undefined, error: undefined })
  expect(stored).toEqual({})
  expect(calls.slice(requestCalls.length)).toEqual([
    expect.stringMatching(/^toast error .*Not today\./),
    'SOCIAL_LOGIN_ERROR',
    'farcaster-failed',
  ])
})

test('cancelling reloads the frame, and a late response to the cancelled request is not shown [R1.4]', async () => {
  const { done, cancel, store, calls, fail } = start()
  await settled()
  cancel()
  await expect(done).rejects.toMatchObject({ code: 'request/aborted' })
  fail(failure('frame/failed', { message: 'Not today.' }))
  await settled()
  expect(calls.slice(requestCalls.length)).toEqual(['SOCIAL_LOGIN_CANCELED', 'notify RELOAD'])
  expect(store.get()).toMatchObject({ farcasterUrl: undefined, busy: undefined, error: undefined })
})

test('cancelling while the account is being connected does not reload the frame', async () => {
  const { done, cancel, calls, approve } = start({ connects: new Promise(() => undefined) })
  await settled()
  approve({ userName: 'ana.eth' })
  await settled()
  cancel()
  await expect(done).rejects.toMatchObject({ code: 'request/aborted' })
  expect(calls.slice(requestCalls.length)).toEqual(['SOCIAL_LOGIN_REQUEST_USER_DATA'])
})

test('when the instance stops, the login ends without an event', async () => {
  const { done, calls, page } = start()
  await settled()
  page.abort()
  await expect(done).rejects.toMatchObject({ code: 'request/aborted' })
  await settled()
  expect(calls).toEqual(requestCalls)
})
