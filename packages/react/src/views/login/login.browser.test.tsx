import { type BuiltView, type Login, type LoginState, route, type State, type Views } from '@latchkey/core'
import {
  type FakeLatchkey,
  type FakeLogin,
  fakeClock,
  fakeFailure,
  fakeLatchkey,
  fakeLogin,
} from '@latchkey/core/testing'
import type { ComponentType } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { ConnectButton } from '../../buttons/ConnectButton.tsx'
import { LatchkeyProvider } from '../../LatchkeyProvider.tsx'
import { axeFindings } from '../../testing/axe.ts'
import { AccountSettings } from '../account/AccountSettings.tsx'
import { Connect } from '../connect/Connect.tsx'
import { WalletReceive } from '../receive/WalletReceive.tsx'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { withConnection, withConnectors } from '../testing/samples.ts'
import { type ViewSetup, viewFixture } from '../testing/viewFixture.tsx'
import type { ViewProps } from '../viewProps.ts'
import { ApproveTransaction } from './ApproveTransaction.tsx'
import { ConnectingFarcaster } from './ConnectingFarcaster.tsx'
import { ConnectingPasskey } from './ConnectingPasskey.tsx'
import { ConnectingSocial } from './ConnectingSocial.tsx'
import { ConnectSocials } from './ConnectSocials.tsx'
import { EmailLogin } from './EmailLogin.tsx'
import { EmailVerifyDevice } from './EmailVerifyDevice.tsx'
import { EmailVerifyOtp } from './EmailVerifyOtp.tsx'
import { UpdateEmailPrimaryOtp } from './UpdateEmailPrimaryOtp.tsx'
import { UpdateEmailSecondaryOtp } from './UpdateEmailSecondaryOtp.tsx'
import { UpdateEmailWallet } from './UpdateEmailWallet.tsx'

const email = 'ana@example.org'
const code = () => page.getByRole('textbox', { name: '6-digit code' })
const address = () => page.getByRole('textbox', { name: 'Email address' })
const wrong = fakeFailure('frame/failed', { message: 'Invalid code' })

async function showLogin<Name extends BuiltView>(
  View: ComponentType<ViewProps<Name>>,
  data: Views[Name],
  setup: ViewSetup & { readonly login?: FakeLogin } = {},
): Promise<{ readonly latchkey: FakeLatchkey; readonly login: FakeLogin }> {
  const login = setup.login ?? fakeLogin()
  return { latchkey: await renderView(View, data, { ...setup, login }), login }
}

/** Returns a state in which the embedded wallet is connected. */
function loggedIn(state: State): State {
  const now = withConnection(state)
  return {
    ...now,
    wallets: {
      ...now.wallets,
      connectors: now.wallets.connectors.map((connector) =>
        connector.id === 'example.marlin' ? { ...connector, name: 'Email', type: 'AUTH' as const } : connector,
      ),
    },
  }
}

afterEach(async () => {
  await cleanup()
})

