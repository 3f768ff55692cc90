import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { MethodParams, SocialName } from '@latchkey/protocol/frame/messages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { popupSocialProviders } from '@latchkey/protocol/specificationConstants'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test, vi } from 'vitest'
import type { EmbeddedWalletClient, LoginRecords } from '../adapter.ts'
import { createLog } from '../lib/log.ts'
import { createModalLogin } from '../modal/modalLogin.ts'
import { fakeLatchkey } from '../testing/fakeLatchkey.ts'
import type { PopupWindow } from './loginContext.ts'
import type { LoginState } from './loginTypes.ts'

const keys = 'https://keys.example'
const done = `${keys}/vault/social/done?ticket=1`

/** Creates a page with a popup and a frame that tests can script. */
function page(
  params: {
    port?: boolean
    blocked?: boolean
    wallet?: Partial<EmbeddedWalletClient>
    /** The provider to which the page redirected the user. */
    leaving?: string
  } = {},
) {
  const clock = fakeClock()
  const listeners = new Set<(event: MessageEvent) => void>()
  const opened: string[] = []
  const events: string[] = []
  const social: { uri: string; quiet: boolean | undefined }[] = []
  const connected: string[] = []
  const popup = {
    closed: false,
    location: { href: 'about:blank' },
    close() {
      popup.closed = true
    },
  }
  const window: PopupWindow = {
    open(url, name) {
      opened.push(`${url} ${name}`)
      return params.blocked ? null : (popup as unknown as Window)
    },
    addEventListener: (_: string, listener: unknown) => void listeners.add(listener as (event: MessageEvent) => void),
    removeEventListener: (_: string, listener: unknown) =>
      void listeners.delete(listener as (event: MessageEvent) => void),
  }
  const wallet: EmbeddedWalletClient = {
    origin: keys,
    waitsForPopup: params.port === true,
    initialised: async () => undefined,
    request: (async (name: string, payload: MethodParams<'GET_SOCIAL_REDIRECT_URI'>) => {
      if (name !== 'GET_SOCIAL_REDIRECT_URI') throw new Error(`${name} was not expected`)
      return { uri: `https://login.example/?p=${payload.provider}` }
    }) as EmbeddedWalletClient['request'],
    notify() {},
    connectSocial: async (uri, options) => void social.push({ uri, quiet: options?.quiet }),
    connectInWindow: undefined,
    connectPasskey: async () => undefined,
    walletPage: undefined,
    hasSingleKey: async () => false,
    setAccountType: async (_, type) => type,
  }
  Object.defineProperties(wallet, Object.getOwnPropertyDescriptors(params.wallet ?? {}))
  const latchkey = fakeLatchkey()
  const log = createLog({ now: clock.now, level: 'silent' })
  let stored: string | undefined
  // Like the browser's storage, this stores `undefined` as text.
  const connectedSocial = { get: () => stored, set: (value: string) => void (stored = String(value)), clear() {} }
  let leaving = params.leaving
  const leavingSocial = { get: () => leaving, set() {}, clear: () => void (leaving = undefined) }
  const nothing = { get: () => undefined, set() {}, clear() {} }
  const records = new Proxy({ connectedSocial, leavingSocial } as unknown as LoginRecords, {
    get: (own, key) => Reflect.get(own, key) ?? nothing,
  })
  const login = createModalLogin({
    wallet: async () => wallet,
    records,
    clock,
    log,
    state: latchkey.state,
    modal: latchkey.modal,
    namespaces: () => ['eip155'],
    connect: async ({ namespace }) => void connected.push(namespace),
    track: ({ event }) => void events.push(event),
    toast: latchkey.toast,
    window,
  })
  const say = (data: unknown, from: { origin?: string; source?: unknown } = {}) => {
    const event = { data, origin: from.origin ?? keys, source: 'source' in from ? from.source : popup }
    for (const listener of [...listeners]) listener(event as MessageEvent)
  }
  const left = () => leaving
  return {
    clock,
    popup,
    opened,
    events,
    social,
    connected,
    latchkey,
    login,
    log,
    say,
    listeners,
    stored: () => stored,
    left,
  }
}

