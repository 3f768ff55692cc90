// Loads the lazily imported chunks up front. See testPage.ts.
import '../packages/adapters/src/embedded/embeddedWallet.ts'
import '../packages/adapters/src/evm/evmSession.ts'
import '../packages/adapters/src/evm/viem/checksum.ts'
import '../packages/core/src/modal/modalLogin.ts'
import '../packages/core/src/modal/modalSignIn.ts'
import { expect, test, vi } from 'vitest'
import { embedded } from '../packages/adapters/src/embedded/embeddedConnector.ts'
import type { ConnectorContext } from '../packages/core/src/adapter.ts'
import type { Login } from '../packages/core/src/login/loginTypes.ts'
import type { LatchkeyOptions } from '../packages/core/src/options.ts'
import {
  fakeAdapter,
  fakeAuthentication,
  fakeClock,
  fakeFetch,
  fakeNetwork,
  type MemoryStorage,
  memoryStorage,
} from '../packages/core/src/testing/index.ts'
import { version } from '../packages/core/src/version.ts'
import { frameTexts, frameTypes } from '../packages/protocol/src/frame/messages.ts'
import { seededRandom } from '../packages/protocol/src/testing/seededRandom.ts'
import { type ScriptedFrameOptions, scriptedFrame } from '../packages/testing/src/scriptedFrame.ts'
import { testAccounts } from '../packages/testing/src/testAccounts.ts'
import { openPage, viewsOf } from './testPage.ts'

const email = 'ada@example.org'
const throttle = '@appkit-wallet/LAST_EMAIL_LOGIN_TIME'
const account = `eip155:1:${testAccounts[0].address}`

/** Opens a page with the embedded wallet and a scripted frame. */
async function openLoginPage(
  options: {
    frame?: ScriptedFrameOptions
    options?: LatchkeyOptions
    /** Options for `embedded()`. */
    wallet?: object
    storage?: MemoryStorage
    now?: number
  } = {},
) {
  const frame = scriptedFrame(options.frame)
  const clock = fakeClock(options.now)
  const storage = options.storage ?? memoryStorage()
  const shown: string[] = []
  const place = () => ({
    transport: frame.transport,
    show: () => void shown.push('shown'),
    hide: () => void shown.push('hidden'),
    reload() {},
    remove() {},
  })
  const page = await openPage({
    clock,
    storage,
    adapters: [fakeAdapter({ networks: [fakeNetwork('eip155:1'), fakeNetwork('eip155:137')] })],
    wallets: [embedded({ url: 'https://keys.example', place, ...options.wallet })],
    ...options.options,
  })
  const login = (await page.latchkey.login()) as Login
  /** Advances the clock so that the frame can load and respond, then waits for `promise`. */
  const done = async <T>(promise: Promise<T>, ms = 500): Promise<T> => {
    promise.catch(() => {})
    await clock.pass(ms)
    await clock.pass(0)
    return promise
  }
  const questions = () => frame.requests.map(({ name }) => name)
  return { ...page, clock, storage, frame, login, done, questions, shown, views: () => viewsOf(page.latchkey) }
}

test('a user logs in with an email code and is connected; the modal closes [R1.2] [R4.4] [R3.17]', async () => {
  const { latchkey, login, done, views, storage, questions, frame } = await openLoginPage()
  latchkey.modal.open()
  await done(login.submitEmail(` ${email} `))
  expect(views()).toEqual(['Connect', 'EmailVerifyOtp'])
  expect(latchkey.state.get().modal.stack.at(-1)?.data).toEqual({ email })
  await done(login.submitCode('123 456'), 0)
  expect(latchkey.account()).toMatchObject({ status: 'connected', account, connectorId: 'ID_AUTH' })
  expect(latchkey.state.get().modal.open).toBe(false)
  expect(login.state.get()).toMatchObject({ busy: undefined, error: undefined, resendAt: undefined })
  expect(questions()).toEqual([
    'SYNC_DAPP_DATA',
    'SYNC_THEME',
    'GET_SMART_ACCOUNT_ENABLED_NETWORKS',
    'CONNECT_EMAIL',
    'CONNECT_OTP',
    'GET_USER',
  ])
  expect(frame.requests[0]?.payload).toMatchObject({ sdkType: 'latchkey', sdkVersion: 'react-0.0.0' })
  expect(storage.all()).toMatchObject({
    '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true',
    '@appkit-wallet/EMAIL': email,
    '@appkit-wallet/LAST_USED_CHAIN_KEY': '1',
    '@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS': '1,31337',
  })
  expect(login.currentEmail()).toBe(email)
})

test('a wrong code shows an error under the field, and the correct code is still accepted [R4.4] [R1.2]', async () => {
  const { latchkey, login, done } = await openLoginPage()
  latchkey.modal.open()
  await done(login.submitEmail(email))
  await expect(done(login.submitCode('000000'), 0)).rejects.toMatchObject({ code: 'frame/failed' })
  expect(login.state.get().error?.message).toBe('Invalid code')
  expect(latchkey.state.get().toast).toBeUndefined()
  login.clearError()
  await done(login.submitCode('123456'), 0)
  expect(latchkey.account().status).toBe('connected')
})

test('after a second address is submitted, the code, the resent email and the account use that address [R1.2]', async () => {
  const other = 'bob@example.org'
  const { latchkey, login, done, clock, frame, views } = await openLoginPage()
  const mailed = () =>
    frame.requests.flatMap(({ name, payload }) =>
      name === 'CONNECT_EMAIL' ? [(payload as { email: string }).email] : [],
    )
  latchkey.modal.open()
  await done(login.submitEmail(email))
  latchkey.modal.back()
  await clock.pass(30_000)
  await done(login.submitEmail(other))
  expect(login.state.get().email).toBe(other)
  expect(latchkey.state.get().modal.stack.at(-1)).toEqual({ view: 'EmailVerifyOtp', data: { email: other } })
  await clock.pass(30_000)
  await done(login.resend())
  expect(mailed()).toEqual([email, other, other])
  expect(login.state.get().email).toBe(other)
  expect(views()).toEqual(['Connect', 'EmailVerifyOtp'])
  await done(login.submitCode('123456'), 0)
  expect(latchkey.account().status).toBe('connected')
  expect(login.currentEmail()).toBe(other)
})

test('a login in the wallet’s own window connects the user without asking for a code on the page [R4.4]', async () => {
  const { latchkey, login, clock, frame, views, questions } = await openLoginPage({ frame: { ready: false } })
  latchkey.modal.open()
  const submitting = login.submitEmail(email)
  submitting.catch(() => {})
  await clock.pass(1)
  frame.ready({ version: '4', capabilities: ['window', 'wallet'] })
  await clock.pass(1_000)
  await clock.pass(0)
  await submitting
  expect(questions()).toContain('CONNECT_WINDOW')
  expect(questions().filter((name) => ['CONNECT_EMAIL', 'CONNECT_OTP'].includes(name))).toEqual([])
  expect(latchkey.account()).toMatchObject({ status: 'connected', account })
  expect([latchkey.state.get().modal.open, views()]).toEqual([false, ['Connect']])
})

test('the login returns to the first view if the code is correct but the wallet does not open [R4.4]', async () => {
  const { latchkey, login, done, views } = await openLoginPage({
    frame: {
      script: {
        GET_USER: () => {
          throw new Error('The wallet does not open.')
        },
      },
    },
  })
  latchkey.modal.open()
  await done(login.submitEmail(email))
  await expect(done(login.submitCode('123456'), 0)).rejects.toThrow('The wallet does not open.')
  expect(views()).toEqual(['Connect'])
  expect(login.state.get().error).toBeUndefined()
  expect(latchkey.state.get().toast?.text).toBe('The wallet does not open.')
})