describe('Connect with login methods', () => {
  test('omits social providers that the wallet does not offer, and shows the provider’s name if there is only one', async () => {
    await showLogin(Connect, undefined, {
      connectMethods: ['email', 'social'],
      state: (state) => ({ ...state, wallets: { ...state.wallets, socials: ['github'] } }),
    })
    await expect.element(button('Continue with GitHub')).toBeVisible()
    expect(page.getByRole('button', { name: /^Continue with (?!email)/ }).elements()).toHaveLength(1)
  })

  test('shows a placeholder until the social providers are known', async () => {
    const { latchkey } = await showLogin(Connect, undefined, {
      connectMethods: ['email', 'social'],
      state: (state) => ({ ...state, wallets: { ...state.wallets, socials: 'loading' } }),
    })
    await expect.element(address()).toBeVisible()
    const continues = page.getByRole('button', { name: /^Continue with (?!email)/ })
    expect(continues.elements()).toEqual([])
    const { state } = latchkey
    state.set({ ...state.get(), wallets: { ...state.get().wallets, socials: ['github', 'google'] } })
    await expect.poll(() => continues.elements().length).toBe(2)
  })

  test('does not offer wallets if a different wallet kit on the page requested the login', async () => {
    await showLogin(Connect, { login: true }, { connectMethods: ['wallet', 'email', 'social'], state: withConnectors })
    await expect.element(address()).toBeVisible()
    await expect.element(button('Continue with Google')).toBeVisible()
    expect(page.getByRole('list', { name: 'Wallets' }).elements()).toEqual([])
    expect(page.getByText('or', { exact: true }).elements()).toEqual([])
  })

  test('shows email first, then social accounts, then wallets if no wallet is installed [R9.11]', async () => {
    await showLogin(Connect, undefined, { connectMethods: ['email', 'social', 'wallet'] })
    await expect.element(address()).toBeVisible()
    await expect.element(button('Continue with Google')).toBeVisible()
    const order = [
      address(),
      button('Continue with Google'),
      page.getByText('or', { exact: true }),
      button('Get a wallet'),
    ]
    const tops = order.map((locator) => locator.element().getBoundingClientRect().top)
    expect(tops).toEqual([...tops].sort((a, b) => a - b))
    expect(await axeFindings()).toEqual([])
  })

  test('shows wallets first, then a single divider, then the login methods if a wallet is installed [R9.11]', async () => {
    await showLogin(Connect, undefined, { connectMethods: ['wallet', 'email', 'social'], state: withConnectors })
    await expect.element(address()).toBeVisible()
    expect(page.getByText('or', { exact: true }).elements()).toHaveLength(1)
    expect(
      button(/Marlin/)
        .element()
        .getBoundingClientRect().top,
    ).toBeLessThan(address().element().getBoundingClientRect().top)
  })

  test.each([
    [['social', 'wallet', 'email']],
    [['wallet', 'social', 'email']],
    [['email', 'wallet', 'social']],
    [['social', 'email']],
    [['wallet', 'email']],
  ] as const)('shows only the connection methods %o, in this order [R9.11]', async (methods) => {
    await showLogin(Connect, undefined, { connectMethods: methods, state: withConnectors })
    const shown = {
      wallet: button(/Marlin/),
      email: address(),
      social: button('Continue with Google'),
    }
    for (const method of methods) await expect.element(shown[method]).toBeVisible()
    const tops = methods.map((method) => shown[method].element().getBoundingClientRect().top)
    expect(tops).toEqual([...tops].sort((a, b) => a - b))
    for (const method of ['wallet', 'email', 'social'] as const)
      if (!(methods as readonly string[]).includes(method)) expect(shown[method].elements()).toEqual([])
  })

  test('submits the address on Enter, and the field keeps focus while the code is being sent [R1.2] [R4.4]', async () => {
    const { latchkey, login } = await showLogin(Connect, undefined, { connectMethods: ['email', 'wallet'] })
    await address().fill(` ${email} `)
    expect(callsTo(latchkey.calls, 'track')).toEqual([['track', { event: 'EMAIL_LOGIN_SELECTED' }]])
    await userEvent.keyboard('{Enter}')
    expect(callsTo(login.calls, 'submitEmail')).toEqual([['submitEmail', email]])
    login.state.set({ ...login.state.get(), busy: 'email' })
    await expect.element(page.getByText('Sending a code…')).toBeInTheDocument()
    await expect.element(address()).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(callsTo(login.calls, 'submitEmail')).toHaveLength(1)
  })

  test('tells the user to continue in the wallet’s window, and does not submit the form again', async () => {
    const { login } = await showLogin(Connect, undefined, { connectMethods: ['email'] })
    await address().fill(email)
    login.state.set({ ...login.state.get(), busy: 'window' })
    await expect.element(page.getByText('Continue in your wallet’s window.')).toBeInTheDocument()
    expect(page.getByText('Sending a code…').elements()).toEqual([])
    await userEvent.keyboard('{Enter}')
    expect(callsTo(login.calls, 'submitEmail')).toEqual([])
  })

  test('toasts are in the modal’s language', async () => {
    let formatter: Parameters<Login['setErrorFormatter']>[0] | undefined
    const login = fakeLogin({}, { setErrorFormatter: (format) => void (formatter = format) })
    await showLogin(EmailLogin, undefined, { login, locale: 'de' })
    await expect.poll(() => formatter?.()).toBe('Ein neuer Code ist unterwegs')
    expect(formatter?.(fakeFailure('email/throttled', { seconds: 12 }))).toMatch(/12/)
    expect(formatter?.(fakeFailure('frame/unreachable', { afterMs: 20_000 }))).not.toMatch(/Embedded|Network Error/)
  })

  test('shows an error for an invalid address until the address is edited [R5.2]', async () => {
    const login = fakeLogin({ error: fakeFailure('input/invalid', { path: 'email', message: 'Invalid email' }) })
    await showLogin(Connect, undefined, { connectMethods: ['email'], login })
    const field = address()
    await expect.element(field).toHaveAccessibleDescription('Enter a valid address, like ana@example.org.')
    await expect.element(field).toHaveAttribute('aria-invalid', 'true')
    expect(await axeFindings()).toEqual([])
    await field.fill('a')
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  test('an email that could not be sent is reported at the field until the address is edited', async () => {
    const login = fakeLogin({ error: fakeFailure('frame/failed', { message: 'The mail could not be sent' }) })
    await showLogin(Connect, undefined, { connectMethods: ['email'], login })
    await expect.element(address()).toHaveAccessibleDescription('The email could not be sent. Try again in a moment.')
    await address().fill('a')
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  test('tells a user who requests a new code too soon how long to wait [R5.4]', async () => {
    const login = fakeLogin({ error: fakeFailure('email/throttled', { seconds: 12 }) })
    await showLogin(Connect, undefined, { connectMethods: ['email'], login })
    await expect.element(page.getByText('Please try again after 12 seconds')).toBeVisible()
    const message = 'Please try again after 1 seconds'
    login.state.set({ ...login.state.get(), error: fakeFailure('frame/failed', { message }) })
    await expect.element(page.getByText('Please try again after 1 second', { exact: true })).toBeVisible()
  })

  test('starts a social login synchronously on click, and shows a button for the full list if there are more than five providers [R1.3]', async () => {
    const { latchkey, login } = await showLogin(Connect, undefined, { connectMethods: ['social'] })
    const google = button('Continue with Google')
    await expect.element(google).toBeVisible()
    await expect.poll(() => page.getByRole('listitem').elements().length).toBe(5)
    ;(google.element() as HTMLElement).click()
    // The call must be synchronous, because browsers only allow a popup during the click.
    expect(callsTo(login.calls, 'social')).toEqual([['social', 'google']])
    await button('More ways to log in').click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'ConnectSocials', undefined]])
  })

  test('disables all login methods until the user consents', async () => {
    const { login } = await showLogin(Connect, undefined, {
      connectMethods: ['email', 'social'],
      options: { termsUrl: 'https://app.example/terms', features: { legalCheckbox: true } },
    })
    await expect.element(address()).toBeDisabled()
    await expect.element(button('Continue with Google')).toBeDisabled()
    await page.getByRole('checkbox').click()
    await address().fill(email)
    await userEvent.keyboard('{Enter}')
    expect(callsTo(login.calls, 'submitEmail')).toHaveLength(1)
  })

  test('disables the login methods if the user is already logged in', async () => {
    await showLogin(Connect, undefined, { connectMethods: ['email', 'social', 'wallet'], state: loggedIn })
    await expect.element(address()).toBeDisabled()
    await expect.element(button('Continue with Google')).toBeDisabled()
  })
})

describe('EmailVerifyOtp', () => {
  const show = (login: FakeLogin, setup: ViewSetup = {}) => showLogin(EmailVerifyOtp, { email }, { ...setup, login })

  test('submits the code once, when the sixth digit is entered [R1.2] [R4.4]', async () => {
    const { login } = await show(fakeLogin({ email }))
    await expect.element(code()).toHaveFocus()
    await userEvent.keyboard('12a34 5')
    expect(callsTo(login.calls, 'submitCode')).toEqual([])
    await userEvent.keyboard('6')
    expect(callsTo(login.calls, 'submitCode')).toEqual([['submitCode', '123456']])
    await userEvent.keyboard('7')
    expect(callsTo(login.calls, 'submitCode')).toHaveLength(1)
    await expect.element(code()).toHaveValue('123456')
  })

  test('shows the address to which the code was sent, and that the code is valid for ten minutes [R1.2]', async () => {
    await show(fakeLogin({ email }))
    await expect.element(page.getByText(`We sent a code to ${email}. It works for 10 minutes.`)).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('accepts a pasted code that contains spaces and other text', async () => {
    const { login } = await show(fakeLogin({ email }))
    await expect.element(code()).toHaveFocus()
    const pasted = new DataTransfer()
    pasted.setData('text/plain', 'Your code: 123 456')
    code()
      .element()
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true }))
    expect(callsTo(login.calls, 'submitCode')).toEqual([['submitCode', '123456']])
  })

  test('accepts a code that the browser fills in', async () => {
    const { login } = await show(fakeLogin({ email }))
    const field = code().element() as HTMLInputElement
    expect(field.autocomplete).toBe('one-time-code')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, '٦٥٤٣٢١')
    field.dispatchEvent(new Event('input', { bubbles: true }))
    await expect.poll(() => callsTo(login.calls, 'submitCode')).toEqual([['submitCode', '654321']])
  })

  test('shows an error for a wrong code until the user enters a digit, which replaces the code [R1.2]', async () => {
    const login = fakeLogin({ email })
    await show(login)
    await expect.element(code()).toHaveFocus()
    await userEvent.keyboard('123456')
    login.state.set({ ...login.state.get(), busy: 'code' })
    await expect.element(code()).toHaveAttribute('readonly')
    login.state.set({ ...login.state.get(), busy: undefined, error: wrong })
    await expect
      .element(page.getByRole('alert'))
      .toHaveTextContent('That code is incorrect. Check the latest email and try again.')
    await expect.element(code()).toHaveAccessibleDescription(/That code is incorrect/)
    await expect.element(code()).toHaveFocus()
    expect(await axeFindings()).toEqual([])
    await userEvent.keyboard('9')
    await expect.element(code()).toHaveValue('9')
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  test('allows a new code to be requested once the cooldown ends, even after a page reload [R5.4]', async () => {
    const clock = fakeClock()
    // After a reload, the view is new, but the time is restored from storage.
    const login = fakeLogin({ email, resendAt: clock.now() + 12_300 })
    await show(login, { options: { clock } })
    await expect.element(button('Send a new code in 13 s')).toHaveAttribute('aria-disabled', 'true')
    await button('Send a new code in 13 s').click({ force: true })
    expect(callsTo(login.calls, 'resend')).toEqual([])
    await clock.pass(300)
    await expect.element(button('Send a new code in 12 s')).toBeVisible()
    await clock.pass(12_000)
    await userEvent.keyboard('12')
    await button('Send a new code').click()
    expect(callsTo(login.calls, 'resend')).toHaveLength(1)
    await expect.element(code()).toHaveValue('')
  })

  test('lets the user click a digit and replace it', async () => {
    const { login } = await show(fakeLogin({ email }))
    await expect.element(code()).toHaveFocus()
    await userEvent.keyboard('12945')
    const box = code().element().getBoundingClientRect()
    await code().click({ position: { x: (box.width / 6) * 2.5, y: box.height / 2 } })
    await userEvent.keyboard('3')
    await expect.element(code()).toHaveValue('12345')
    await userEvent.keyboard('{End}6')
    expect(callsTo(login.calls, 'submitCode')).toEqual([['submitCode', '123456']])
  })

  test('shows the digits from left to right, even in Arabic', async () => {
    await show(fakeLogin({ email }), { locale: 'ar' })
    const field = page.getByRole('textbox')
    await expect.element(field).toHaveFocus()
    await userEvent.keyboard('12')
    const boxes = [...document.querySelectorAll('.otp-box')]
    expect(boxes.map((box) => box.textContent).join('')).toBe('12')
    expect(boxes[0]?.getBoundingClientRect().left).toBeLessThan(boxes[1]?.getBoundingClientRect().left ?? 0)
    expect(await axeFindings()).toEqual([])
  })
})

describe('EmailLogin', () => {
  test('shows the email form and submits the address [R1.2]', async () => {
    const { login } = await showLogin(EmailLogin, undefined)
    await address().fill(email)
    await button('Continue with email').click()
    expect(callsTo(login.calls, 'submitEmail')).toEqual([['submitEmail', email]])
    expect(await axeFindings()).toEqual([])
  })

  test('while the frame is slow to load, says that the login cannot be reached, and keeps the form busy', async () => {
    const login = fakeLogin({ busy: 'email', error: fakeFailure('frame/unreachable', { afterMs: 5_000 }) })
    await showLogin(EmailLogin, undefined, { login })
    await expect.element(address()).toHaveAccessibleDescription(/^The login service cannot be reached/)
    await expect.element(button('Continue with email')).toHaveAttribute('aria-busy', 'true')
    await expect.element(page.getByText('Sending a code…')).toBeInTheDocument()
    // Any other error belongs to an earlier attempt.
    login.state.set({ ...login.state.get(), error: fakeFailure('input/invalid', { path: 'email', message: 'no' }) })
    await expect.element(address()).toHaveAccessibleDescription('')
    login.state.set({ ...login.state.get(), busy: 'window' })
    await expect.element(page.getByText('Continue in your wallet’s window.')).toBeInTheDocument()
    login.state.set({ ...login.state.get(), busy: undefined })
    await expect.element(address()).toHaveAccessibleDescription('Enter a valid address, like ana@example.org.')
    expect(page.getByText('Continue in your wallet’s window.').elements()).toEqual([])
  })

  test('neither an empty address nor a second submission is sent [R5.2]', async () => {
    const { login } = await showLogin(EmailLogin, undefined)
    await address().fill('   ')
    await expect.element(button('Continue with email')).toBeDisabled()
    await userEvent.keyboard('{Enter}')
    await address().fill(` ${email} `)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => callsTo(login.calls, 'submitEmail')).toEqual([['submitEmail', email]])
    login.state.set({ ...login.state.get(), busy: 'email' })
    await expect.element(address()).toHaveAttribute('readonly')
    await userEvent.keyboard('{Enter}')
    expect(callsTo(login.calls, 'submitEmail')).toHaveLength(1)
  })

  test('shows an error if the login fails to load', async () => {
    const { page: shown } = viewFixture(EmailLogin, undefined)
    await render(shown)
    await expect.element(page.getByText('The login did not load.')).toBeVisible()
  })
})