test('a plain frame receives the result that the popup posts to its opener [R1.3] [R4.2] [R3.17]', async () => {
  const { login, clock, popup, opened, say, social, connected, events, latchkey, stored, listeners } = page()
  const attempt = login.social('google')
  expect(login.state.get().social).toEqual({ provider: 'google', status: 'opening' })
  expect(latchkey.state.get().modal.stack.at(-1)).toEqual({ view: 'ConnectingSocial', data: { provider: 'google' } })
  await clock.pass(0)
  expect(opened).toEqual([`${keys}/loading latchkey-login`])
  expect(popup.location.href).toBe('https://login.example/?p=google')
  expect(login.state.get().social?.status).toBe('waiting')
  say({ resultUri: done })
  await attempt
  expect(popup.closed).toBe(true)
  expect(social).toEqual([{ uri: done, quiet: undefined }])
  expect(connected).toEqual(['eip155'])
  expect(stored()).toBe('google')
  expect(login.state.get().social).toBeUndefined()
  expect(listeners.size).toBe(0)
  expect(events).toEqual(['SOCIAL_LOGIN_STARTED', 'SOCIAL_LOGIN_REQUEST_USER_DATA', 'SOCIAL_LOGIN_SUCCESS'])
})

test.each(popupSocialProviders)(
  'a login with %s connects the account and is stored, both with plain frames and with Latchkey frames [R1.3]',
  async (provider) => {
    const plain = page()
    const attempt = plain.login.social(provider)
    await plain.clock.pass(0)
    expect(plain.popup.location.href).toBe(`https://login.example/?p=${provider}`)
    plain.say({ resultUri: done })
    await attempt
    const ours = page({ port: true })
    await ours.login.social(provider)
    for (const { connected, stored, social, events, login, latchkey } of [plain, ours]) {
      expect(connected).toEqual(['eip155'])
      expect(stored()).toBe(provider)
      expect(social).toHaveLength(1)
      expect(events).toEqual(['SOCIAL_LOGIN_STARTED', 'SOCIAL_LOGIN_REQUEST_USER_DATA', 'SOCIAL_LOGIN_SUCCESS'])
      expect(login.state.get()).toMatchObject({ social: undefined, busy: undefined, error: undefined })
      expect(latchkey.calls.find(([name]) => name === 'push')).toEqual(['push', 'ConnectingSocial', { provider }])
    }
    expect(ours.social).toEqual([{ uri: `https://login.example/?p=${provider}`, quiet: true }])
  },
)

test('there are six social login providers that use a popup [R1.3]', () => {
  expect([...popupSocialProviders].sort()).toEqual(['apple', 'discord', 'facebook', 'github', 'google', 'x'])
})

test('a user who returns from a full-page redirect is connected, and the result is used only once [R4.2]', async () => {
  const { login, social, connected, events, stored } = page({ leaving: 'github' })
  const visited: string[] = []
  const redirected = (href: string) =>
    vi.stubGlobal('window', {
      location: { href },
      history: { state: null, replaceState: (_: unknown, __: unknown, url: URL) => void visited.push(url.href) },
    })
  try {
    redirected('https://shop.example/?item=1')
    await login.resumeRedirect()
    expect([social, connected]).toEqual([[], []])
    redirected(`https://shop.example/?item=1&result_uri=${encodeURIComponent(done)}`)
    await login.resumeRedirect()
    await login.resumeRedirect()
  } finally {
    vi.unstubAllGlobals()
  }
  expect(visited).toEqual(['https://shop.example/?item=1'])
  expect(social).toEqual([{ uri: done, quiet: undefined }])
  expect([connected, stored(), login.state.get().social]).toEqual([['eip155'], 'github', undefined])
  expect(events).toEqual(['SOCIAL_LOGIN_REQUEST_USER_DATA', 'SOCIAL_LOGIN_SUCCESS'])
})

test.each([
  ['a result for the provider', 'google', `?a=1&result_uri=${encodeURIComponent(done)}`, 'google'],
  ['no result', 'google', '?a=1', undefined],
  ['an unexpected result', undefined, `?result_uri=${encodeURIComponent(done)}`, undefined],
  ['a result for an unknown provider', 'moon', `?result_uri=${encodeURIComponent(done)}`, undefined],
])(
  'a page opened with %s stores the provider only if the user returns from that provider [R3.17]',
  async (_, leaving, query, provider) => {
    const replaced: string[] = []
    const href = `https://shop.example/basket${query}`
    vi.stubGlobal('window', {
      location: { href },
      history: { state: null, replaceState: (...[, , url]: unknown[]) => replaced.push(String(url)) },
    })
    try {
      const { login, social, connected, stored, left } = page(leaving === undefined ? {} : { leaving })
      await login.resumeRedirect()
      expect(stored()).toBe(provider)
      expect(connected).toEqual(provider ? ['eip155'] : [])
      expect(social.map(({ uri }) => uri)).toEqual(provider ? [done] : [])
      // A result can be used only once, and is removed from the URL.
      expect(replaced).toEqual(provider ? ['https://shop.example/basket?a=1'] : [])
      expect(left()).toBe(provider ? undefined : leaving)
    } finally {
      vi.unstubAllGlobals()
    }
  },
)