test('the action CONNECT connects the user without further steps [R4.4]', async () => {
  const { latchkey, login, done, views } = await openLoginPage({
    frame: { user: email, script: { CONNECT_EMAIL: () => ({ action: 'CONNECT' }) } },
  })
  latchkey.modal.open()
  const seen = new Set<string>()
  latchkey.state.subscribe(() => {
    for (const view of views()) seen.add(view)
  })
  await done(login.submitEmail(email))
  expect(latchkey.account().account).toBe(account)
  expect([latchkey.state.get().modal.open, [...seen]]).toEqual([false, ['Connect']])
})

test.each([
  ['VERIFY_OTP', 'VERIFY_DEVICE', ['Connect', 'EmailVerifyDevice']],
  ['VERIFY_OTP', 'VERIFY_OTP', ['Connect', 'EmailVerifyOtp']],
  ['VERIFY_DEVICE', 'VERIFY_OTP', ['Connect', 'EmailVerifyOtp']],
  ['VERIFY_DEVICE', 'VERIFY_DEVICE', ['Connect', 'EmailVerifyDevice']],
  ['VERIFY_OTP', 'CONNECT', undefined],
] as const)(
  'if the frame responds to the first email with %s and to the second with %s, the second view replaces the first [R4.4]',
  async (first, second, shown) => {
    const actions = [first, second]
    const { latchkey, login, done, views, clock } = await openLoginPage({
      frame: { user: email, script: { CONNECT_EMAIL: () => ({ action: actions.shift() ?? first }) } },
    })
    latchkey.modal.open()
    await done(login.submitEmail(email))
    expect(views()).toEqual(['Connect', first === 'VERIFY_OTP' ? 'EmailVerifyOtp' : 'EmailVerifyDevice'])
    expect(latchkey.state.get().modal.stack.at(-1)?.data).toEqual({ email })
    await clock.pass(30_000)
    await done(login.resend(), 200)
    if (shown) {
      expect(views()).toEqual(shown)
      expect(latchkey.state.get().modal.stack.at(-1)?.data).toEqual({ email })
      expect(latchkey.account().status).toBe('disconnected')
    } else expect([latchkey.account().account, latchkey.state.get().modal.open]).toEqual([account, false])
  },
)

test('an unknown action is rejected [R4.4]', async () => {
  const { latchkey, login, done, views } = await openLoginPage({
    frame: { user: email, script: { CONNECT_EMAIL: () => ({ action: 'LOGIN' }) as never } },
  })
  latchkey.modal.open()
  await expect(done(login.submitEmail(email))).rejects.toMatchObject({ code: 'frame/failed' })
  expect([views(), latchkey.account().status]).toEqual([['Connect'], 'disconnected'])
})

test('VERIFY_DEVICE polls every 30 seconds until the device is approved, then asks for the code [R4.4] [R9.1]', async () => {
  let approve = () => {}
  const { latchkey, login, done, views, clock, questions, frame } = await openLoginPage({
    frame: {
      script: {
        CONNECT_EMAIL: () => ({ action: 'VERIFY_DEVICE' }),
        CONNECT_DEVICE: () => new Promise<undefined>((resolve) => (approve = () => resolve(undefined))),
      },
    },
  })
  latchkey.modal.open()
  await done(login.submitEmail(email))
  expect(views().at(-1)).toBe('EmailVerifyDevice')
  login.awaitDevice()
  await clock.pass(95_000)
  expect(questions().filter((name) => name === 'CONNECT_DEVICE')).toHaveLength(4)
  expect(latchkey.state.get().alert).toBeUndefined()
  approve()
  await clock.pass(0)
  expect(views().at(-1)).toBe('EmailVerifyOtp')
  expect(latchkey.state.get().modal.stack.at(-1)?.data).toEqual({ email })
  frame.script({ CONNECT_OTP: () => undefined })
})

test('polling for the device approval stops when the link expires [R4.4]', async () => {
  const { latchkey, login, done, views, clock, questions } = await openLoginPage({
    frame: {
      script: { CONNECT_EMAIL: () => ({ action: 'VERIFY_DEVICE' }), CONNECT_DEVICE: () => new Promise(() => {}) },
    },
  })
  latchkey.modal.open()
  await done(login.submitEmail(email))
  login.awaitDevice()
  await clock.pass(620_000)
  expect(views()).toEqual(['Connect'])
  const count = questions().length
  await clock.pass(60_000)
  expect(questions()).toHaveLength(count)
})

test('leaving the device view stops polling, and a rejection navigates back without an error [R4.4]', async () => {
  const { latchkey, login, done, views, clock, questions, frame } = await openLoginPage({
    frame: {
      script: { CONNECT_EMAIL: () => ({ action: 'VERIFY_DEVICE' }), CONNECT_DEVICE: () => new Promise(() => {}) },
    },
  })
  latchkey.modal.open()
  await done(login.submitEmail(email))
  login.awaitDevice()()
  await clock.pass(90_000)
  expect(questions().filter((name) => name === 'CONNECT_DEVICE').length).toBeLessThanOrEqual(1)
  expect(views().at(-1)).toBe('EmailVerifyDevice')
  frame.script({
    CONNECT_DEVICE: () => {
      throw new Error('Gone')
    },
  })
  login.awaitDevice()
  await clock.pass(0)
  expect(views()).toEqual(['Connect'])
  expect(latchkey.state.get().toast).toBeUndefined()
})

test('an invalid address is not sent, and an error from the frame is shown under the field [R5.2]', async () => {
  const { login, done, questions, latchkey } = await openLoginPage({
    frame: {
      script: {
        CONNECT_EMAIL: () => {
          throw new Error('Invalid email address')
        },
      },
    },
  })
  await expect(done(login.submitEmail('ada@example'))).rejects.toMatchObject({ code: 'input/invalid' })
  expect(questions()).toEqual([])
  expect(login.state.get().error?.message).toContain('Invalid email')
  await expect(done(login.submitEmail(email))).rejects.toMatchObject({ code: 'frame/failed' })
  expect(login.state.get().error?.message).toContain('Invalid email')
  expect(latchkey.state.get().toast).toBeUndefined()
})

test.each([
  'ada',
  'ada@',
  '@example.org',
  'ada@example',
  'a b@example.org',
  'ada@exa mple.org',
  'ada@example.org x',
  'ada@example.org, bob@example.org',
  '<b>@example.org',
  'ada,bob@example.org',
  'Ada ada@example.org',
  '',
  '   ',
])('the address "%s" is rejected without being sent, for both a login and an email change [R5.2]', async (typed) => {
  const { login, done, questions } = await openLoginPage()
  for (const attempt of [login.submitEmail, login.updateEmail])
    await expect(done(attempt(typed))).rejects.toMatchObject({
      code: 'input/invalid',
      message: expect.stringContaining('Invalid email'),
    })
  expect(questions()).toEqual([])
  expect(login.secondsToWait()).toBe(0)
})

test('an action that belongs to a different request is rejected [R5.2]', async () => {
  const { latchkey, login, done, frame, views } = await openLoginPage()
  latchkey.modal.open()
  frame.script({ CONNECT_EMAIL: () => ({ action: 'VERIFY_PRIMARY_OTP' }) as never })
  await expect(done(login.submitEmail(email))).rejects.toMatchObject({ code: 'frame/failed' })
  frame.script({ UPDATE_EMAIL: () => ({ action: 'VERIFY_OTP' }) as never })
  await expect(done(login.updateEmail(email), 0)).rejects.toMatchObject({ code: 'frame/failed' })
  expect(views()).toEqual(['Connect'])
})