describe('EmailVerifyDevice', () => {
  test('sends a single request and waits for the approval until it unmounts [R4.4]', async () => {
    let stopped = 0
    let waiting = 0
    const login = fakeLogin(
      { email },
      {
        awaitDevice: () => {
          waiting += 1
          return () => {
            stopped += 1
          }
        },
      },
    )
    await showLogin(EmailVerifyDevice, { email }, { login })
    await expect.element(page.getByText('Open the link in your email')).toBeVisible()
    await expect.poll(() => waiting).toBe(1)
    expect(page.getByRole('status').element()).toHaveAttribute('aria-live', 'polite')
    expect(await axeFindings()).toEqual([])
    await cleanup()
    expect(stopped).toBe(1)
  })

  test('shows an error and offers a new link if the link has expired', async () => {
    const login = fakeLogin({ email, error: fakeFailure('frame/failed', { message: 'The link has expired' }) })
    await showLogin(EmailVerifyDevice, { email }, { login })
    await expect.element(page.getByText('The link no longer works. Request a new one.')).toBeVisible()
    expect(page.getByRole('status').element()).toHaveAttribute('aria-live', 'assertive')
    await button('Send a new link').click()
    expect(callsTo(login.calls, 'resend')).toHaveLength(1)
  })
})

describe('changing the email address', () => {
  const show = (state: Partial<LoginState> = {}, data: Views['UpdateEmailWallet'] = undefined) =>
    showLogin(UpdateEmailWallet, data, { login: fakeLogin({ email, ...state }) })

  test('only saves an address that is different from the current one [R4.5]', async () => {
    const { login } = await show({}, { redirectView: 'AccountSettings' })
    await expect.element(address()).toHaveValue(email)
    await expect.element(button('Save')).toBeDisabled()
    await expect.element(address()).toHaveAccessibleDescription('This is already your address.')
    await address().fill('new@example.org')
    await button('Save').click()
    expect(callsTo(login.calls, 'updateEmail')).toEqual([['updateEmail', 'new@example.org', 'AccountSettings']])
    expect(await axeFindings()).toEqual([])
  })

  test('has no Cancel button if there is no view to return to', async () => {
    await show()
    await expect.element(button('Save')).toBeVisible()
    expect(button('Cancel').elements()).toEqual([])
  })

  test('requires the user to confirm the current address and then the new address, each with its own code [R4.5]', async () => {
    const first = await showLogin(UpdateEmailPrimaryOtp, { email: 'new@example.org' }, { login: fakeLogin({ email }) })
    await expect.element(page.getByText(`We sent a code to ${email}. It works for 10 minutes.`)).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
    await userEvent.keyboard('111111')
    expect(callsTo(first.login.calls, 'submitPrimaryCode')).toEqual([['submitPrimaryCode', '111111']])
    const second = await showLogin(UpdateEmailSecondaryOtp, { email: 'new@example.org', redirectView: 'Account' })
    await expect.element(page.getByRole('heading', { name: 'Confirm new address' })).toBeVisible()
    await expect.element(page.getByText('We sent a code to new@example.org.', { exact: false })).toBeVisible()
    await userEvent.keyboard('222222')
    expect(callsTo(second.login.calls, 'submitSecondaryCode')).toEqual([['submitSecondaryCode', '222222']])
    await button('Start over').click()
    expect(callsTo(second.latchkey.calls, 'replace')).toEqual([
      ['replace', 'UpdateEmailWallet', { email: 'new@example.org', redirectView: 'Account' }],
    ])
    expect(await axeFindings()).toEqual([])
  })
})