test('messages are ignored unless the popup sends them from the frame’s origin in the expected format', async () => {
  const { login, clock, say, social } = page()
  const attempt = login.social('github')
  await clock.pass(0)
  say({ resultUri: 'https://evil.example' }, { origin: 'https://evil.example', source: {} })
  say({ resultUri: `${keys}/forged` }, { source: {} })
  say({ resultUri: 7 })
  say('resultUri')
  await clock.pass(0)
  expect(social).toEqual([])
  say({ resultUri: done })
  await attempt
  expect(social).toHaveLength(1)
})

test('if a different origin posts a result from the popup, the login ends and the login options are shown again', async () => {
  const { login, clock, popup, say, social, latchkey, events } = page()
  const attempt = login.social('github')
  await clock.pass(0)
  say({ resultUri: `${keys}/forged` }, { origin: 'https://evil.example' })
  await expect(attempt).rejects.toMatchObject({
    code: 'social/untrusted-origin',
    details: { origin: 'https://evil.example' },
    message: 'Untrusted Origin',
  })
  expect([social, popup.closed, events.at(-1)]).toEqual([[], true, 'SOCIAL_LOGIN_ERROR'])
  expect(latchkey.calls.map(([name]) => name)).toContain('back')
  expect(latchkey.calls.filter(([name]) => name === 'toast')).toEqual([['toast', 'error', 'Untrusted Origin']])
})

test('the page does not check whether a Latchkey frame’s popup is closed, and retries the request after timeouts [R1.3]', async () => {
  let tries = 0
  const requests: string[] = []
  const { login, clock, popup, connected } = page({
    port: true,
    wallet: {
      async connectSocial(uri) {
        requests.push(uri)
        tries += 1
        if (tries < 3) throw failure('frame/timeout', { method: 'CONNECT_SOCIAL', afterMs: 30_000 })
      },
    },
  })
  // Under COOP, the popup appears to be closed immediately.
  popup.closed = true
  await login.social('discord')
  await clock.pass(5_000)
  expect(requests).toEqual(Array(3).fill('https://login.example/?p=discord'))
  expect(popup.location.href).toBe('about:blank')
  expect(connected).toEqual(['eip155'])
})

test('closing the popup returns to the login options [R1.3] [R9.14]', async () => {
  const { login, clock, popup, latchkey, events } = page()
  latchkey.modal.open()
  const attempt = login.social('x')
  attempt.catch(() => {})
  await clock.pass(0)
  // The popup is polled every second.
  await clock.pass(2_500)
  expect(login.state.get().social?.status).toBe('waiting')
  popup.closed = true
  await clock.pass(499)
  expect(login.state.get().social?.status).toBe('waiting')
  await clock.pass(1)
  expect(login.state.get().social?.status).toBe('failed')
  await expect(attempt).rejects.toMatchObject({ code: 'request/aborted' })
  expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('Connect')
  expect(latchkey.state.get().toast).toBeUndefined()
  expect(events).toContain('SOCIAL_LOGIN_ERROR')
})

test('a blocked popup is reported, and the login can be retried [R1.3]', async () => {
  const { login, latchkey } = page({ blocked: true })
  await expect(login.social('apple')).rejects.toMatchObject({ code: 'social/popup-blocked' })
  expect(latchkey.state.get().toast?.text).toBe('Could not create social popup')
  expect(login.state.get().social).toEqual({ provider: 'apple', status: 'failed' })
  await expect(login.social('apple')).rejects.toMatchObject({ code: 'social/popup-blocked' })
})

test('no account is connected if the provider’s redirect URL contains an error', async () => {
  const { login, clock, say, social, latchkey } = page()
  const attempt = login.social('facebook')
  attempt.catch(() => {})
  await clock.pass(0)
  say({ resultUri: `${keys}/vault/social/done?error=social%2Fdeclined&more=1` })
  await expect(attempt).rejects.toMatchObject({ message: 'Something went wrong' })
  expect(social).toEqual([])
  expect(login.state.get().social?.status).toBe('failed')
  expect(latchkey.state.get().toast?.text).toBe('Something went wrong')
})