test('any other error is shown as a toast, and the field can be used again [R4.4] [R5.18]', async () => {
  const { login, done, latchkey } = await openLoginPage({
    frame: {
      script: {
        CONNECT_EMAIL: () => {
          throw new Error('The mail server is down')
        },
      },
    },
  })
  await expect(done(login.submitEmail(email))).rejects.toThrow('The mail server is down')
  expect(latchkey.state.get().toast).toMatchObject({ kind: 'error', text: 'The mail server is down' })
  expect(login.state.get()).toMatchObject({ busy: undefined, error: undefined })
})

test('toasts use the error formatter of the view', async () => {
  const { login, done, clock, latchkey } = await openLoginPage()
  login.setErrorFormatter((error) => (error ? `Fehler: ${error.code}` : 'Ein neuer Code ist unterwegs'))
  await done(login.submitEmail(email))
  await expect(done(login.resend(), 0)).rejects.toMatchObject({ code: 'email/throttled' })
  expect(latchkey.state.get().toast).toMatchObject({ kind: 'error', text: 'Fehler: email/throttled' })
  await clock.pass(30_000)
  await done(login.resend(), 200)
  expect(latchkey.state.get().toast).toMatchObject({ kind: 'success', text: 'Ein neuer Code ist unterwegs' })
})

test('a code can be requested every 30 seconds; a request before then is rejected with the remaining time [R5.4]', async () => {
  const { login, done, clock, latchkey, questions } = await openLoginPage()
  await done(login.submitEmail(email))
  expect(login.secondsToWait()).toBe(30)
  await clock.pass(900)
  await expect(done(login.resend(), 0)).rejects.toMatchObject({
    code: 'email/throttled',
    message: 'Please try again after 30 seconds',
  })
  expect(latchkey.state.get().toast?.text).toBe('Please try again after 30 seconds')
  await clock.pass(28_100)
  await expect(done(login.submitEmail(email), 0)).rejects.toThrow('Please try again after 1 seconds')
  await clock.pass(1_000)
  expect(login.state.get().resendAt).toBeUndefined()
  await done(login.resend(), 200)
  expect(questions().filter((name) => name === 'CONNECT_EMAIL')).toHaveLength(2)
  expect(latchkey.state.get().toast).toMatchObject({ kind: 'success', text: 'Code email resent' })
})

test('a reload does not reset the cooldown, and a timestamp in the future is ignored [R5.4]', async () => {
  const first = await openLoginPage()
  await first.done(first.login.submitEmail(email))
  first.stop()
  const later = first.clock.now() + 10_000
  const { login, done } = await openLoginPage({ storage: first.storage, now: later })
  expect(login.secondsToWait()).toBeGreaterThan(19)
  expect(login.state.get().resendAt).toBe(Number(first.storage.all()[throttle]) + 30_000)
  await expect(done(login.submitEmail(email))).rejects.toMatchObject({ code: 'email/throttled' })

  const future = await openLoginPage({ storage: memoryStorage({ [throttle]: '9000000000000' }) })
  expect(future.login.secondsToWait()).toBe(0)
  await future.done(future.login.submitEmail(email))
})

test('changing the email requires a code from both addresses, unless the frame requests only the code from the new address [R4.5]', async () => {
  const { latchkey, login, done, views, storage, frame } = await openLoginPage({ frame: { user: email } })
  const top = () => latchkey.state.get().modal.stack.at(-1)
  latchkey.modal.open({ view: { view: 'Account', data: undefined } })
  await done(login.updateEmail(' new@example.org '))
  expect(top()).toEqual({ view: 'UpdateEmailPrimaryOtp', data: { email: 'new@example.org' } })
  await expect(done(login.submitPrimaryCode('000000'), 0)).rejects.toThrow('Invalid code')
  expect([top()?.view, login.state.get().error?.message]).toEqual(['UpdateEmailPrimaryOtp', 'Invalid code'])
  await done(login.submitPrimaryCode('123 456'), 0)
  // The code from the current address has been used, so its view is no longer in the stack.
  expect(views()).toEqual(['Account', 'UpdateEmailSecondaryOtp'])
  expect(top()?.data).toEqual({ email: 'new@example.org' })
  await expect(done(login.submitSecondaryCode('000000'), 0)).rejects.toThrow('Invalid code')
  expect([top()?.view, login.state.get().error?.message]).toEqual(['UpdateEmailSecondaryOtp', 'Invalid code'])
  expect(storage.all()['@appkit-wallet/EMAIL']).toBeUndefined()
  expect(await done(login.submitSecondaryCode('123456'), 0)).toBe('new@example.org')
  expect(login.currentEmail()).toBe('new@example.org')
  expect(storage.all()).toMatchObject({
    '@appkit-wallet/EMAIL': 'new@example.org',
    '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true',
  })
  expect(storage.all()[throttle]).toBeUndefined()
  expect(latchkey.state.get().modal.open).toBe(false)

  frame.script({
    UPDATE_EMAIL: () => ({ action: 'VERIFY_SECONDARY_OTP' }),
    UPDATE_EMAIL_SECONDARY_OTP: () => ({ newEmail: 'third@example.org' }),
  })
  latchkey.modal.open({ view: { view: 'Account', data: undefined } })
  await done(login.updateEmail('third@example.org'))
  expect([views(), top()?.data]).toEqual([['Account', 'UpdateEmailSecondaryOtp'], { email: 'third@example.org' }])
  expect(await done(login.submitSecondaryCode('123456'), 0)).toBe('third@example.org')
  expect(
    frame.requests.filter(({ name }) => name.startsWith('UPDATE')).map(({ name, payload }) => [name, payload]),
  ).toEqual([
    ['UPDATE_EMAIL', { email: 'new@example.org' }],
    ['UPDATE_EMAIL_PRIMARY_OTP', { otp: '000000' }],
    ['UPDATE_EMAIL_PRIMARY_OTP', { otp: '123456' }],
    ['UPDATE_EMAIL_SECONDARY_OTP', { otp: '000000' }],
    ['UPDATE_EMAIL_SECONDARY_OTP', { otp: '123456' }],
    ['UPDATE_EMAIL', { email: 'third@example.org' }],
    ['UPDATE_EMAIL_SECONDARY_OTP', { otp: '123456' }],
  ])
})

test('an email change returns to the view that started it [R4.5]', async () => {
  const { latchkey, login, done, views } = await openLoginPage({ frame: { user: email } })
  latchkey.modal.open({ view: { view: 'AccountSettings', data: undefined } })
  latchkey.modal.push('UpdateEmailWallet', { email, redirectView: 'AccountSettings' })
  await done(login.updateEmail('new@example.org', 'AccountSettings'))
  const data = { email: 'new@example.org', redirectView: 'AccountSettings' }
  expect(latchkey.state.get().modal.stack.at(-1)).toEqual({ view: 'UpdateEmailPrimaryOtp', data })
  await done(login.submitPrimaryCode('123456'), 0)
  expect(latchkey.state.get().modal.stack.at(-1)).toEqual({ view: 'UpdateEmailSecondaryOtp', data })
  await done(login.submitSecondaryCode('123456'), 0)
  expect([latchkey.state.get().modal.open, views()]).toEqual([true, ['AccountSettings']])
})

