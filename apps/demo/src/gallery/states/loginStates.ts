import type { LatchkeyOptions, LoginState, State } from '@latchkey/core'
import { fakeFailure, fakeLogin } from '@latchkey/core/testing'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import { withConnection, withNetworks } from '../samples.ts'

const email = 'ana@example.org'
const longEmail = 'anastasia.konstantinopolitanskaya+receipts@mail.a-very-long-company-name.example.org'
const never = new Promise<never>(() => undefined)
const all = ['email', 'social', 'wallet'] as const
const withLinks: LatchkeyOptions = { termsUrl: 'https://app.example/terms', privacyUrl: 'https://app.example/privacy' }

/** A stopped clock, so that countdowns look the same in every screenshot. */
const still: NonNullable<LatchkeyOptions['clock']> = { now: () => 1_000_000, after: () => () => undefined }

const failedWith = (message: string) => fakeFailure('frame/failed', { message })
const invalid = fakeFailure('input/invalid', { path: 'email', message: 'Invalid email' })
const unreachable = fakeFailure('frame/unreachable', { afterMs: 20_000 })
const asking = (state: Partial<LoginState> = {}) => ({ login: fakeLogin(state) })
const social = (status: 'opening' | 'waiting' | 'retrieving' | 'failed', error?: LoginState['error']) =>
  asking({ error, social: { provider: 'github', status } })
const farcaster = (state: Partial<LoginState>, fails?: Error) => ({
  login: fakeLogin(state, {
    farcaster: async () => {
      if (fails) throw fails
      return never
    },
  }),
})

const passkey = (fails?: Error) => ({
  login: fakeLogin(
    {},
    {
      passkey: async () => {
        if (fails) throw fails
        return never
      },
    },
  ),
})

/** Returns `initialState` with an account connected through the embedded wallet. */
function loggedIn(initialState: State): State {
  const now = withConnection(initialState)
  const connectors = now.wallets.connectors.map((connector) =>
    connector.id === 'example.marlin' ? { ...connector, name: 'Bakery account', type: 'AUTH' as const } : connector,
  )
  return { ...now, wallets: { ...now.wallets, connectors } }
}