describe('social logins', () => {
  test('all seven providers have a row, and the host can choose the providers and their order [R1.3, R1.4]', async () => {
    await showLogin(ConnectSocials, undefined)
    const rows = () =>
      page
        .getByRole('listitem')
        .elements()
        .map((row) => row.textContent)
    await expect
      .poll(rows)
      .toEqual(
        ['Google', 'Apple', 'X', 'Discord', 'GitHub', 'Facebook', 'Farcaster'].map((name) => `Continue with ${name}`),
      )
    expect(await axeFindings()).toEqual([])
    const { latchkey } = await showLogin(ConnectSocials, undefined, {
      options: { features: { socials: ['github', 'farcaster'] } },
    })
    await expect.poll(rows).toEqual(['Continue with GitHub', 'Continue with Farcaster'])
    await button('Continue with Farcaster').click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'ConnectingFarcaster', undefined]])
  })

  test.each([
    ['Google', 'google'],
    ['Apple', 'apple'],
    ['X', 'x'],
    ['Discord', 'discord'],
    ['GitHub', 'github'],
    ['Facebook', 'facebook'],
  ] as const)('the row for %s starts a login with %s [R1.3]', async (name, provider) => {
    const { login } = await showLogin(ConnectSocials, undefined)
    await page.getByRole('button', { name: `Continue with ${name}`, exact: true }).click()
    expect(callsTo(login.calls, 'social')).toEqual([['social', provider]])
    // A retry uses the same provider.
    const failed = fakeLogin({
      social: { provider, status: 'failed' },
      error: fakeFailure('social/popup-blocked', undefined),
    })
    await showLogin(ConnectingSocial, { provider }, { login: failed })
    await expect.element(page.getByText(`Could not log in with ${name}`)).toBeVisible()
    await button('Try again').click()
    expect(callsTo(failed.calls, 'social')).toEqual([['social', provider]])
  })

  test('shows the progress of the login, and the reason and a retry button if it fails [R1.3]', async () => {
    const login = fakeLogin({ social: { provider: 'github', status: 'opening' } })
    await showLogin(ConnectingSocial, { provider: 'github' }, { login })
    await expect.element(page.getByText('Opening GitHub…')).toBeVisible()
    login.state.set({ ...login.state.get(), social: { provider: 'github', status: 'waiting' } })
    await expect.element(page.getByText('Continue in the window that just opened.')).toBeVisible()
    expect(await axeFindings()).toEqual([])
    login.state.set({ ...login.state.get(), social: { provider: 'github', status: 'retrieving' } })
    await expect.element(page.getByText('Almost there')).toBeVisible()
    expect(button('Cancel').elements()).toEqual([])
    const error = fakeFailure('social/popup-blocked', undefined)
    login.state.set({ ...login.state.get(), error, social: { provider: 'github', status: 'failed' } })
    await expect.element(page.getByText('Could not log in with GitHub')).toBeVisible()
    await expect.element(page.getByText(/The browser blocked the window/)).toBeVisible()
    await button('Try again').click()
    expect(callsTo(login.calls, 'social')).toEqual([['social', 'github']])
  })

  test('leaving the view while the popup is open cancels the login, but the extra unmount in Strict Mode does not', async () => {
    const login = fakeLogin({ social: { provider: 'x', status: 'waiting' } })
    await showLogin(ConnectingSocial, { provider: 'x' }, { login })
    await expect.element(page.getByText('Continue with X')).toBeVisible()
    expect(callsTo(login.calls, 'cancelSocial')).toEqual([])
    await cleanup()
    await expect.poll(() => callsTo(login.calls, 'cancelSocial')).toHaveLength(1)
  })

  test('a Farcaster login shows a QR code on a desktop and a link on a phone [R1.4]', async () => {
    const farcasterUrl = 'https://farcaster.xyz/~/siwf?channelToken=abc'
    const waits = { farcaster: () => new Promise<never>(() => undefined) }
    await showLogin(ConnectingFarcaster, undefined, { login: fakeLogin({}, waits) })
    await expect.element(page.getByText('Preparing a code…')).toBeVisible()
    await expect.element(button('Copy link')).toBeDisabled()
    await showLogin(ConnectingFarcaster, undefined, { login: fakeLogin({ farcasterUrl }, waits) })
    await expect.element(page.getByRole('img', { name: /^QR code for logging in/ })).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await showLogin(ConnectingFarcaster, undefined, {
      login: fakeLogin({ farcasterUrl }, waits),
      options: { platform: 'mobile' },
    })
    await expect.element(page.getByRole('link', { name: 'Open Farcaster' })).toHaveAttribute('href', farcasterUrl)
    expect(page.getByRole('img', { name: /^QR code/ }).elements()).toEqual([])
  })

  test('shows an error and a retry button if a Farcaster login fails [R1.4]', async () => {
    let times = 0
    const login = fakeLogin(
      {},
      {
        farcaster: async () => {
          times += 1
          throw fakeFailure('frame/timeout', { method: 'CONNECT_FARCASTER', afterMs: 30_000 })
        },
      },
    )
    await showLogin(ConnectingFarcaster, undefined, { login })
    await expect.element(page.getByText('The login service did not respond. Try again.')).toBeVisible()
    expect(times).toBe(1)
    await button('Try again').click()
    await expect.poll(() => times).toBe(2)
    await cleanup()
    await expect.poll(() => callsTo(login.calls, 'cancelFarcaster')).toHaveLength(1)
  })
})

