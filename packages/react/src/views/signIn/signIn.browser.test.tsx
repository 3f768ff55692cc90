import { type LatchkeyOptions, route, type SignInState, type State } from '@latchkey/core'
import { fakeFailure, fakeSignIn, fakeSignInSession, withSignIn } from '@latchkey/core/testing'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { axeFindings } from '../../testing/axe.ts'
import { AccountSettings } from '../account/AccountSettings.tsx'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { withConnection } from '../testing/samples.ts'
import { ConnectingSiwe, SIWXSignMessage } from './SIWXSignMessage.tsx'

const required: LatchkeyOptions = { signIn: 'required', app: { name: 'Bakery' } }
const optional: LatchkeyOptions = { signIn: 'optional', app: { name: 'Bakery' } }

const at =
  (now: Partial<SignInState> = {}) =>
  (initialState: State): State =>
    withSignIn(withConnection(initialState), { status: 'signed-out', ...now })

const show = (now: Partial<SignInState> = {}, more: Parameters<typeof renderView>[2] = {}) =>
  renderView(SIWXSignMessage, undefined, { options: required, signIn: fakeSignIn(), state: at(now), ...more })

test('shows the origin, the account, the consequences and the cost [R2.8] [R1.12] [R9.4]', async () => {
  await show()
  await expect.element(page.getByText(location.host, { exact: true })).toBeVisible()
  await expect.element(page.getByText('Bakery asks you to sign in')).toBeVisible()
  await expect.element(page.getByText('0x8ba1…BA72')).toBeVisible()
  await expect.element(page.getByText('Ethereum')).toBeVisible()
  await expect.element(page.getByText('It cannot move your money.', { exact: false })).toBeVisible()
  await expect.element(page.getByText('It is free and sends no transaction.')).toBeVisible()
  await expect.element(page.getByText('If you do not sign in, you will be disconnected.')).toBeVisible()
  // The primary button has focus, and its description, which screen readers announce, contains the requesting site.
  await expect.element(button('Sign in')).toHaveFocus()
  await expect.element(button('Sign in')).toHaveAccessibleDescription(/Bakery asks you to sign in/)
  expect(await axeFindings()).toEqual([])
})

test('an optional sign-in is labeled as optional [R1.12]', async () => {
  await show({}, { options: optional })
  await expect.element(page.getByText('This is optional.')).toBeVisible()
  await expect.element(page.getByText('If you do not sign in, you will be disconnected.')).not.toBeInTheDocument()
})

test('the account’s name is shown if it is known, and the ID of a network that the host does not list [R2.8]', async () => {
  await show(
    {},
    {
      options: { signIn: 'required' },
      state: (initialState) => {
        const now = at()(initialState)
        return {
          ...now,
          networks: { ...now.networks, known: [] },
          account: { ...now.account, identity: { status: 'ready', value: { name: 'ada.eth' } } },
        }
      },
    },
  )
  await expect.element(page.getByText('ada.eth')).toBeVisible()
  await expect.element(page.getByText('eip155:1', { exact: true })).toBeVisible()
  expect(page.getByText('0x8ba1…BA72').elements()).toEqual([])
  // The host has not set the app's name.
  await expect.element(page.getByText('This page asks you to sign in')).toBeVisible()
})

test('an inline panel does not take focus from the page', async () => {
  await show({}, { options: { ...required, embedded: true } })
  await expect.element(button('Sign in')).toBeVisible()
  await expect.element(button('Sign in')).not.toHaveFocus()
})