test('changing the email to an invalid address sends nothing and shows an error under the field [R5.2]', async () => {
  const { login, done, questions } = await openLoginPage({ frame: { user: email } })
  await expect(done(login.updateEmail('new@example'))).rejects.toMatchObject({ code: 'input/invalid' })
  expect(questions()).not.toContain('UPDATE_EMAIL')
  expect(login.state.get().error?.message).toContain('Invalid email')
  expect(login.secondsToWait()).toBe(0)
})

test('a failed request does not start the cooldown [R5.4]', async () => {
  const fails = () => {
    throw new Error('The mail server is down')
  }
  const { login, done, frame, storage } = await openLoginPage({
    frame: { user: email, script: { CONNECT_EMAIL: fails, UPDATE_EMAIL: fails } },
  })
  await expect(done(login.submitEmail(email))).rejects.toThrow('The mail server is down')
  await expect(done(login.updateEmail('new@example.org'), 0)).rejects.toThrow('The mail server is down')
  expect([login.secondsToWait(), login.state.get().resendAt, storage.all()[throttle]]).toEqual([
    0,
    undefined,
    undefined,
  ])
  frame.script({ CONNECT_EMAIL: () => ({ action: 'VERIFY_OTP' }) })
  await done(login.submitEmail(email), 0)
  expect(login.secondsToWait()).toBe(30)
})

test('an email change starts the cooldown for email logins but is not subject to it [R5.4]', async () => {
  const { login, done, clock, questions, storage } = await openLoginPage({ frame: { user: email } })
  await done(login.updateEmail('new@example.org'))
  expect(storage.all()).toHaveProperty([throttle])
  await expect(done(login.submitEmail(email), 0)).rejects.toMatchObject({ code: 'email/throttled' })
  await clock.pass(10_000)
  await done(login.updateEmail('newer@example.org'), 0)
  expect(questions().filter((name) => /EMAIL$/.test(name))).toEqual(['UPDATE_EMAIL', 'UPDATE_EMAIL'])
  // The second email restarts the cooldown.
  expect(login.secondsToWait()).toBe(30)
})

test('a login ends the cooldown [R5.4]', async () => {
  const { latchkey, login, done, storage } = await openLoginPage()
  await done(login.submitEmail(email))
  expect(storage.all()).toHaveProperty([throttle])
  await done(login.submitCode('123456'), 0)
  expect(storage.all()).not.toHaveProperty([throttle])
  expect(login.secondsToWait()).toBe(0)
  await done(latchkey.disconnect(), 0)
  await done(login.submitEmail('bob@example.org'), 0)
  expect(latchkey.state.get().toast).toBeUndefined()
})

test.each([
  ['30 seconds ago', -30_000, 0],
  ['almost 30 seconds ago', -29_999, 1],
  ['just now', 0, 30],
  ['in the future', 1, 0],
])('if the last email was sent %s (%i ms), the user has to wait %i seconds [R5.4]', async (_, ms, seconds) => {
  const now = 1_000_000
  const { login, done } = await openLoginPage({ now, storage: memoryStorage({ [throttle]: String(now + ms) }) })
  expect(login.secondsToWait()).toBe(seconds)
  const attempt = done(login.submitEmail(email))
  if (seconds === 0) await attempt
  else await expect(attempt).rejects.toMatchObject({ message: /^Please try again after \d+ seconds$/ })
})

test('an invalid timestamp is ignored [R5.4]', async () => {
  const { login } = await openLoginPage({ storage: memoryStorage({ [throttle]: 'yesterday' }) })
  expect(login.secondsToWait()).toBe(0)
})

test('an email change starts the 30-second cooldown [R5.4]', async () => {
  const { login, done } = await openLoginPage({ frame: { user: email } })
  await done(login.updateEmail('new@example.org'))
  expect(login.secondsToWait()).toBe(30)
})

test('a sign-in that the frame signs is stored with its fields, message and signature but no CACAO [R3.9] [R3.10]', async () => {
  const authentication = fakeAuthentication({
    createMessage: async () => ({
      domain: 'shop.example',
      uri: 'https://shop.example/',
      version: '1',
      nonce: 'n0nce0001',
      issuedAt: '2026-01-01T00:00:00.000Z',
      expirationTime: '2026-01-02T00:00:00.000Z',
      notBefore: '2025-12-31T00:00:00.000Z',
      requestId: 'request-1',
      statement: 'Welcome',
      resources: ['https://shop.example/terms'],
    }),
  })
  const { address } = testAccounts[0]
  const { latchkey, login, done, frame, clock } = await openLoginPage({
    options: { signIn: 'required', authentication },
    frame: {
      script: {
        GET_USER: (request) => ({
          address,
          chainId: 1,
          message: request?.siwxMessage?.serializedMessage?.replace('<<AccountAddress>>', address),
          signature: '0x5167',
        }),
      },
    },
  })
  latchkey.modal.open()
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  await clock.pass(0)
  const message = [
    'shop.example wants you to sign in with your Ethereum account:',
    '<<AccountAddress>>',
    '',
    'Welcome',
    '',
    'URI: https://shop.example/',
    'Version: 1',
    'Chain ID: 1',
    'Nonce: n0nce0001',
    'Issued At: 2026-01-01T00:00:00.000Z',
    'Expiration Time: 2026-01-02T00:00:00.000Z',
    'Not Before: 2025-12-31T00:00:00.000Z',
    'Request ID: request-1',
    'Resources:',
    '- https://shop.example/terms',
  ].join('\n')
  const fields = {
    domain: 'shop.example',
    uri: 'https://shop.example/',
    version: '1',
    nonce: 'n0nce0001',
    issuedAt: '2026-01-01T00:00:00.000Z',
    expirationTime: '2026-01-02T00:00:00.000Z',
    notBefore: '2025-12-31T00:00:00.000Z',
    requestId: 'request-1',
    statement: 'Welcome',
    resources: ['https://shop.example/terms'],
    chainId: 'eip155:1',
  }
  expect(frame.requests.find(({ name }) => name === 'GET_USER')?.payload).toMatchObject({
    siwxMessage: { ...fields, accountAddress: '<<AccountAddress>>', serializedMessage: message },
  })
  expect(authentication.stored.get(account)).toStrictEqual({
    data: { ...fields, accountAddress: address },
    message: message.replace('<<AccountAddress>>', address),
    signature: '0x5167',
  })
  expect(latchkey.state.get().signIn.status).toBe('signed-in')
})

test('a Farcaster login shows a link, waits for the approval and connects [R1.4] [R4.2] [R3.17]', async () => {
  let follow = (_: { userName: string }) => {}
  const { latchkey, login, done, storage, views, frame, questions } = await openLoginPage({
    frame: { script: { CONNECT_FARCASTER: () => new Promise((resolve) => (follow = resolve)) } },
  })
  latchkey.modal.open()
  const journey = login.farcaster()
  await done(Promise.resolve())
  expect(views().at(-1)).toBe('ConnectingFarcaster')
  expect(login.state.get()).toMatchObject({
    busy: 'farcaster',
    farcasterUrl: 'https://farcaster.example/connect?channel=1',
  })
  expect(latchkey.account().status).toBe('disconnected')
  expect(questions()).toEqual([
    'SYNC_DAPP_DATA',
    'SYNC_THEME',
    'GET_SMART_ACCOUNT_ENABLED_NETWORKS',
    'GET_FARCASTER_URI',
    'CONNECT_FARCASTER',
  ])
  frame.script({ GET_USER: () => ({ address: testAccounts[0].address, chainId: 1, email: null }) })
  follow({ userName: 'ada.eth' })
  await done(journey, 0)
  expect(latchkey.account().status).toBe('connected')
  expect(storage.all()).toMatchObject({
    '@appkit-wallet/SOCIAL_USERNAME': 'ada.eth',
    '@latchkey/connected_social': 'farcaster',
  })
})