describe('ApproveTransaction', () => {
  test('tells the user to continue in the wallet’s window, and its cancel button rejects the request [R1.5] [R2.6]', async () => {
    const { latchkey } = await showLogin(ApproveTransaction, { requestId: 'r1' })
    await expect.element(page.getByText('Approve in the window that just opened')).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await button('Cancel the request').click()
    expect(callsTo(latchkey.calls, 'close')).toEqual([['close', { force: true }]])
  })
})

describe('AccountSettings', () => {
  test('opens the view for changing the email address, and that view then returns to AccountSettings [R4.5]', async () => {
    const { latchkey } = await showLogin(AccountSettings, undefined, { state: loggedIn, login: fakeLogin({ email }) })
    await button(`Email ${email}`).click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([
      ['push', 'UpdateEmailWallet', { email, redirectView: 'AccountSettings' }],
    ])
    expect(await axeFindings()).toEqual([])
  })

  test('shows a social account’s email address, which cannot be changed', async () => {
    await showLogin(AccountSettings, undefined, {
      state: loggedIn,
      login: fakeLogin({ email }),
      stored: { '@latchkey/connected_social': 'github' },
    })
    await expect.element(page.getByText(email)).toBeVisible()
    expect(button(/Email/).elements()).toEqual([])
  })

  test('shows the account type, which can be changed, if the network supports smart accounts [R4.19] [R4.20]', async () => {
    const { login } = await showLogin(AccountSettings, undefined, {
      state: loggedIn,
      stored: { '@latchkey/preferred_account_types': '{"eip155":"eoa"}' },
    })
    await expect.element(button(/^Simple/)).toHaveAttribute('aria-current', 'true')
    await button(/^Smart/).click()
    expect(callsTo(login.calls, 'setAccountType')).toEqual([['setAccountType', 'smartAccount']])
    await expect.element(button(/^Smart/)).toHaveAttribute('aria-current', 'true')
    await showLogin(AccountSettings, undefined, {
      state: loggedIn,
      login: fakeLogin({}, { smartAccountsHere: () => false }),
    })
    await expect.element(button('Disconnect')).toBeVisible()
    expect(button(/^Smart/).elements()).toEqual([])
  })

  test('falls back to the EOA and shows an error if the account type cannot be changed [R4.20]', async () => {
    await showLogin(AccountSettings, undefined, {
      state: loggedIn,
      login: fakeLogin({}, { setAccountType: async () => 'eoa' }),
      stored: { '@latchkey/preferred_account_types': '{"eip155":"eoa"}' },
    })
    await button(/^Smart/).click()
    await expect.element(page.getByText('The account type did not change.')).toBeVisible()
    await expect.element(button(/^Simple/)).toHaveAttribute('aria-current', 'true')
  })
})

