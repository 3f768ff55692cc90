import { expect, test } from 'vitest'
import type { LoginOutcome } from '../login/loginContext.ts'
import { fakeLatchkey } from '../testing/index.ts'
import { createLoginNavigation } from './loginNavigation.ts'
import { type Route, route } from './views.ts'

const email = 'ada@shop.example'

function follow(outcome: LoginOutcome, first: Route = route('Connect')) {
  const latchkey = fakeLatchkey({
    state: (initial) => ({ ...initial, modal: { ...initial.modal, open: true, stack: [first] } }),
  })
  createLoginNavigation(latchkey).follow(outcome)
  return latchkey.calls
}

test.each<[string, LoginOutcome, readonly unknown[]]>([
  [
    'an unsupported network',
    { type: 'network-unsupported', network: 'eip155:1' },
    ['push', 'SwitchNetwork', { network: 'eip155:1' }],
  ],
  ['a sent code', { type: 'code-sent', email, isResend: false }, ['push', 'EmailVerifyOtp', { email }]],
  ['a resent code', { type: 'code-sent', email, isResend: true }, ['replace', 'EmailVerifyOtp', { email }]],
  ['a sent link', { type: 'device-link-sent', email, isResend: false }, ['push', 'EmailVerifyDevice', { email }]],
  ['an approved device', { type: 'device-approved', email }, ['replace', 'EmailVerifyOtp', { email }]],
  ['a device that was not approved', { type: 'device-not-approved' }, ['back']],
  ['a social login', { type: 'social-started', provider: 'x' }, ['push', 'ConnectingSocial', { provider: 'x' }]],
  ['a cancelled social login', { type: 'social-cancelled' }, ['back']],
  ['a Farcaster login', { type: 'farcaster-started' }, ['push', 'ConnectingFarcaster', undefined]],
  ['a failed Farcaster login', { type: 'farcaster-failed' }, ['back']],
  [
    'a code sent to the old address',
    { type: 'primary-code-sent', email },
    ['push', 'UpdateEmailPrimaryOtp', { email }],
  ],
  [
    'a code sent to the new address',
    { type: 'secondary-code-sent', email, redirectView: 'AccountSettings' },
    ['push', 'UpdateEmailSecondaryOtp', { email, redirectView: 'AccountSettings' }],
  ],
  ['an accepted code', { type: 'primary-code-accepted', email }, ['replace', 'UpdateEmailSecondaryOtp', { email }]],
  [
    'an email change that specifies a redirect view',
    { type: 'email-changed', redirectView: 'AccountSettings' },
    ['reset', 'AccountSettings', undefined],
  ],
  [
    'an email change that specifies no redirect view',
    { type: 'email-changed', redirectView: undefined },
    ['close', undefined],
  ],
])('the modal navigates as expected after this outcome: %s', (_, outcome, call) => {
  expect(follow(outcome)).toEqual([call])
})

test('a social login that resumes after a redirect opens the modal first', () => {
  expect(follow({ type: 'social-resumed', provider: 'x' }).map(([name]) => name)).toEqual(['open', 'push'])
})

test('after a code has been used, the modal navigates back only if the view for the code is displayed', () => {
  expect(follow({ type: 'code-used-up' }, route('EmailVerifyOtp', { email }))).toEqual([['back']])
  expect(follow({ type: 'code-used-up' }, route('Account'))).toEqual([])
})

test('emailChange() returns the data from the current route', () => {
  const data = { email, redirectView: 'AccountSettings' } as const
  const { state, modal } = fakeLatchkey({
    state: (initial) => ({ ...initial, modal: { ...initial.modal, stack: [route('UpdateEmailPrimaryOtp', data)] } }),
  })
  expect(createLoginNavigation({ state, modal }).emailChange()).toEqual(data)
  modal.reset('Account')
  expect(createLoginNavigation({ state, modal }).emailChange()).toEqual({})
})