test.each(['GET_FARCASTER_URI', 'CONNECT_FARCASTER', 'GET_USER'] as const)(
  'if %s fails, the Farcaster login returns to the first view with an error and can be retried [R1.4]',
  async (name) => {
    const { latchkey, login, done, views, frame, storage } = await openLoginPage()
    const fails = () => {
      throw new Error('Not today.')
    }
    frame.script({ [name]: fails })
    latchkey.modal.open()
    await expect(done(login.farcaster())).rejects.toThrow('Not today.')
    expect(views()).toEqual(['Connect'])
    expect(latchkey.state.get().toast?.text).toBe('Not today.')
    expect(login.state.get()).toMatchObject({ busy: undefined, farcasterUrl: undefined })
    expect([latchkey.account().status, storage.all()['@latchkey/connected_social']]).toEqual([
      'disconnected',
      undefined,
    ])
    frame.script({
      GET_FARCASTER_URI: () => ({ url: 'https://farcaster.example/connect?channel=2' }),
      CONNECT_FARCASTER: () => ({ userName: 'ada.eth' }),
      GET_USER: () => ({ address: testAccounts[0].address, chainId: 1, email: null }),
    })
    await done(login.farcaster(), 0)
    expect(latchkey.account().status).toBe('connected')
    expect(latchkey.state.get().modal.open).toBe(false)
  },
)

test('cancelling a Farcaster login reloads the frame, and an email login works afterwards [R1.4, R1.2]', async () => {
  const { latchkey, login, done, questions } = await openLoginPage({
    frame: { script: { CONNECT_FARCASTER: () => new Promise(() => {}) } },
  })
  latchkey.modal.open()
  const journey = login.farcaster()
  journey.catch(() => {})
  await done(Promise.resolve())
  login.cancelFarcaster()
  await expect(done(journey, 0)).rejects.toMatchObject({ code: 'request/aborted' })
  expect(questions().at(-1)).toBe('RELOAD')
  await done(login.submitEmail(email), 600)
  await done(login.submitCode('123456'), 0)
  expect(latchkey.account().status).toBe('connected')
})

const loginKeys = [
  '@appkit-wallet/EMAIL',
  '@appkit-wallet/EMAIL_LOGIN_USED_KEY',
  '@appkit-wallet/LAST_USED_CHAIN_KEY',
  '@appkit-wallet/SOCIAL_USERNAME',
  '@latchkey/connected_social',
]
/** Returns the login keys that are in `storage`, sorted. */
const storedLogin = (storage: MemoryStorage) =>
  Object.keys(storage.all())
    .filter((key) => loginKeys.includes(key))
    .toSorted()
/** Stores the additional values that a social login writes. */
function storeSocial(storage: MemoryStorage): void {
  storage.setItem('@appkit-wallet/SOCIAL_USERNAME', 'ada.eth')
  storage.setItem('@latchkey/connected_social', 'google')
}

test('an email login connects only once the code is entered [R4.2]', async () => {
  const { latchkey, login, done, storage } = await openLoginPage()
  const now = () => [latchkey.account().status, storedLogin(storage)]
  expect(now()).toEqual(['disconnected', []])
  await done(login.submitEmail(email))
  expect(now()).toEqual(['disconnected', []])
  await done(login.submitCode('123456'), 0)
  expect(now()).toEqual(['connected', loginKeys.slice(0, 3)])
})

test.each<[string, (login: Login) => Promise<unknown>, string]>([
  ['an email login', (login) => login.submitEmail(email), 'CONNECT_EMAIL'],
  ['a Farcaster login', (login) => login.farcaster(), 'GET_FARCASTER_URI'],
])('%s is not sent to the frame until the frame is initialised [R4.1]', async (_, begin, request) => {
  let accept = () => {}
  const { login, clock, questions } = await openLoginPage({
    frame: {
      script: { SYNC_DAPP_DATA: () => new Promise<undefined>((resolve) => (accept = () => resolve(undefined))) },
    },
  })
  begin(login).catch(() => {})
  await clock.pass(500)
  expect(questions()).toEqual(['SYNC_DAPP_DATA'])
  accept()
  await clock.pass(0)
  expect(questions()).toContain(request)
})

test('a returning user is reconnected without a prompt, and no frame is loaded for a new user [R4.2]', async () => {
  const first = await openLoginPage()
  await first.done(first.login.submitEmail(email))
  await first.done(first.login.submitCode('123456'), 0)
  first.stop()
  const second = await openLoginPage({ storage: first.storage, frame: { user: email } })
  await second.clock.pass(600)
  expect(second.questions()[0]).toBe('IS_CONNECTED')
  expect(second.latchkey.account()).toMatchObject({ status: 'connected', account })

  const stranger = await openLoginPage()
  await stranger.clock.pass(600)
  expect(stranger.questions()).toEqual([])
})

test('a failed connection check clears the login data on the page [R3.17] [R4.2]', async () => {
  const first = await openLoginPage()
  await first.done(first.login.submitEmail(email))
  await first.done(first.login.submitCode('123456'), 0)
  first.stop()
  storeSocial(first.storage)
  expect(storedLogin(first.storage)).toEqual(loginKeys)
  const second = await openLoginPage({ storage: first.storage })
  await second.clock.pass(600)
  expect(second.latchkey.account().status).toBe('disconnected')
  expect(storedLogin(second.storage)).toEqual([])
})

test('the selected account type is stored per namespace and used again after a reload [R3.17]', async () => {
  const first = await openLoginPage()
  await first.done(first.login.submitEmail(email))
  await first.done(first.login.submitCode('123456'), 0)
  await first.done(first.login.setAccountType('eoa'), 0)
  expect(first.storage.all()['@latchkey/preferred_account_types']).toBe('{"eip155":"eoa"}')
  await first.done(first.login.setAccountType('smartAccount'), 0)
  expect(first.storage.all()['@latchkey/preferred_account_types']).toBe('{"eip155":"smartAccount"}')
  await first.done(first.login.setAccountType('eoa'), 0)
  first.stop()
  const second = await openLoginPage({ storage: first.storage, frame: { user: email } })
  await second.clock.pass(600)
  expect(second.frame.requests.find(({ name }) => name === 'GET_USER')?.payload).toMatchObject({
    preferredAccountType: 'eoa',
  })
})

test('a network switch and an email change are stored for the next visit [R3.17]', async () => {
  const { latchkey, login, done, storage } = await openLoginPage()
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  await done(latchkey.switchNetwork('eip155:137'), 0)
  expect(storage.all()).toMatchObject({
    '@appkit-wallet/LAST_USED_CHAIN_KEY': '137',
    '@latchkey/active_caip_network_id': 'eip155:137',
  })
  latchkey.modal.open({ view: { view: 'Account', data: undefined } })
  await done(login.updateEmail('new@example.org'))
  await done(login.submitPrimaryCode('123456'), 0)
  expect(storage.all()['@appkit-wallet/EMAIL']).toBe(email)
  await done(login.submitSecondaryCode('123456'), 0)
  expect(storage.all()).toMatchObject({
    '@appkit-wallet/EMAIL': 'new@example.org',
    '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true',
  })
})