test('clicking the button sends a single request to the wallet and shows that the request is pending', async () => {
  const signIn = fakeSignIn({ sign: () => new Promise(() => undefined) })
  const latchkey = await show({}, { signIn })
  await button('Sign in').click()
  await expect.element(button('Waiting for your wallet…')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(signIn.calls).toEqual([['sign']])
  expect(callsTo(latchkey.calls, 'track')).toEqual([])
  expect(await axeFindings()).toEqual([])
})

test('the user can cancel while the wallet request is pending [R4.10]', async () => {
  const signIn = fakeSignIn({ cancel: () => new Promise(() => undefined) })
  await show({ status: 'signing' }, { signIn })
  await button('Cancel').click()
  await expect.element(button('Cancelling…')).toBeVisible()
  await button('Sign in').click({ force: true })
  expect(signIn.calls).toEqual([['cancel']])
  expect(await axeFindings()).toEqual([])
})

test('the button is disabled while the sign-in session is being checked', async () => {
  const signIn = fakeSignIn()
  await show({ status: 'checking' }, { signIn })
  await expect.element(button('Sign in')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Checking whether you are signed in…')).toBeInTheDocument()
  expect(signIn.calls).toEqual([])
  expect(await axeFindings()).toEqual([])
})

test.each([
  [fakeFailure('sign-in/declined', undefined), 'Signature declined', 'Nothing was signed.'],
  [fakeFailure('sign-in/no-smart-accounts', undefined), 'This application might not support Smart Accounts', 'another'],
  [
    failure('sign-in/not-initialised', undefined, {
      cause: new LatchkeyError('app/origin-not-allowed', { origin: 'https://shop.example' }),
    }),
    'A problem occurred while trying initialize authentication',
    'Something went wrong.',
  ],
  [
    failure('sign-in/not-initialised', undefined, {
      cause: new LatchkeyError('http/failed', { status: 502, url: 'https://x.example' }),
    }),
    'Your sign-in could not be verified',
    'Your account stays connected',
  ],
  [fakeFailure('sign-in/invalid', undefined), 'The sign-in was not accepted', 'could not be verified'],
  [fakeFailure('sign-in/no-client', undefined), 'Your wallet cannot sign here', 'use another wallet'],
  [fakeFailure('http/unreachable', { url: 'https://x.example' }), 'Sign-in failed', 'did not respond'],
  [
    failure('sign-in/declined', undefined, {
      cause: new LatchkeyError('wallet/unresponsive', { connectorId: 'example.marlin' }),
    }),
    'Signature declined',
    'Unlock Marlin or restart it',
  ],
] as const)('%s is explained once and can be retried [R4.9] [R8.10]', async (error, title, body) => {
  const signIn = fakeSignIn()
  const latchkey = await show({ error }, { signIn })
  await expect.element(page.getByRole('alert').filter({ hasText: title })).toHaveTextContent(body)
  expect(await axeFindings()).toEqual([])
  // A toast that shows the same error, but only in English, is hidden.
  latchkey.toast('error', error.message)
  await vi.waitFor(() => expect(latchkey.state.get().toast).toBeUndefined())
  await expect.element(button('Try again')).toHaveFocus()
  await button('Try again').click()
  expect(signIn.calls).toEqual([['sign']])
})

test('each attempt to close a required sign-in announces that declining disconnects the wallet [R2.8]', async () => {
  const latchkey = await show()
  const alert = page.getByRole('alert')
  await expect.element(alert).toHaveTextContent('')
  const shake = (shaking: boolean) =>
    latchkey.state.set({ ...latchkey.state.get(), modal: { ...latchkey.state.get().modal, shaking } })
  shake(true)
  await expect.element(alert).toHaveTextContent('If you do not sign in, you will be disconnected.')
  const first = alert.element().firstElementChild
  shake(false)
  await expect.element(alert).toHaveTextContent('If you do not sign in')
  await Promise.resolve()
  shake(true)
  await vi.waitFor(() => expect(alert.element().firstElementChild).not.toBe(first))
  expect(await axeFindings()).toEqual([])
})

test('ConnectingSiwe renders the same view and tracks clicks', async () => {
  const signIn = fakeSignIn()
  const latchkey = await renderView(ConnectingSiwe, undefined, { options: optional, signIn, state: at() })
  await button('Sign in').click()
  expect(signIn.calls).toEqual([['sign']])
  expect(callsTo(latchkey.calls, 'track')).toEqual([['track', { event: 'CLICK_SIGN_SIWX_MESSAGE' }]])
  await button('Cancel').click()
  expect(signIn.calls).toEqual([['sign'], ['cancel']])
  // Cancelling is tracked by the core package.
  expect(callsTo(latchkey.calls, 'track')).toHaveLength(1)
})

test.each([
  ['required', required, 1],
  ['optional', optional, 0],
] as const)(
  'if the sign-in chunk fails to load, cancelling closes the modal, and disconnects the wallet only if sign-in is required: %s [R4.10]',
  async (_, options, disconnects) => {
    const latchkey = await renderView(SIWXSignMessage, undefined, { options, state: at() })
    await expect.element(page.getByText('Sign-in failed')).toBeVisible()
    await button('Cancel').click()
    await vi.waitFor(() => expect(callsTo(latchkey.calls, 'close')).toEqual([['close', { force: true }]]))
    expect(callsTo(latchkey.calls, 'disconnect')).toHaveLength(disconnects)
  },
)

test('a signed-in user can close the view, and a disconnected user can open Connect', async () => {
  const latchkey = await show({ status: 'signed-in', session: fakeSignInSession })
  await expect.element(page.getByText('You are signed in')).toBeVisible()
  expect(await axeFindings()).toEqual([])
  await button('Close').click()
  expect(callsTo(latchkey.calls, 'close')).toHaveLength(1)

  const other = await show({}, { state: (initialState: State) => initialState })
  await button('Connect a wallet').click()
  expect(callsTo(other.calls, 'reset')).toEqual([['reset', 'Connect', undefined]])
})

test('the host is shown from left to right, even in Arabic', async () => {
  await show({ error: fakeFailure('sign-in/declined', undefined) }, { locale: 'ar' })
  await expect.element(button('إلغاء')).toBeVisible()
  await expect.element(page.getByText(location.host, { exact: true })).toHaveAttribute('dir', 'ltr')
  expect(await axeFindings()).toEqual([])
})

test('AccountSettings shows whether the user is signed in, and lets the user sign in and out [R1.12]', async () => {
  const signIn = fakeSignIn({ signOut: () => Promise.reject(new Error('offline')) })
  const setup = { options: optional, signIn, state: at({ status: 'signed-in', session: fakeSignInSession }) }
  await renderView(AccountSettings, undefined, setup)
  await expect.element(page.getByText('You are signed in')).toBeVisible()
  expect(page.getByText('You are still signed in. Try again.').elements()).toEqual([])
  await button('Sign out').click()
  await expect.element(page.getByText('You are still signed in. Try again.')).toBeVisible()
  expect(signIn.calls).toEqual([['signOut']])
  expect(await axeFindings()).toEqual([])

  const latchkey = await renderView(AccountSettings, undefined, { options: optional, state: at() })
  await button('Sign in').click()
  expect(callsTo(latchkey.calls, 'open')).toEqual([['open', { view: route('SIWXSignMessage') }]])
  await renderView(AccountSettings, undefined, { state: at() })
  await expect.element(button('Disconnect')).toBeVisible()
  await expect.element(button('Sign in')).not.toBeInTheDocument()
})
