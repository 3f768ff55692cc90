import type { Latchkey, LatchkeyOptions, SignIn, SignInState } from '@latchkey/core'
import { type FakeSetup, fakeFailure, fakeLatchkey, fakeSignIn, withSignIn } from '@latchkey/core/testing'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { LatchkeyContext } from '../../LatchkeyContext.ts'
import { button, callsTo } from '../testing/renderView.tsx'
import { withConnection } from '../testing/samples.ts'
import { useSignInRequest } from './useSignInRequest.ts'

const required: LatchkeyOptions = { signIn: 'required' }

afterEach(async () => {
  await cleanup()
})

/** Creates a promise that the test settles. */
function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { promise, resolve, reject }
}

/** Renders the state of the sign-in request, and its actions as buttons. */
function Request(): ReactNode {
  const { status, error, sign, cancel } = useSignInRequest()
  return (
    <>
      <p>{`${status}, ${error ? error.code : 'no error'}`}</p>
      <button type="button" onClick={sign}>
        Sign
      </button>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </>
  )
}

const requestOf = (latchkey: Latchkey) => (
  <LatchkeyContext.Provider value={latchkey}>
    <Request />
  </LatchkeyContext.Provider>
)

/** Creates a fake whose sign-in chunk is loaded by `load`, and whose user is signed out. */
function signedOut(load: () => Promise<SignIn | undefined>, setup: FakeSetup = {}) {
  const fake = fakeLatchkey({
    options: required,
    state: (state) => withSignIn(withConnection(state), { status: 'signed-out' }),
    ...setup,
  })
  const debug = vi.fn()
  const latchkey: Latchkey = { ...fake, signIn: load, log: { ...fake.log, debug } }
  const set = (to: Partial<SignInState>) => fake.state.set(withSignIn(fake.state.get(), to))
  return { latchkey, debug, set, calls: fake.calls }
}

const shown = (text: string) => expect.element(page.getByText(text, { exact: true })).toBeVisible()

test.each([
  ['rejects', (first: ReturnType<typeof deferred<SignIn | undefined>>) => first.reject(new Error('404'))],
  ['resolves to nothing', (first: ReturnType<typeof deferred<SignIn | undefined>>) => first.resolve(undefined)],
])(
  'if loading the sign-in chunk %s, an error is shown, and clicking “Sign” loads the chunk again and clears the error',
  async (_, fail) => {
    const loads = [deferred<SignIn | undefined>(), deferred<SignIn | undefined>()] as const
    let count = 0
    const { latchkey } = signedOut(async () => loads[count++]?.promise)
    await render(requestOf(latchkey))
    await shown('signed-out, no error')
    fail(loads[0])
    await shown('signed-out, unknown')
    await button('Sign').click()
    await shown('signing, no error')
    const signIn = fakeSignIn()
    loads[1].resolve(signIn)
    await shown('signed-out, no error')
    expect(signIn.calls).toEqual([['sign']])
  },
)

test('if the chunk fails to load again, the error is shown again', async () => {
  const { latchkey } = signedOut(async () => undefined)
  await render(requestOf(latchkey))
  await button('Sign').click()
  await shown('signed-out, unknown')
})

test('an error from the wallet is shown unchanged, but an error from loading the chunk takes precedence', async () => {
  const { latchkey, set } = signedOut(async () => fakeSignIn())
  set({ error: fakeFailure('sign-in/declined', undefined) })
  const { rerender } = await render(requestOf(latchkey))
  await button('Sign').click()
  await shown('signed-out, sign-in/declined')
  const other = signedOut(() => Promise.reject(new Error('404')))
  other.set({ error: fakeFailure('sign-in/declined', undefined) })
  await rerender(requestOf(other.latchkey))
  await shown('signed-out, unknown')
})

test('a wallet request that fails after the user has cancelled does not end the cancellation', async () => {
  const answer = deferred<never>()
  const cancelled = deferred<void>()
  const signIn = fakeSignIn({ sign: () => answer.promise, cancel: () => cancelled.promise })
  const { latchkey, debug, calls } = signedOut(async () => signIn)
  await render(requestOf(latchkey))
  await button('Sign').click()
  await shown('signing, no error')
  await button('Cancel').click()
  await shown('cancelling, no error')
  answer.reject(fakeFailure('sign-in/declined', undefined))
  await expect.poll(() => debug.mock.calls).toEqual([[fakeFailure('sign-in/declined', undefined).message]])
  await new Promise((frame) => requestAnimationFrame(frame))
  await shown('cancelling, no error')
  cancelled.resolve()
  await shown('signed-out, no error')
  expect(signIn.calls).toEqual([['sign'], ['cancel']])
  // The core package closes the modal and disconnects the wallet.
  expect([callsTo(calls, 'close'), callsTo(calls, 'disconnect')]).toEqual([[], []])
})

test('a cancellation that started elsewhere is shown even while a wallet request is pending', async () => {
  const { latchkey, set } = signedOut(async () => fakeSignIn({ sign: () => new Promise(() => undefined) }))
  await render(requestOf(latchkey))
  await button('Sign').click()
  await shown('signing, no error')
  set({ status: 'cancelling' })
  await shown('cancelling, no error')
  set({ status: 'signed-out' })
  await shown('signing, no error')
})

test('if the chunk and the disconnect fail, cancelling still closes the modal', async () => {
  const { latchkey, calls } = signedOut(() => Promise.reject(new Error('404')), {
    disconnect: () => Promise.reject(new Error('offline')),
  })
  await render(requestOf(latchkey))
  await button('Cancel').click()
  await expect.poll(() => callsTo(calls, 'close')).toEqual([['close', { force: true }]])
  expect(callsTo(calls, 'disconnect')).toEqual([['disconnect', undefined]])
  await shown('signed-out, unknown')
})

test('another instance loads its own chunk, and a late failure of the first instance is not shown', async () => {
  const first = deferred<SignIn | undefined>()
  const { latchkey } = signedOut(() => first.promise)
  const { rerender } = await render(requestOf(latchkey))
  const load = vi.fn(async () => fakeSignIn())
  await rerender(requestOf(signedOut(load).latchkey))
  expect(load).toHaveBeenCalledOnce()
  first.reject(new Error('404'))
  await first.promise.catch(() => undefined)
  await new Promise((frame) => requestAnimationFrame(frame))
  await shown('signed-out, no error')
})