test('if the frame returns no redirect URL, the login rejects and the reason is logged for the developer', async () => {
  const { login, popup, log } = page({
    wallet: {
      request: (async () => {
        throw failure('frame/failed', { message: 'no client' })
      }) as EmbeddedWalletClient['request'],
    },
  })
  await expect(login.social('google')).rejects.toMatchObject({ message: 'Could not fetch the social redirect uri' })
  expect(popup.closed).toBe(true)
  expect(log.entries().at(-1)).toMatchObject({
    level: 'error',
    text: 'google may not be configured at the keys origin',
    cause: expect.stringContaining('Could not fetch the social redirect uri'),
  })
})

test('cancelSocial() also aborts the request that passes the popup’s result to the frame', async () => {
  let request: AbortSignal | undefined
  const { login, clock, say, connected } = page({
    wallet: {
      connectSocial: (_, options) => {
        request = options?.signal
        return new Promise(() => undefined)
      },
    },
  })
  const attempt = login.social('google')
  attempt.catch(() => {})
  await clock.pass(0)
  say({ resultUri: done })
  await clock.pass(0)
  expect([login.state.get().social?.status, request?.aborted]).toEqual(['retrieving', false])
  login.cancelSocial()
  await expect(attempt).rejects.toBeInstanceOf(LatchkeyError)
  expect([request?.aborted, connected]).toEqual([true, []])
})

test('cancelSocial() closes the popup without displaying an error', async () => {
  const { login, clock, popup, events, latchkey, listeners } = page()
  const attempt = login.social('google')
  attempt.catch(() => {})
  await clock.pass(0)
  login.cancelSocial()
  await expect(attempt).rejects.toBeInstanceOf(LatchkeyError)
  expect(popup.closed).toBe(true)
  expect(events.at(-1)).toBe('SOCIAL_LOGIN_CANCELED')
  expect(latchkey.state.get().toast).toBeUndefined()
  const initialState: Partial<LoginState> = { busy: undefined, social: undefined, error: undefined }
  expect(login.state.get()).toMatchObject(initialState)
  expect(listeners.size).toBe(0)
})

/** Creates a slow frame, which loads or fails when the test calls the respective function. */
function lateFrame() {
  const frame = { late: () => {}, come: () => {}, fail: () => {} }
  const initialised: EmbeddedWalletClient['initialised'] = (signal, late = () => {}) =>
    new Promise((resolve, reject) => {
      frame.late = late
      frame.come = resolve
      frame.fail = () => reject(failure('frame/unreachable', { afterMs: 20_000 }))
      signal?.addEventListener('abort', () => reject(new LatchkeyError('request/aborted')), { once: true })
    })
  return { frame, initialised }
}

test.each<
  [
    string,
    (login: ReturnType<typeof page>['login'], signal: AbortSignal) => Promise<void>,
    () => Partial<EmbeddedWalletClient>,
  ]
>([
  ['a social login', (login) => login.social('google'), () => ({})],
  [
    'a Farcaster login',
    (login) => login.farcaster(),
    () => ({
      request: (async () => ({
        url: 'https://farcaster.example/',
        userName: 'ada',
      })) as unknown as EmbeddedWalletClient['request'],
    }),
  ],
  ['a passkey login', (login, signal) => login.passkey(signal), () => ({})],
])(
  '%s sets an error while the frame is slow to load, and clears the error once the frame is loaded [R4.1]',
  async (_, begin, more) => {
    const { frame, initialised } = lateFrame()
    const { login, clock } = page({ port: true, wallet: { initialised, ...more() } })
    const leaving = new AbortController()
    const attempt = begin(login, leaving.signal).catch(() => undefined)
    await clock.pass(0)
    expect(login.state.get().error).toBeUndefined()
    frame.late()
    expect(login.state.get().error).toMatchObject({ code: 'frame/unreachable' })
    expect(login.state.get().busy).toBeDefined()
    frame.come()
    await clock.pass(0)
    expect(login.state.get().error?.code).not.toBe('frame/unreachable')
    login.cancelSocial()
    login.cancelFarcaster()
    leaving.abort()
    await attempt
  },
)