test('a login neither reads nor changes records with a later version [R3.19]', async () => {
  const later = {
    '@appkit-wallet/STORAGE_VERSION': '2',
    '@appkit-wallet/EMAIL': 'other@example.org',
    '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true',
    '@appkit-wallet/LAST_EMAIL_LOGIN_TIME': '999000',
  }
  const { latchkey, login, done, storage, questions, clock } = await openLoginPage({ storage: memoryStorage(later) })
  await clock.pass(600)
  expect([questions(), login.currentEmail(), login.secondsToWait()]).toEqual([[], undefined, 0])
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  expect(latchkey.account().status).toBe('connected')
  const own = Object.entries(storage.all()).filter(([key]) => key.startsWith('@appkit-wallet/'))
  expect(Object.fromEntries(own)).toEqual(later)
})

test('disconnecting signs the user out of the frame and clears the login [R4.2]', async () => {
  const { latchkey, login, done, questions, storage, frame } = await openLoginPage()
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  storeSocial(storage)
  expect(storedLogin(storage)).toEqual(loginKeys)
  await done(latchkey.disconnect(), 0)
  expect(questions().at(-1)).toBe('SIGN_OUT')
  expect(frame.user).toBeUndefined()
  expect(latchkey.account().status).toBe('disconnected')
  expect(storedLogin(storage)).toEqual([])
})

test('disconnecting while the frame is unreachable also clears the login [R4.2]', async () => {
  const first = await openLoginPage()
  await first.done(first.login.submitEmail(email))
  await first.done(first.login.submitCode('123456'), 0)
  first.stop()
  storeSocial(first.storage)
  const away = () => {
    throw new Error(frameTexts.serverAway)
  }
  const { latchkey, clock, storage } = await openLoginPage({
    storage: first.storage,
    frame: { user: email, script: { IS_CONNECTED: away } },
  })
  await clock.pass(1_000)
  expect([latchkey.account().status, storedLogin(storage)]).toEqual(['reconnecting', loginKeys])
  await latchkey.disconnect()
  expect([latchkey.account().status, storedLogin(storage)]).toEqual(['disconnected', []])
})

test('one login connects both namespaces; the active namespace stays selected [R9.9]', async () => {
  const solanaChain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const solanaAddress = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
  const { latchkey, login, done, questions } = await openLoginPage({
    options: {
      adapters: [
        fakeAdapter({ networks: [fakeNetwork('eip155:1')] }),
        fakeAdapter({ namespace: 'solana', networks: [fakeNetwork(solanaChain)] }),
      ],
    },
    frame: {
      script: {
        GET_USER: (request) =>
          String(request?.chainId).startsWith('solana')
            ? { address: solanaAddress, chainId: solanaChain }
            : { address: testAccounts[0].address, chainId: 1, email },
      },
    },
  })
  latchkey.modal.open()
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  expect(latchkey.account('eip155').status).toBe('connected')
  expect(latchkey.account('solana').account).toBe(`${solanaChain}:${solanaAddress}`)
  expect(latchkey.state.get().networks.active).toBe('eip155:1')
  expect(questions().slice(-3)).toEqual(['GET_USER', 'GET_USER', 'SWITCH_NETWORK'])
  await done(latchkey.disconnect({ namespace: 'eip155' }), 0)
  expect(latchkey.account('solana').status).toBe('disconnected')
})

test('login methods are offered only if the host uses embedded() [R9.11]', async () => {
  const plain = await openPage({})
  expect(await plain.latchkey.login()).toBeUndefined()
  expect(plain.latchkey.connectMethods()).toEqual(['wallet'])
  const { latchkey } = await openLoginPage()
  expect(latchkey.connectMethods()).toEqual(['email', 'social', 'wallet'])
  expect(latchkey.shown()).toEqual([])
})

const metadata = {
  name: 'Shop',
  description: 'Bread',
  url: 'https://shop.example',
  icons: ['https://shop.example/i.png'],
}

test.each<[what: string, options: LatchkeyOptions, wallet: object, dapp: object]>([
  ['the host’s metadata and project ID', { app: metadata, projectId: 'p' }, {}, { metadata, projectId: 'p' }],
  [
    'the project ID of the embedded wallet if it has its own',
    { app: metadata, projectId: 'p' },
    { projectId: 'k' },
    { metadata, projectId: 'k' },
  ],
  [
    'empty metadata if there is no page to read metadata from',
    {},
    {},
    { metadata: { name: '', description: '', url: '', icons: [] }, projectId: '' },
  ],
])('SYNC_DAPP_DATA contains %s [R3.16]', async (_, options, wallet, dapp) => {
  const { login, done, frame } = await openLoginPage({ options, wallet })
  await done(login.submitEmail(email))
  expect(frame.requests[0]).toMatchObject({ name: 'SYNC_DAPP_DATA' })
  expect(frame.requests[0]?.payload).toEqual({ ...dapp, sdkType: 'latchkey', sdkVersion: `react-${version}` })
})

test('metadata that the host omits is read from the page [R3.16]', async () => {
  let context: ConnectorContext | undefined
  const attach = (host: ConnectorContext) => {
    context = host
    return () => {}
  }
  await openPage({ app: { name: 'Shop' }, wallets: [{ id: 'w', attach, connectorFor: () => undefined }] })
  const elements: Readonly<Record<string, Record<string, string>>> = {
    'link[rel~="icon"]': { href: '/i.png' },
    'meta[name="description"]': { content: 'Bread' },
  }
  vi.stubGlobal('location', new URL('https://shop.example/basket?a=1'))
  vi.stubGlobal('document', {
    title: 'Basket',
    baseURI: 'https://shop.example/basket',
    querySelector: (name: string) => ({ getAttribute: (of: string) => elements[name]?.[of] ?? null }),
  })
  try {
    expect(context?.dapp().metadata).toEqual({
      name: 'Shop',
      description: 'Bread',
      url: 'https://shop.example',
      icons: ['https://shop.example/i.png'],
    })
  } finally {
    vi.unstubAllGlobals()
  }
})

test.each<[options: LatchkeyOptions, theme: object]>([
  [{}, { themeMode: 'light', themeVariables: {}, w3mThemeVariables: { '--w3m-background': '#fff' } }],
  [
    { themeMode: 'dark' },
    { themeMode: 'dark', themeVariables: {}, w3mThemeVariables: { '--w3m-background': '#202020' } },
  ],
  [
    { themeMode: 'light', themeVariables: { accent: '#0a7', radius: '4px' } },
    {
      themeMode: 'light',
      themeVariables: { accent: '#0a7', radius: '4px' },
      w3mThemeVariables: { '--w3m-accent': '#0a7', '--w3m-background': '#fff' },
    },
  ],
])('with %o, the frame receives the theme before the login [R3.16]', async (options, theme) => {
  const { login, done, frame } = await openLoginPage({ options })
  await done(login.submitEmail(email))
  expect(frame.requests[1]).toMatchObject({ name: 'SYNC_THEME' })
  expect(frame.requests[1]?.payload).toEqual(theme)
})