describe('login in the modal', () => {
  /** Renders the complete modal with a fake Latchkey, open at `stack`. */
  async function openAt(stack: State['modal']['stack'], login: FakeLogin): Promise<FakeLatchkey> {
    const latchkey = fakeLatchkey({
      login,
      connectMethods: ['email', 'social', 'wallet'],
      state: (initialState) => ({ ...initialState, modal: { ...initialState.modal, open: true, stack } }),
    })
    await render(
      <main>
        <h1>Bakery</h1>
        <LatchkeyProvider latchkey={latchkey}>
          <ConnectButton />
        </LatchkeyProvider>
      </main>,
    )
    return latchkey
  }
  const inside = (): ShadowRoot => document.querySelector('latchkey-modal')?.shadowRoot as ShadowRoot

  test('the user can enter the address and the code, and go back to change the address, using only the keyboard [R1.2] [R4.4]', async () => {
    const login = fakeLogin({}, { submitEmail: async (typed) => leadTo(typed), resend: async () => undefined })
    const latchkey = await openAt([route('Connect')], login)
    const leadTo = (typed: string): void => {
      login.state.set({ ...login.state.get(), email: typed })
      latchkey.modal.push('EmailVerifyOtp', { email: typed })
    }
    await expect.element(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
    await expect.element(address()).toBeVisible()
    while (inside().activeElement !== address().element()) await userEvent.keyboard('{Tab}')
    await userEvent.keyboard(`${email}{Tab}`)
    expect(inside().activeElement?.getAttribute('aria-label')).toBe('Continue with email')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('dialog', { name: 'Check your email' })).toBeVisible()
    await expect.poll(() => inside().activeElement).toBe(code().element())
    await userEvent.keyboard('123456')
    expect(callsTo(login.calls, 'submitCode')).toEqual([['submitCode', '123456']])
    login.state.set({ ...login.state.get(), error: wrong })
    await expect.element(page.getByRole('alert')).toBeVisible()
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    expect(inside().activeElement?.getAttribute('aria-label')).toBe('Close')
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Enter}')
    await expect.element(page.getByRole('dialog', { name: 'Connect a wallet' })).toBeVisible()
    // The entered address is restored, but the error about the code is cleared.
    await expect.element(address()).toHaveValue(email)
    await expect.element(address()).not.toHaveAttribute('aria-invalid')
  })

  test.each<[State['modal']['stack'][number], string, string]>([
    [route('EmailVerifyOtp', { email }), 'Check your email', 'submitCode'],
    [route('EmailVerifyDevice', { email }), 'Approve this browser', 'awaitDevice'],
    [route('UpdateEmailPrimaryOtp', { email }), 'Confirm it’s you', 'submitPrimaryCode'],
    [route('UpdateEmailSecondaryOtp', { email }), 'Confirm new address', 'submitSecondaryCode'],
  ])('%o shows the matching step of the login or email change [R4.4] [R4.5]', async (step, heading, action) => {
    const login = fakeLogin({ email })
    await openAt([route('Connect'), step], login)
    await expect.element(page.getByRole('dialog', { name: heading })).toBeVisible()
    if (action !== 'awaitDevice') {
      await expect.poll(() => inside().activeElement).toBe(code().element())
      await userEvent.keyboard('123456')
    }
    await expect.poll(() => callsTo(login.calls, action)).toHaveLength(1)
  })

  test('login methods have the same height as their placeholders, so that the layout does not shift', async () => {
    await openAt([route('Connect')], fakeLogin())
    await expect.element(address()).toBeVisible()
    const tall = (part: string) => inside().querySelector<HTMLElement>(part)?.offsetHeight
    const row = getComputedStyle(inside().querySelector('.card') as Element).getPropertyValue('--row')
    expect(row).toContain('56px')
    expect([tall('.field-box'), tall('.email'), tall('.socials')]).toEqual([56, 56, 56])
  })

  test('an approval has no back button, and its close button rejects the request [R2.6]', async () => {
    const latchkey = await openAt([route('Account'), route('ApproveTransaction', { requestId: 'r1' })], fakeLogin())
    await expect.element(page.getByRole('dialog', { name: 'Approve' })).toBeVisible()
    expect(button('Back').elements()).toEqual([])
    await button('Close').click()
    expect(callsTo(latchkey.calls, 'close')).toEqual([['close', { force: true }]])
  })
})