test('no error is set for a slow frame after the user has cancelled the login', async () => {
  const { frame, initialised } = lateFrame()
  const { login, clock } = page({ port: true, wallet: { initialised } })
  const leaving = new AbortController()
  const attempt = login.passkey(leaving.signal).catch(() => undefined)
  await clock.pass(0)
  frame.late()
  leaving.abort()
  await attempt
  expect(login.state.get().error).toBeUndefined()
  frame.late()
  expect(login.state.get().error).toBeUndefined()
})

test('the page keeps waiting for the device approval during a short server outage', async () => {
  const answers: (() => Promise<void>)[] = [
    () => Promise.reject(new LatchkeyError('wallet/unreachable', { connectorId: 'ID_AUTH' })),
    () => new Promise(() => {}),
  ]
  let requests = 0
  const ask = (async () => answers[requests++]?.()) as unknown as EmbeddedWalletClient['request']
  const { login, clock } = page({ wallet: { request: ask } })
  const stop = login.awaitDevice()
  await clock.pass(0)
  expect(requests).toBe(1)
  await clock.pass(5_000)
  expect(requests).toBe(2)
  expect(login.state.get().busy).toBe('device')
  stop()
})

test('Farcaster logins use the frame’s own window on cross-site pages [R1.4]', async () => {
  const requests: string[] = []
  const { login, connected, stored, opened, events } = page({
    wallet: {
      connectInWindow: async (provider: SocialName) => {
        requests.push(provider)
        return provider
      },
    },
  })
  await login.farcaster()
  expect([requests, connected, stored(), opened]).toEqual([['farcaster'], ['eip155'], 'farcaster', []])
  expect(login.state.get()).toMatchObject({ farcasterUrl: undefined, busy: undefined })
  expect(events).toEqual(['SOCIAL_LOGIN_STARTED', 'SOCIAL_LOGIN_REQUEST_USER_DATA', 'SOCIAL_LOGIN_SUCCESS'])
})

test('social logins use the frame’s own window on cross-site pages, and an open popup is closed [R1.3]', async () => {
  const requests: string[] = []
  let isKnown = false
  const { login, opened, popup, connected, stored, events } = page({
    wallet: {
      initialised: async () => void (isKnown = true),
      get connectInWindow() {
        return isKnown
          ? async (provider: SocialName) => {
              requests.push(provider)
              return provider
            }
          : undefined
      },
    },
  })
  await login.social('google')
  expect([opened.length, popup.closed, requests, connected, stored()]).toEqual([
    1,
    true,
    ['google'],
    ['eip155'],
    'google',
  ])
  expect(login.state.get().social).toBeUndefined()
  expect(events.at(-1)).toBe('SOCIAL_LOGIN_SUCCESS')
  await login.social('github')
  expect([opened.length, requests]).toEqual([1, ['google', 'github']])
})

test('a blocked popup does not prevent a login on cross-site pages, and the provider is stored only if the user logged in with it', async () => {
  let isKnown = false
  const { login, connected, stored } = page({
    blocked: true,
    wallet: {
      initialised: async () => void (isKnown = true),
      get connectInWindow() {
        return isKnown ? async () => undefined : undefined
      },
    },
  })
  await login.social('google')
  expect([connected, stored()]).toEqual([['eip155'], undefined])
})

test('email logins on cross-site pages send a single request and wait for the window', async () => {
  const asks: string[] = []
  let answer = (_: { action: 'CONNECT' }): void => {}
  const { login, clock, connected } = page({
    wallet: {
      connectInWindow: async () => undefined,
      request: (async (name: string) => {
        asks.push(name)
        return new Promise((resolve) => (answer = resolve))
      }) as EmbeddedWalletClient['request'],
    },
  })
  const submitted = login.submitEmail('ana@example.org')
  await clock.pass(0)
  expect(login.state.get().busy).toBe('window')
  await login.submitEmail('ana@example.org')
  answer({ action: 'CONNECT' })
  await submitted
  expect([asks, connected, login.state.get().busy]).toEqual([['CONNECT_EMAIL'], ['eip155'], undefined])
})

test('cancelling in the frame’s own window returns to the login options without an error', async () => {
  const { login, latchkey, connected } = page({
    wallet: {
      connectInWindow: async () => {
        throw new LatchkeyError('request/aborted')
      },
    },
  })
  latchkey.modal.open()
  await expect(login.social('x')).rejects.toMatchObject({ code: 'request/aborted' })
  expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('Connect')
  expect([latchkey.state.get().toast, connected]).toEqual([undefined, []])
})