/** The login views, and the account view after logging in. */
export const loginStates: readonly GalleryEntry[] = [
  ...statesOf('Connect', undefined, {
    logins: {
      ...asking(),
      connectMethods: all,
      options: withLinks,
      state: (initialState) => withNetworks(initialState),
    },
    'with a passkey': {
      ...asking(),
      connectMethods: all,
      options: { features: { passkey: true, collapseWallets: true } },
    },
    'logins after wallets': { ...asking(), connectMethods: ['wallet', 'email', 'social'] },
    'logins disabled': {
      ...asking(),
      connectMethods: all,
      options: { ...withLinks, features: { legalCheckbox: true, collapseWallets: true } },
    },
    'sending the email': {
      ...asking({ email, busy: 'email' }),
      connectMethods: all,
      options: { features: { collapseWallets: true } },
    },
    'invalid email': {
      ...asking({ email: 'ana@example', error: invalid }),
      connectMethods: all,
      options: { features: { collapseWallets: true } },
    },
    'one provider': {
      ...asking(),
      connectMethods: ['social', 'wallet'],
      options: { features: { socials: ['google'] } },
    },
    'three providers': {
      ...asking(),
      connectMethods: ['wallet', 'social'],
      options: { features: { socials: ['google', 'apple', 'farcaster'], collapseWallets: true } },
    },
    'logged in': {
      ...asking(),
      connectMethods: all,
      options: { features: { collapseWallets: true } },
      state: loggedIn,
    },
  }),
  ...statesOf('ConnectSocials', undefined, {
    loaded: { ...asking(), options: withLinks },
    disabled: { ...asking(), options: { ...withLinks, features: { legalCheckbox: true } } },
    empty: { ...asking(), options: { features: { socials: false } } },
  }),
  ...statesOf('EmailLogin', undefined, {
    empty: { ...asking(), options: withLinks },
    typing: { ...asking(), typed: email },
    sending: asking({ email, busy: 'email' }),
    invalid: asking({ email: 'ana@example', error: invalid }),
    throttled: asking({ email, error: fakeFailure('email/throttled', { seconds: 17 }) }),
    offline: { ...asking({ email, error: unreachable }), offline: true },
    'long content': asking({ email: longEmail }),
    'not available': {},
  }),
  ...statesOf(
    'EmailVerifyOtp',
    { email },
    {
      empty: asking({ email }),
      typing: { ...asking({ email }), typed: '123' },
      countdown: { ...asking({ email, resendAt: 1_027_000 }), options: { clock: still } },
      checking: { ...asking({ email, busy: 'code' }), typed: '123456' },
      wrong: { ...asking({ email, error: failedWith('Invalid code') }) },
      expired: asking({ email, error: failedWith('This code has expired') }),
      resending: asking({ email, busy: 'email' }),
      'frame failed': asking({ email, error: unreachable }),
    },
  ),
  ...statesOf('EmailVerifyOtp', { email: longEmail }, { 'long content': asking({ email: longEmail }) }),
  ...statesOf(
    'EmailVerifyDevice',
    { email },
    {
      waiting: asking({ email, busy: 'device' }),
      countdown: { ...asking({ email, busy: 'device', resendAt: 1_027_000 }), options: { clock: still } },
      expired: asking({ email, error: failedWith('The link has expired') }),
    },
  ),
  ...statesOf(
    'EmailVerifyDevice',
    { email: longEmail },
    { 'long content': asking({ email: longEmail, busy: 'device' }) },
  ),
  ...statesOf(
    'UpdateEmailWallet',
    { redirectView: 'AccountSettings' },
    {
      unchanged: { ...asking({ email }), state: loggedIn },
      typing: { ...asking({ email }), state: loggedIn, typed: 'new@example.org' },
      saving: { ...asking({ email, busy: 'update' }), state: loggedIn },
      error: { ...asking({ email, error: invalid }), state: loggedIn },
      'not available': { state: loggedIn },
    },
    'Account',
  ),
  ...statesOf(
    'UpdateEmailPrimaryOtp',
    { email },
    { empty: asking({ email }), wrong: asking({ email, error: failedWith('Invalid code') }) },
    'Account',
  ),
  ...statesOf(
    'UpdateEmailSecondaryOtp',
    { email: 'new@example.org' },
    { empty: asking({ email }), checking: asking({ email, busy: 'update' }) },
    'Account',
  ),
  ...statesOf(
    'ConnectingSocial',
    { provider: 'github' },
    {
      opening: social('opening'),
      waiting: social('waiting'),
      retrieving: social('retrieving'),
      failed: social('failed'),
      declined: social('failed', failedWith('The sign-in was declined')),
      blocked: social('failed', fakeFailure('social/popup-blocked', undefined)),
    },
  ),
  ...statesOf('ConnectingFarcaster', undefined, {
    loading: farcaster({}),
    ready: farcaster({ farcasterUrl: 'https://farcaster.example/siwf?channelToken=9f7a2b41c0de4d7e8a35' }),
    copied: { ...farcaster({ farcasterUrl: 'https://farcaster.example/siwf?channelToken=9f7a' }), press: 'Copy link' },
    'copy failed': {
      ...farcaster({ farcasterUrl: 'https://farcaster.example/siwf?channelToken=9f7a2b41c0de4d7e8a35' }),
      press: 'Copy link',
      noClipboard: true,
    },
    phone: {
      ...farcaster({ farcasterUrl: 'https://farcaster.example/siwf?channelToken=9f7a' }),
      options: { platform: 'mobile' },
    },
    failed: farcaster({}, unreachable),
  }),
  ...statesOf('ConnectingPasskey', undefined, {
    waiting: passkey(),
    failed: passkey(unreachable),
    none: passkey(fakeFailure('frame/no-passkeys', undefined)),
  }),
  ...statesOf('ApproveTransaction', { requestId: 'r1' }, { waiting: { state: loggedIn } }, 'Account'),
  ...statesOf(
    'WalletReceive',
    undefined,
    { 'one key': { login: fakeLogin({ email }, { isSingle: async () => true }), state: loggedIn } },
    'Account',
  ),
  ...statesOf(
    'AccountSettings',
    undefined,
    {
      loaded: { ...asking({ email }), state: loggedIn },
      'long content': { ...asking({ email: longEmail }), state: loggedIn },
      social: { ...asking({ email }), state: loggedIn, stored: { '@latchkey/connected_social': 'github' } },
      changing: {
        login: fakeLogin({ email }, { setAccountType: () => never }),
        state: loggedIn,
        press: 'SimpleOne key, one address. It works everywhere.',
      },
      refused: {
        login: fakeLogin({ email }, { setAccountType: async () => 'smartAccount' }),
        state: loggedIn,
        press: 'SimpleOne key, one address. It works everywhere.',
      },
      wallet: { state: withConnection },
      disconnected: {},
    },
    'Account',
  ),
]