describe('an embedded wallet that is slow to load', () => {
  const sentence = page.getByText(/cannot be reached/)
  const late = { error: fakeFailure('frame/unreachable', { afterMs: 5_000 }) } as const
  const never = () => new Promise<void>(() => undefined)

  test.each<[string, Partial<LoginState>, (login: FakeLogin) => Promise<unknown>]>([
    [
      'a social account',
      { busy: 'social', social: { provider: 'google', status: 'opening' } },
      (login) => showLogin(ConnectingSocial, { provider: 'google' }, { login }),
    ],
    ['Farcaster', { busy: 'farcaster' }, (login) => showLogin(ConnectingFarcaster, undefined, { login })],
    ['a passkey', { busy: 'passkey' }, (login) => showLogin(ConnectingPasskey, undefined, { login })],
  ])('while logging in with %s, shows that the wallet cannot be reached until it responds', async (_, state, show) => {
    const login = fakeLogin(state, { farcaster: never, passkey: never, social: never })
    await show(login)
    await expect.element(page.getByRole('status').first()).toBeVisible()
    await expect.element(sentence).not.toBeInTheDocument()
    login.state.set({ ...login.state.get(), ...late })
    await expect.element(sentence).toBeVisible()
    expect(sentence.element().closest('[role=status]')).not.toBeNull()
    // The wallet can still respond, so the login has not failed.
    await expect.element(button('Try again')).not.toBeInTheDocument()
    expect(await axeFindings()).toEqual([])
    login.state.set({ ...login.state.get(), error: undefined })
    await expect.element(sentence).not.toBeInTheDocument()
  })
})