test.each<[what: string, options: LatchkeyOptions]>([
  ['if no theme is configured', {}],
  ['if the theme follows the system', { themeMode: 'system' }],
  ['if the theme is light', { themeMode: 'light' }],
  ['if the theme is dark', { themeMode: 'dark' }],
])('%s, the frame only receives the theme modes light and dark [R5.3]', async (_, options) => {
  const { latchkey, login, done, frame, clock } = await openLoginPage({ options })
  const modes = () =>
    frame.requests.flatMap(({ name, payload }) =>
      name === 'SYNC_THEME' ? [(payload as { themeMode?: unknown }).themeMode] : [],
    )
  await done(login.submitEmail(email))
  expect(modes()).toEqual([options.themeMode === 'dark' ? 'dark' : 'light'])
  for (const mode of ['dark', 'system', 'light', 'system'] as const) {
    latchkey.setTheme({ mode })
    await clock.pass(0)
  }
  expect(modes().slice(1)).toEqual(['dark', 'light', 'light', 'light'])
})

test('a session token from the frame changes nothing on the page [R3.16]', async () => {
  const { latchkey, login, done, frame, storage, clock } = await openLoginPage()
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  const now = () => [latchkey.state.get(), storage.all(), frame.requests.length]
  const before = now()
  frame.sendMessage({ type: '@w3m-frame/SESSION_UPDATE', payload: { token: 'jwt' } })
  await clock.pass(0)
  expect(now()).toEqual(before)
})

test('a theme change is sent to the loaded frame [R3.16]', async () => {
  const { latchkey, login, done, frame, clock } = await openLoginPage()
  latchkey.setTheme({ mode: 'dark' })
  await clock.pass(0)
  expect(frame.requests).toEqual([])
  await done(login.submitEmail(email))
  latchkey.setTheme({ mode: 'light', variables: { accent: '#0a7' } })
  await clock.pass(0)
  expect(frame.requests.at(-1)).toMatchObject({
    name: 'SYNC_THEME',
    payload: {
      themeMode: 'light',
      themeVariables: { accent: '#0a7' },
      w3mThemeVariables: { '--w3m-accent': '#0a7', '--w3m-background': '#fff' },
    },
  })
})

test('an unresponsive frame shows the specified alert to the developer [R8.1, R8.5] [R9.1]', async () => {
  const { latchkey, login, done, frame } = await openLoginPage({
    options: { debug: true },
    frame: { script: { CONNECT_EMAIL: () => new Promise(() => {}) } },
  })
  const submitted = login.submitEmail(email)
  await expect(done(submitted, 31_000)).rejects.toMatchObject({ code: 'frame/timeout' })
  expect(latchkey.state.get().alert).toMatchObject({ text: 'Embedded Wallet Request Timed Out' })
  frame.script({ CONNECT_EMAIL: () => ({ action: 'VERIFY_OTP' }) })
  await done(login.submitEmail(email), 0)
})

test('if fetching the smart account networks fails, the list is empty and no account type is offered [R4.19]', async () => {
  const storage = memoryStorage({ '@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS': '1,137' })
  const { login, done, latchkey } = await openLoginPage({
    storage,
    frame: {
      script: {
        GET_SMART_ACCOUNT_ENABLED_NETWORKS: () => {
          throw new Error('no')
        },
      },
    },
  })
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  expect(latchkey.account().status).toBe('connected')
  expect(storage.all()['@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS']).toBe('')
  expect(login.smartAccountsHere()).toBe(false)
  expect(latchkey.state.get().toast).toBeUndefined()
})

test('a returning user is reconnected without smart account networks if fetching them times out [R4.19]', async () => {
  const first = await openLoginPage()
  await first.done(first.login.submitEmail(email))
  await first.done(first.login.submitCode('123456'), 0)
  expect(first.storage.all()['@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS']).toBe('1,31337')
  first.stop()
  const never = () => new Promise<never>(() => {})
  const { latchkey, clock, storage, login } = await openLoginPage({
    storage: first.storage,
    frame: { user: email, script: { GET_SMART_ACCOUNT_ENABLED_NETWORKS: never } },
  })
  await clock.pass(6_000)
  expect(latchkey.account()).toMatchObject({ status: 'connected', account })
  expect(storage.all()['@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS']).toBe('')
  expect(login.smartAccountsHere()).toBe(false)
})

test('the account type falls back to eoa if the frame rejects it [R4.20]', async () => {
  const [{ address: key }, { address: contract }] = testAccounts
  const { login, done, frame, storage, latchkey } = await openLoginPage({
    frame: {
      script: {
        GET_USER: (request) => ({
          address: request?.preferredAccountType === 'eoa' ? key : contract,
          chainId: 1,
          email,
        }),
      },
    },
  })
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  expect(frame.requests.at(-1)?.payload).toMatchObject({ preferredAccountType: 'smartAccount' })
  expect(latchkey.account().address).toBe(contract)
  frame.script({
    SET_PREFERRED_ACCOUNT: () => {
      throw new Error('no')
    },
  })
  expect(await done(login.setAccountType('smartAccount'), 0)).toBe('eoa')
  expect(storage.all()['@latchkey/preferred_account_types']).toBe('{"eip155":"eoa"}')
  expect(frame.requests.at(-1)).toMatchObject({ name: 'GET_USER', payload: { preferredAccountType: 'eoa' } })
  expect(login.smartAccountsHere()).toBe(true)
  expect(latchkey.account()).toMatchObject({
    status: 'connected',
    address: key,
    preferredAccountTypes: { eip155: 'eoa' },
  })
})

test('a rejected account type can be selected again, and analytics report the type in use [R4.20]', async () => {
  const events: unknown[] = []
  const server = fakeFetch({
    '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
    '/e': ({ body }) => {
      const { event, properties } = (body as { props: { event: string; properties: object } }).props
      if (event === 'SET_PREFERRED_ACCOUNT_TYPE') events.push(properties)
      return {}
    },
  })
  const { latchkey, login, done, frame, storage, clock } = await openLoginPage({
    options: { server: 'https://connect.example', projectId: 'p', fetch: server.fetch },
    storage: memoryStorage({ '@latchkey/preferred_account_types': '{"solana":"eoa","eip155":"smartAccount"}' }),
  })
  latchkey.modal.open()
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  const refuse = () => {
    throw new Error('no')
  }
  frame.script({ SET_PREFERRED_ACCOUNT: refuse })
  expect(await done(login.setAccountType('smartAccount'), 0)).toBe('eoa')
  expect(JSON.parse(storage.all()['@latchkey/preferred_account_types'] ?? '')).toEqual({ solana: 'eoa', eip155: 'eoa' })
  const type = 'smartAccount' as const
  const { address } = testAccounts[0]
  frame.script({
    SET_PREFERRED_ACCOUNT: () => ({ type, address }),
    GET_USER: () => ({ address, chainId: 1, email, accounts: [{ address, type }], preferredAccountType: type }),
  })
  expect(await done(login.setAccountType('smartAccount'), 0)).toBe('smartAccount')
  expect(JSON.parse(storage.all()['@latchkey/preferred_account_types'] ?? '')).toMatchObject({ eip155: 'smartAccount' })
  await clock.pass(100)
  expect(events).toMatchObject([{ accountType: 'eoa' }, { accountType: 'smartAccount' }])
})

test('an approval keeps the modal open and then returns to the previous view [R2.6] [R4.15] [R6.4]', async () => {
  let sign = (_: unknown) => {}
  const { latchkey, login, done, frame, views, clock, shown } = await openLoginPage()
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  frame.script({ RPC_REQUEST: () => new Promise((resolve) => (sign = resolve)) })
  latchkey.modal.open({ view: { view: 'Account', data: undefined } })
  const ask = () =>
    latchkey.session()?.can.signMessage?.({
      account: latchkey.account().account as `eip155:${string}:${string}`,
      message: new Uint8Array([1]),
    })
  const signing = ask()
  await clock.pass(0)
  expect(views()).toEqual(['Account', 'ApproveTransaction'])
  expect(latchkey.modal.close()).toBe(false)
  expect(shown).toEqual(['shown'])
  sign('0x12')
  await signing
  expect(views()).toEqual(['Account'])
  expect(latchkey.state.get().modal.open).toBe(true)

  const request = ask()
  request?.catch(() => {})
  await clock.pass(0)
  expect(latchkey.modal.close({ force: true })).toBe(true)
  await expect(request).rejects.toMatchObject({ code: 'request/aborted', message: 'Request was aborted' })
  await clock.pass(0)
  expect(frame.requests.at(-1)?.name).toBe('RPC_ABORT')
})

