import { type LatchkeyOptions, route, type State } from '@latchkey/core'
import {
  type FakeLatchkey,
  type FakeSetup,
  fakeAuthentication,
  fakeFailure,
  fakeLatchkey,
  fakeSignIn,
  fakeSignInSession,
  withSignIn,
} from '@latchkey/core/testing'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../LatchkeyProvider.tsx'
import { signOut } from '../promptSignIn.ts'
import { callsTo } from '../views/testing/renderView.tsx'
import { withConnection } from '../views/testing/samples.ts'
import { useSignIn } from './useSignIn.ts'

const optional: LatchkeyOptions = { signIn: 'optional' }
const closed = (state: State): State => ({ ...state, modal: { ...state.modal, open: false } })
const signedOut = (initialState: State): State =>
  closed(withSignIn(withConnection(initialState), { status: 'signed-out' }))

/** Renders a part of the page that requires sign-in. */
function Members({ onResult }: { readonly onResult: (answer: string) => void }): ReactNode {
  const { isSignedIn, account, signIn, signOut } = useSignIn()
  const enter = () =>
    signIn().then(
      ({ signature }) => onResult(`signed ${signature}`),
      ({ code, message }: { code?: string; message?: string }) => onResult(`refused ${code}: ${message}`),
    )
  return (
    <>
      <p>{isSignedIn ? `a member: ${account}` : 'a guest'}</p>
      <button type="button" onClick={enter}>
        Enter
      </button>
      <button type="button" onClick={signOut}>
        Leave
      </button>
    </>
  )
}

/** Renders `Members` with a fake Latchkey. Returns the fake and a getter for the result of `signIn()`. */
async function renderMembers(setup: FakeSetup = { signIn: fakeSignIn() }): Promise<{
  readonly latchkey: FakeLatchkey
  readonly answer: () => string | undefined
}> {
  const latchkey = fakeLatchkey({ options: optional, state: signedOut, ...setup })
  let answer: string | undefined
  const onResult = (result: string): void => {
    answer = result
  }
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <Members onResult={onResult} />
    </LatchkeyProvider>,
  )
  return { latchkey, answer: () => answer }
}

const enter = () => page.getByRole('button', { name: 'Enter' }).click()
const change = ({ state }: FakeLatchkey, to: (now: State) => State) => state.set(to(state.get()))
const opened = (latchkey: FakeLatchkey) => vi.waitFor(() => expect(callsTo(latchkey.calls, 'open')).toHaveLength(1))

test('signIn() opens the view and resolves to the session once the user has signed', async () => {
  const { latchkey, answer } = await renderMembers()
  await expect.element(page.getByText('a guest')).toBeVisible()
  await enter()
  await opened(latchkey)
  expect(callsTo(latchkey.calls, 'open')).toEqual([['open', { view: route('SIWXSignMessage') }]])
  change(latchkey, (now) => withSignIn(now, { status: 'signed-in', session: fakeSignInSession }))
  await vi.waitFor(() => expect(answer()).toBe('signed 0x00'))
  expect(latchkey.state.get().modal.open).toBe(false)
  await expect.element(page.getByText('a member: eip155:1:0x8ba1f109551bD432803012645Ac136ddd64DBA72')).toBeVisible()

  // The second call does not prompt the user.
  await enter()
  await vi.waitFor(() => expect(callsTo(latchkey.calls, 'open')).toHaveLength(1))
  await page.getByRole('button', { name: 'Leave' }).click()
  const signIn = (await latchkey.signIn()) as ReturnType<typeof fakeSignIn>
  await vi.waitFor(() => expect(signIn.calls).toEqual([['signOut']]))
})

test('signIn() rejects if the modal is closed without signing, unless a wallet request is pending', async () => {
  const { latchkey, answer } = await renderMembers()
  await enter()
  await opened(latchkey)
  change(latchkey, (now) => closed(withSignIn(now, { status: 'signing' })))
  // The user declines after closing the modal. The modal reopens to show the error.
  change(latchkey, (now) =>
    withSignIn(now, { status: 'signed-out', error: fakeFailure('sign-in/declined', undefined) }),
  )
  latchkey.modal.open({ view: route('SIWXSignMessage') })
  await Promise.resolve()
  expect(answer()).toBeUndefined()
  change(latchkey, closed)
  await vi.waitFor(() => expect(answer()).toMatch(/^refused user\/rejected/))
})

test('signIn() rejects only once a cancellation has ended, because cancelling may disconnect the wallet', async () => {
  const { latchkey, answer } = await renderMembers()
  await enter()
  await opened(latchkey)
  change(latchkey, (now) => closed(withSignIn(now, { status: 'cancelling' })))
  // The check is repeated in a microtask.
  await Promise.resolve()
  await new Promise((frame) => requestAnimationFrame(frame))
  expect(answer()).toBeUndefined()
  change(latchkey, (now) => withSignIn(now, { status: 'signed-out' }))
  await vi.waitFor(() => expect(answer()).toMatch(/^refused user\/rejected/))
})

test('signIn() uses the sign-in view if it is already open, including in an inline panel', async () => {
  const inView = (state: State): State => ({
    ...signedOut(state),
    modal: { ...state.modal, open: false, stack: [route('SIWXSignMessage')] },
  })
  const { latchkey, answer } = await renderMembers({
    signIn: fakeSignIn(),
    options: { ...optional, embedded: true },
    state: inView,
  })
  await enter()
  await new Promise((frame) => requestAnimationFrame(frame))
  expect([callsTo(latchkey.calls, 'open'), answer()]).toEqual([[], undefined])
  change(latchkey, (now) => withSignIn(now, { status: 'signed-in', session: fakeSignInSession }))
  await vi.waitFor(() => expect(answer()).toBe('signed 0x00'))
  expect(callsTo(latchkey.calls, 'close')).toEqual([['close', { force: true }]])
})

test('signIn() stays pending if a wallet dialog opens over the sign-in view', async () => {
  const { latchkey, answer } = await renderMembers({
    signIn: fakeSignIn(),
    options: { ...optional, authentication: { ...fakeAuthentication(), view: 'ConnectingSiwe' } },
  })
  await enter()
  await opened(latchkey)
  expect(callsTo(latchkey.calls, 'open')).toEqual([['open', { view: route('ConnectingSiwe') }]])
  latchkey.modal.push('ApproveTransaction', { requestId: '1' })
  await Promise.resolve()
  expect(answer()).toBeUndefined()
  latchkey.modal.reset('Connect')
  await vi.waitFor(() => expect(answer()).toMatch(/^refused user\/rejected/))
})

test('signIn() and signOut() reject if sign-in is not configured, whether or not an account is connected [R5.13]', async () => {
  for (const state of [signedOut, closed]) {
    const off = await renderMembers({ state })
    await enter()
    await vi.waitFor(() => expect(off.answer()).toBe('refused sign-in/off: SIWX is not enabled'))
    expect(callsTo(off.latchkey.calls, 'open')).toEqual([])
    await expect(signOut(off.latchkey)).rejects.toMatchObject({ code: 'sign-in/off', message: 'SIWX is not enabled' })
    await cleanup()
  }
})

test('signIn() rejects if no account is connected [R5.13]', async () => {
  const disconnected = await renderMembers({ signIn: fakeSignIn(), state: closed })
  await enter()
  await vi.waitFor(() => expect(disconnected.answer()).toBe('refused sign-in/no-address: No ActiveCaipAddress found'))
  expect(callsTo(disconnected.latchkey.calls, 'open')).toEqual([])
})