describe('passkeys and key management', () => {
  const passkeyRow = () => page.getByRole('button', { name: 'Continue with a passkey' })

  test('passkey login is offered if the host enables it, and opens ConnectingPasskey', async () => {
    const { latchkey } = await showLogin(Connect, undefined, {
      connectMethods: ['email', 'social', 'wallet'],
      options: { features: { passkey: true } },
    })
    await passkeyRow().click()
    expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'ConnectingPasskey', undefined]])
    await cleanup()
    await showLogin(Connect, undefined, { connectMethods: ['email', 'social', 'wallet'] })
    await expect.element(address()).toBeVisible()
    await expect.element(passkeyRow()).not.toBeInTheDocument()
  })

  test('if the user declines in the wallet’s window, the modal goes back, and a failure can be retried unless the device does not support passkeys', async () => {
    const failing = (error: Error) => fakeLogin({}, { passkey: () => Promise.reject(error) })
    const declined = failing(fakeFailure('user/rejected', { request: 'CONNECT_PASSKEY' }))
    const { latchkey } = await showLogin(ConnectingPasskey, undefined, { login: declined })
    await expect.poll(() => callsTo(latchkey.calls, 'back')).toHaveLength(1)
    await cleanup()
    await showLogin(ConnectingPasskey, undefined, { login: failing(fakeFailure('frame/unreachable', { afterMs: 1 })) })
    await expect.element(page.getByText('Could not log in with the passkey')).toBeVisible()
    await expect.element(button('Try again')).toBeVisible()
    await cleanup()
    await showLogin(ConnectingPasskey, undefined, {
      login: failing(fakeFailure('frame/no-passkeys', undefined)),
    })
    await expect.element(page.getByText('Passkeys are not available here.', { exact: false })).toBeVisible()
    await expect.element(button('Try again')).not.toBeInTheDocument()
  })

  test('the settings link to the key management page if it exists, with rel="noopener noreferrer"', async () => {
    await showLogin(AccountSettings, undefined, { state: loggedIn })
    const row = page.getByRole('link', { name: /Security and recovery/ })
    await expect.element(row).toHaveAttribute('href', 'https://keys.example.org/wallet')
    await expect.element(row).toHaveAttribute('rel', 'noopener noreferrer')
    await cleanup()
    await showLogin(AccountSettings, undefined, {
      state: loggedIn,
      login: fakeLogin({}, { walletPage: () => undefined }),
    })
    await expect.element(button('Disconnect')).toBeVisible()
    await expect.element(row).not.toBeInTheDocument()
  })

  test('WalletReceive only shows a warning if the user has a single key', async () => {
    const single = fakeLogin({}, { isSingle: async () => true })
    await showLogin(WalletReceive, undefined, { state: loggedIn, login: single })
    await expect.element(page.getByText('One key opens this wallet')).toBeVisible()
    await cleanup()
    const { login } = await showLogin(WalletReceive, undefined, { state: loggedIn })
    await expect.poll(() => callsTo(login.calls, 'isSingle')).toHaveLength(1)
    await expect.element(page.getByText('One key opens this wallet')).not.toBeInTheDocument()
  })
})