/** Logs in, opens the modal and requests a signature, so that an approval is pending. */
async function openApproval(options: Parameters<typeof openLoginPage>[0] = {}) {
  const page = await openLoginPage(options)
  const { latchkey, login, done, frame, clock } = page
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  let sign = (_: unknown) => {}
  let refuse = (_: Error) => {}
  frame.script({
    RPC_REQUEST: () =>
      new Promise((resolve, reject) => {
        sign = resolve
        refuse = reject
      }),
  })
  latchkey.modal.open({ view: { view: 'Account', data: undefined } })
  const signing = latchkey.session()?.can.signMessage?.({
    account: latchkey.account().account as `eip155:${string}:${string}`,
    message: new Uint8Array([1]),
  })
  signing?.catch(() => {})
  await clock.pass(0)
  expect(page.views()).toEqual(['Account', 'ApproveTransaction'])
  return { ...page, signing, sign: (signature: string) => sign(signature), refuse: (error: Error) => refuse(error) }
}

test.each([{}, { embedded: true }])(
  'with %o, the modal returns to the previous view once the user has signed or declined in the frame [R2.6]',
  async (options) => {
    const signed = await openApproval({ options })
    signed.sign('0x12')
    expect(await signed.signing).toEqual(new Uint8Array([0x12]))
    expect([signed.views(), signed.latchkey.state.get().modal.open, signed.shown]).toEqual([
      ['Account'],
      true,
      ['shown', 'hidden'],
    ])

    const declined = await openApproval({ options })
    declined.refuse(new Error('User rejected the request.'))
    await expect(declined.signing).rejects.toMatchObject({ code: 'user/rejected' })
    expect([declined.views(), declined.latchkey.state.get().modal.open]).toEqual([['Account'], true])
  },
)

test.each([{}, { embedded: true }])(
  'with %o, a forced close rejects the request with the specified message and aborts it in the frame [R2.6]',
  async (options) => {
    const { latchkey, signing, views, clock, frame, shown } = await openApproval({ options })
    expect(latchkey.modal.close()).toBe(false)
    expect(frame.requests.at(-1)?.name).toBe('RPC_REQUEST')
    expect(latchkey.modal.close({ force: true })).toBe(true)
    await expect(signing).rejects.toMatchObject({ code: 'request/aborted', message: 'Request was aborted' })
    await clock.pass(0)
    expect([frame.requests.at(-1)?.name, shown]).toEqual(['RPC_ABORT', ['shown', 'hidden']])
    expect(views()).toEqual(['embedded' in options ? 'Account' : 'Connect'])
    expect(latchkey.account().status).toBe('connected')
  },
)

test('if the frame reloads, the request is rejected and the modal returns to the previous view [R2.6]', async () => {
  const { latchkey, signing, views, clock, frame, shown } = await openApproval({ frame: { port: true } })
  frame.ready()
  await clock.pass(0)
  await expect(signing).rejects.toMatchObject({ message: 'The frame reloaded.' })
  await clock.pass(0)
  expect([views(), latchkey.state.get().modal.open, shown]).toEqual([['Account'], true, ['shown', 'hidden']])
  expect(latchkey.modal.close()).toBe(true)
})

test.each(['back', 'close'] as const)(
  '%s() does not cancel an approval, but disconnecting or removing the frame does [R2.6] [R4.15]',
  async (way) => {
    for (const end of ['disconnect', 'the frame'] as const) {
      const { latchkey, login, done, frame, views, clock } = await openLoginPage()
      await done(login.submitEmail(email))
      await done(login.submitCode('123456'), 0)
      let fail = (_: Error) => {}
      frame.script({ RPC_REQUEST: () => new Promise((_, reject) => (fail = reject)) })
      latchkey.modal.open({ view: { view: 'Account', data: undefined } })
      const signing = latchkey.session()?.can.signMessage?.({
        account: latchkey.account().account as `eip155:${string}:${string}`,
        message: new Uint8Array([1]),
      })
      signing?.catch(() => {})
      await clock.pass(0)
      for (let press = 1; press <= 5; press++) {
        latchkey.modal[way]()
        expect([latchkey.state.get().modal.open, views()]).toEqual([true, ['Account', 'ApproveTransaction']])
        expect(latchkey.state.get().modal.shaking).toBe(true)
      }
      expect(frame.requests.at(-1)?.name).toBe('RPC_REQUEST')
      const leaving = end === 'disconnect' ? latchkey.disconnect() : undefined
      if (!leaving) fail(new Error('The frame is gone.'))
      await clock.pass(3000)
      await leaving
      await expect(signing).rejects.toThrow()
      await clock.pass(0)
      expect(views()).not.toContain('ApproveTransaction')
      expect(latchkey.state.get().modal.open).toBe(end === 'the frame')
    }
  },
)

test('a closed modal stays closed during frame requests [R1.5]', async () => {
  const { latchkey, login, done, shown } = await openLoginPage()
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  const signing = latchkey.session()?.can.signMessage?.({
    account: latchkey.account().account as `eip155:${string}:${string}`,
    message: new Uint8Array([1]),
  })
  expect(latchkey.state.get().modal.open).toBe(false)
  expect(await signing).toHaveLength(65)
  expect(shown).toEqual(['shown', 'hidden'])
})

const seed = Number(process.env.FUZZ_SEED ?? 71_034)

test(`10,000 unsolicited messages change nothing, and requests are still answered (seed ${seed}) [R5.1]`, async () => {
  const { latchkey, login, done, storage, frame, clock } = await openLoginPage()
  await done(login.submitEmail(email))
  await done(login.submitCode('123456'), 0)
  const provider = latchkey.session()?.provider as {
    request(call: { method: string; params: unknown }): Promise<unknown>
  }
  const now = () => [latchkey.state.get(), storage.all(), login.state.get()]
  const before = now()
  const chance = seededRandom(seed)
  let request: Promise<unknown> | undefined
  for (let round = 0; round < 10_000; round++) {
    if (round % 100 === 0) {
      expect(await request).toEqual(round === 0 ? undefined : '0x0')
      request = provider.request({ method: 'eth_getBalance', params: ['0x', 'latest'] })
    }
    const attacker = {
      address: testAccounts[1].address,
      chainId: 1,
      email: 'thief@example.org',
      isConnected: false,
      message: 'x',
    }
    frame.sendMessage({
      type: chance.pick(frameTypes.filter((type) => type !== '@w3m-frame/READY')),
      // The ID is guessed, missing, or the ID of a request that has already been answered.
      id: chance.pick([undefined, chance.word(1, 12), frame.requests[chance.int(frame.requests.length)]?.id]),
      payload: chance.pick([
        undefined,
        null,
        attacker,
        { ...attacker, address: '' },
        chance.word(0, 9),
        [],
        { message: 1 },
      ]),
    })
  }
  await clock.pass(0)
  expect(await request).toBe('0x0')
  expect(now()).toEqual(before)
})
