import { fromUtf8 } from '@latchkey/protocol/bytes'
import { type AccountId, addressOf, type ChainId, chainOf } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { describe, expect, test, vi } from 'vitest'
import '../account/balanceAndIdentity.ts'
import '../analytics/analyticsClient.ts'
import '../modal/modalSignIn.ts'
import { createLatchkey } from '../createLatchkey.ts'
import '../latchkeyRuntime.ts'
import '../runtime/connectionRuntime.ts'
import type { Latchkey } from '../latchkeyTypes.ts'
import type { LatchkeyOptions } from '../options.ts'
import {
  fakeAdapter,
  fakeAuthentication,
  fakeClock,
  fakeConnector,
  fakeFetch,
  fakeNetwork,
  memoryStorage,
} from '../testing/index.ts'
import { isSignInRequired } from './isSignInRequired.ts'
import type { SignInSession } from './signInTypes.ts'

const address = '0x1111111111111111111111111111111111111111'
const account = `eip155:1:${address}` as const
const second = '0x2222222222222222222222222222222222222222'

/** Creates a page with one wallet. The wallet signs every request, unless `answer` overrides the response. */
async function page({
  options = {},
  authentication = fakeAuthentication(),
  answer = async () => new Uint8Array([1]),
  stored = {},
  type = 'ANNOUNCED',
  chain,
  isSilent = false,
  endFails,
  waits,
  started = async () => {},
}: {
  options?: LatchkeyOptions
  authentication?: ReturnType<typeof fakeAuthentication>
  answer?: (text: string) => Promise<Uint8Array>
  stored?: Record<string, string>
  type?: 'ANNOUNCED' | 'AUTH'
  chain?: ChainId<'eip155'>
  /** Whether the host leaves `signIn` unset. Otherwise, sign-in is required unless `options` override it. */
  isSilent?: boolean
  /** The error message with which disconnecting fails. By default, disconnecting succeeds. */
  endFails?: string
  /** Delays the wallet's response to a connection request. */
  waits?: Promise<unknown>
  /** Called after the instance has started, while sign-in might still be loading. */
  started?(latchkey: Latchkey): Promise<void>
} = {}) {
  const clock = fakeClock()
  const requests: string[] = []
  const wallet = fakeConnector({
    id: 'io.a',
    name: 'A',
    type,
    addresses: [address, second],
    ...(chain && { chain }),
    ...(endFails && { endFails }),
    ...(waits && { waits }),
    can: {
      signMessage: ({ message }) => {
        const text = fromUtf8(message) ?? ''
        requests.push(text)
        return answer(text)
      },
    },
  })
  const sessionEvents: string[] = []
  const operator = fakeFetch({ '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }), '/e': () => ({}) })
  const latchkey = createLatchkey({
    adapters: [fakeAdapter({ wallets: [wallet] })],
    server: 'https://connect.example',
    projectId: 'p',
    fetch: operator.fetch,
    clock,
    storage: memoryStorage(stored),
    platform: 'desktop',
    logLevel: 'silent',
    ...(!isSilent && { signIn: 'required' }),
    authentication,
    ...options,
  })
  latchkey.on('signIn', (event) => sessionEvents.push(`in ${event.account}`))
  latchkey.on('signOut', (event) => sessionEvents.push(`out ${event.account}`))
  latchkey.start()
  await latchkey.prepare()
  await started(latchkey)
  await latchkey.signIn()
  return {
    latchkey,
    clock,
    wallet,
    authentication,
    requests,
    sessionEvents,
    view: () => {
      const { open, stack } = latchkey.state.get().modal
      return open ? stack.at(-1)?.view : 'closed'
    },
    status: () => latchkey.state.get().signIn.status,
    toast: () => latchkey.state.get().toast?.text,
    async connect() {
      latchkey.modal.open()
      await latchkey.connect({ connectorId: 'io.a' })
      await clock.pass(0)
    },
    /** Returns the analytics events that the operator receives, with their error messages. */
    events: async () => {
      await clock.pass(100)
      return operator
        .to('/e')
        .map(({ body }) => (body as { props: { event: string; properties?: { message?: string } } }).props)
        .filter(({ event }) => event.startsWith('SIWX_'))
        .map(({ event, properties }) => [event, properties?.message])
    },
    async sign() {
      const signIn = await latchkey.signIn()
      return signIn?.sign()
    },
  }
}

const returning = {
  '@latchkey/connection_status': 'connected',
  '@latchkey/active_caip_network_id': 'eip155:1',
  '@latchkey/active_namespace': 'eip155',
  '@latchkey/connected_namespaces': 'eip155',
  '@latchkey/eip155:connected_connector_id': 'io.a',
  '@latchkey/connections': JSON.stringify({
    eip155: [{ connectorId: 'io.a', accounts: [{ address }], caipNetwork: 'eip155:1' }],
  }),
}

/** Returns the session of a user who signed in on an earlier visit. */
function sessionOf(account: AccountId): SignInSession {
  const fields = { domain: 'shop.example', uri: 'https://shop.example/', version: '1', nonce: 'nonce00000001' } as const
  return {
    data: { ...fields, chainId: chainOf(account), accountAddress: addressOf(account) },
    message: '',
    signature: '',
  }
}

/** Creates a promise that the test resolves or rejects. */
function later<T>() {
  let resolve = (_: T): void => {}
  let reject = (_: Error): void => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** Options without a custom authentication adapter. */
const byServer = { authentication: undefined } as unknown as LatchkeyOptions

describe('after connecting', () => {
  test('a user who has no session is prompted to sign in [R4.7]', async () => {
    const { connect, view, status, authentication } = await page()
    await connect()
    expect(view()).toBe('SIWXSignMessage')
    expect(status()).toBe('signed-out')
    expect(authentication.calls).toEqual([['getSessions', account]])
  })

  test('a user who has a session is not prompted, and the modal closes [R4.7]', async () => {
    const authentication = fakeAuthentication()
    const first = await page({ authentication })
    await first.connect()
    await first.sign()
    const { connect, view, status, requests } = await page({ authentication })
    await connect()
    expect(view()).toBe('closed')
    expect(status()).toBe('signed-in')
    expect(requests).toEqual([])
  })

  test('the user is not prompted to sign in on a network that the host does not support [R4.7]', async () => {
    const { connect, view, status, authentication } = await page({ chain: 'eip155:999' })
    await connect()
    expect(view()).toBe('UnsupportedChain')
    expect(status()).toBe('unknown')
    expect(authentication.calls).toEqual([])
  })

  test.each(['required', 'optional'] as const)(
    'if sign-in is %s, a user who connects while the modal is closed is prompted only after the wallet has connected [R4.7]',
    async (signIn) => {
      const connects = later<void>()
      const { latchkey, clock, authentication, view, status } = await page({
        options: { signIn },
        waits: connects.promise,
      })
      const connecting = latchkey.connect({ connectorId: 'io.a' })
      await clock.pass(0)
      expect([latchkey.account().status, authentication.calls, view()]).toEqual(['connecting', [], 'closed'])
      connects.resolve()
      await connecting
      await clock.pass(0)
      expect([view(), status(), authentication.calls]).toEqual([
        'SIWXSignMessage',
        'signed-out',
        [['getSessions', account]],
      ])
      expect(latchkey.state.get().modal.stack).toEqual([{ view: 'SIWXSignMessage', data: undefined }])
    },
  )

  test('the user is prompted to sign in when the wallet changes to a network that the host supports [R4.7]', async () => {
    const { connect, view, authentication, wallet, clock } = await page({
      chain: 'eip155:999',
      options: { signIn: 'optional' },
    })
    await connect()
    expect(authentication.calls).toEqual([])
    wallet.sessions[0]?.change({ chain: 'eip155:10' })
    await clock.pass(0)
    expect([view(), authentication.calls]).toEqual(['SIWXSignMessage', [['getSessions', `eip155:10:${address}`]]])
  })

  test('the session of an account that is being restored is looked up after the account has connected [R4.7]', async () => {
    const restores = later<void>()
    const { clock, authentication, view, latchkey } = await page({ stored: returning, waits: restores.promise })
    await clock.pass(0)
    expect([latchkey.account().status, authentication.calls, view()]).toEqual(['reconnecting', [], 'closed'])
    restores.resolve()
    await clock.pass(0)
    expect([authentication.calls, view()]).toEqual([[['getSessions', account]], 'SIWXSignMessage'])
  })

  test('sessions are looked up on the host’s server unless the host has a custom authentication adapter [R4.7]', async () => {
    const paths: string[] = []
    const answering: typeof fetch = async (input, init) => {
      const { pathname } = new URL(new Request(input, init).url)
      if (pathname.startsWith('/auth/')) paths.push(pathname)
      return pathname === '/auth/v1/me' ? new Response(null, { status: 204 }) : Response.json({})
    }
    const { latchkey, clock, view, authentication } = await page({ options: { ...byServer, fetch: answering } })
    await latchkey.connect({ connectorId: 'io.a' })
    await vi.waitFor(async () => {
      await clock.pass(0)
      expect(view()).toBe('SIWXSignMessage')
    }, 10_000)
    expect([paths, authentication.calls]).toEqual([['/auth/v1/me'], []])
    await latchkey.disconnect()
  })

  test('no session is looked up if no account is connected or if sign-in is off [R6.1] [R1.12] [R4.7]', async () => {
    const { authentication, view } = await page()
    expect([authentication.calls, view()]).toEqual([[], 'closed'])
    const off = await page({ options: { signIn: 'off' } })
    await off.connect()
    expect([off.authentication.calls, off.view(), off.status()]).toEqual([[], 'closed', 'unknown'])
    expect(await off.latchkey.signIn()).toBeUndefined()
  })

  test('an authentication adapter can decide whether sign-in is required [R1.12] [R6.1]', async () => {
    const { connect, latchkey, view } = await page({ authentication: fakeAuthentication({ getRequired: () => false }) })
    await connect()
    expect(latchkey.modal.close()).toBe(true)
    expect(view()).toBe('closed')
    expect(latchkey.account().status).toBe('connected')

    const strict = await page({
      options: { signIn: 'optional' },
      authentication: fakeAuthentication({ getRequired: () => true }),
    })
    await strict.connect()
    expect(strict.latchkey.modal.close()).toBe(false)
    expect(strict.view()).toBe('SIWXSignMessage')
  })

  test('the user is never prompted if the host does not configure sign-in, even if the authentication adapter requires it [R6.1] [R1.12] [R4.7]', async () => {
    const authentication = fakeAuthentication({ getRequired: () => true })
    const { connect, latchkey, view, status } = await page({ authentication, isSilent: true })
    await connect()
    expect([authentication.calls, view(), status()]).toEqual([[], 'closed', 'unknown'])
    expect(latchkey.account().status).toBe('connected')
  })

  test('modal.close() shakes the modal if sign-in is required, and closes it if sign-in is optional [R2.8] [R1.12]', async () => {
    const required = await page()
    await required.connect()
    expect(required.latchkey.modal.close()).toBe(false)
    expect(required.latchkey.state.get().modal).toMatchObject({ open: true, shaking: true })

    const optional = await page({ options: { signIn: 'optional' } })
    await optional.connect()
    expect(optional.view()).toBe('SIWXSignMessage')
    expect(optional.latchkey.modal.close()).toBe(true)
    expect(optional.status()).toBe('signed-out')
  })

  test('users can navigate back from an optional sign-in, but not from a required one [R2.8]', async () => {
    const over = async (signIn: 'required' | 'optional') => {
      const { connect, latchkey, view } = await page({ options: { signIn } })
      await connect()
      latchkey.modal.reset('Account')
      latchkey.modal.push('SIWXSignMessage')
      latchkey.modal.back()
      return { view: view(), shaking: latchkey.state.get().modal.shaking }
    }
    expect(await over('required')).toEqual({ view: 'SIWXSignMessage', shaking: true })
    expect(await over('optional')).toEqual({ view: 'Account', shaking: false })
  })

  test('the modal stays open if a required sign-in uses the ConnectingSiwe view [R2.8]', async () => {
    const { connect, latchkey, view } = await page({ authentication: fakeAuthentication({ view: 'ConnectingSiwe' }) })
    await connect()
    expect(latchkey.modal.close()).toBe(false)
    latchkey.modal.back()
    expect([view(), latchkey.state.get().modal.shaking]).toEqual(['ConnectingSiwe', true])
  })

  test('a user who is signed in on one network is prompted to sign in after switching to a different network [R4.7]', async () => {
    const { connect, sign, latchkey, clock, view, status, authentication } = await page()
    await connect()
    await sign()
    await latchkey.switchNetwork('eip155:10')
    await clock.pass(0)
    expect([status(), view(), latchkey.state.get().signIn.session]).toEqual([
      'signed-out',
      'SIWXSignMessage',
      undefined,
    ])
    expect(authentication.calls.at(-1)).toEqual(['getSessions', `eip155:10:${address}`])
  })
})

test('a returning user is prompted even if the host controls WalletConnect itself [R4.7]', async () => {
  const { clock, view } = await page({ stored: returning, options: { manualWalletConnect: true } })
  await clock.pass(0)
  expect(view()).toBe('SIWXSignMessage')
})

test.each([
  ['required', undefined, true],
  ['optional', undefined, false],
  ['required', false, false],
  ['optional', true, true],
] as const)(
  'if signIn is %s and getRequired() returns %s, sign-in is required: %s [R6.1] [R1.12]',
  async (signIn, answer, isRequired) => {
    const authentication = fakeAuthentication(answer === undefined ? {} : { getRequired: () => answer })
    const { connect, latchkey, view, clock } = await page({ options: { signIn }, authentication })
    await connect()
    expect(view()).toBe('SIWXSignMessage')
    expect(latchkey.modal.close()).toBe(!isRequired)
    await (await latchkey.signIn())?.cancel()
    await clock.pass(0)
    expect(latchkey.account().status).toBe(isRequired ? 'disconnected' : 'connected')
  },
)

test('an adapter that requires sign-in has no effect if sign-in is off [R6.1]', async () => {
  const authentication = fakeAuthentication({ getRequired: () => true })
  const { connect, latchkey, view } = await page({ options: { signIn: 'off' }, authentication })
  await connect()
  expect([authentication.calls, view(), latchkey.account().status]).toEqual([[], 'closed', 'connected'])
  expect(isSignInRequired({ signIn: 'off', authentication })).toBe(false)
  expect(isSignInRequired({ authentication })).toBe(false)
})

test('stored values do not affect whether sign-in is required [R6.1]', async () => {
  const stored = { '@latchkey/signIn': 'off', '@latchkey/siwx': '[]', '@latchkey/siwx-auth-token': 'a.b.c' }
  const { connect, latchkey, view } = await page({ stored })
  await connect()
  expect([view(), latchkey.modal.close()]).toEqual(['SIWXSignMessage', false])
})

test('if sign-in is required but there is no server or adapter, the user is not prompted and an error is logged [R6.1] [R1.12]', async () => {
  const { connect, latchkey, view } = await page({
    options: { signIn: 'required', authentication: undefined as never, server: undefined as never },
  })
  await connect()
  expect([view(), latchkey.account().status]).toEqual(['closed', 'connected'])
  expect(latchkey.log.entries()).toContainEqual(
    expect.objectContaining({
      level: 'error',
      text: expect.stringContaining('signIn needs a server or an authentication adapter') as string,
    }),
  )
})

test.each<[string, LatchkeyOptions, alone: boolean, strict: boolean]>([
  ['unset', {}, false, false],
  ['off', { signIn: 'off' }, false, false],
  ['optional', { signIn: 'optional' }, false, true],
  ['required', { signIn: 'required' }, true, true],
])(
  'the authentication adapter’s getRequired() has an effect only if signIn is enabled: %s [R1.12]',
  (_, options, alone, strict) => {
    expect(isSignInRequired(options)).toBe(alone)
    expect(isSignInRequired({ ...options, authentication: fakeAuthentication({ getRequired: () => true }) })).toBe(
      strict,
    )
    expect(isSignInRequired({ ...options, authentication: fakeAuthentication({ getRequired: () => false }) })).toBe(
      false,
    )
  },
)

test('an invalid signIn option is treated as required [R6.1] [R1.12]', async () => {
  const { connect, latchkey } = await page({ options: { signIn: true as unknown as 'required' } })
  await connect()
  expect(latchkey.modal.close()).toBe(false)
})

describe('signing', () => {
  test('a signed message is stored, the modal closes, and the page is notified [R4.8] [R3.9]', async () => {
    const { connect, sign, view, status, requests, authentication, sessionEvents, latchkey, events } = await page()
    await connect()
    const session = await sign()
    expect(await events()).toEqual([['SIWX_AUTH_SUCCESS', undefined]])
    expect(view()).toBe('closed')
    expect(status()).toBe('signed-in')
    expect(sessionEvents).toEqual([`in ${account}`])
    expect(requests).toEqual([session?.message])
    expect(authentication.stored.get(account)).toEqual(session)
    expect(session).toMatchObject({ signature: '0x01', data: { chainId: 'eip155:1', accountAddress: address } })
    expect(latchkey.state.get().signIn.session).toBe(session)
  })

  test('a signature that arrives while the approval view is shown also closes the modal [R4.8]', async () => {
    const waits = later<Uint8Array>()
    const { connect, sign, view, latchkey, clock, authentication, events } = await page({ answer: () => waits.promise })
    await connect()
    const signing = sign()
    await clock.pass(0)
    latchkey.modal.push('ApproveTransaction', { requestId: '1' })
    waits.resolve(new Uint8Array([1]))
    const session = await signing
    expect([view(), authentication.stored.get(account)]).toEqual(['closed', session])
    expect(await events()).toEqual([['SIWX_AUTH_SUCCESS', undefined]])
  })

  test('an embedded modal shows the account after the user has signed [R4.8]', async () => {
    const { connect, sign, latchkey } = await page({ options: { embedded: true } })
    await connect()
    const views = () => latchkey.state.get().modal.stack.map(({ view: name }) => name)
    expect(views()).toEqual(['SIWXSignMessage'])
    await sign()
    expect(views()).toEqual(['Account'])
  })

  test('if the user signs after closing an optional sign-in view, the session is stored and the modal stays closed [R4.8]', async () => {
    const { connect, sign, view, latchkey, authentication, status, events } = await page({
      options: { signIn: 'optional' },
    })
    await connect()
    latchkey.modal.close()
    const session = await sign()
    expect([view(), status(), authentication.stored.get(account)]).toEqual(['closed', 'signed-in', session])
    expect(authentication.calls.map(([name]) => name)).toEqual(['getSessions', 'createMessage', 'addSession'])
    expect(await events()).toEqual([['SIWX_AUTH_SUCCESS', undefined]])
  })

  test('a session contains the signed fields, the message and its signature, but no CACAO [R3.9] [R3.10]', async () => {
    const all = {
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
    }
    const authentication = fakeAuthentication({ createMessage: async () => all })
    const { connect, sign, requests: shown, latchkey, clock } = await page({ authentication })
    await connect()
    await latchkey.switchNetwork('eip155:10')
    await clock.pass(0)
    const message = [
      'shop.example wants you to sign in with your Ethereum account:',
      address,
      '',
      'Welcome',
      '',
      'URI: https://shop.example/',
      'Version: 1',
      'Chain ID: 10',
      'Nonce: n0nce0001',
      'Issued At: 2026-01-01T00:00:00.000Z',
      'Expiration Time: 2026-01-02T00:00:00.000Z',
      'Not Before: 2025-12-31T00:00:00.000Z',
      'Request ID: request-1',
      'Resources:',
      '- https://shop.example/terms',
    ].join('\n')
    expect(await sign()).toStrictEqual({
      data: { ...all, chainId: 'eip155:10', accountAddress: address },
      message,
      signature: '0x01',
    })
    expect(shown).toEqual([message])
  })

  test('concurrent calls to sign() send one request to the wallet', async () => {
    const waits = later<Uint8Array>()
    const { connect, sign, requests, clock, latchkey } = await page({ answer: () => waits.promise })
    await connect()
    const both = [sign(), sign()]
    await clock.pass(0)
    waits.resolve(new Uint8Array([1]))
    const [session, other] = await Promise.all(both)
    expect(session).toBe(other)
    expect(await (await latchkey.signIn())?.sign()).toBe(session)
    expect(requests).toHaveLength(1)
  })

  test('a failure is logged with its cause, and a rejection by the user is not logged as an error', async () => {
    const refusing = async () => {
      throw new Error('The cookie was not sent')
    }
    const { connect, sign, latchkey } = await page({ authentication: fakeAuthentication({ addSession: refusing }) })
    const last = () => latchkey.log.entries().at(-1)
    await expect(sign()).rejects.toThrow()
    expect(last()).toMatchObject({
      level: 'error',
      text: expect.stringContaining('No account is connected. Connect first.'),
    })
    await connect()
    await expect(sign()).rejects.toThrow()
    expect(last()).toMatchObject({ level: 'error', text: expect.stringContaining('The cookie was not sent') })

    const no = await page({ answer: () => Promise.reject(new Error('User rejected')) })
    await no.connect()
    await expect(no.sign()).rejects.toThrow()
    const lines = no.latchkey.log.entries().filter(({ text }) => text.startsWith('Sign-in failed'))
    expect(lines.map(({ level }) => level)).toEqual(['warn'])
  })

  test('missing prerequisites are reported in order: no address, no network, no way to sign [R5.13]', async () => {
    const { sign } = await page()
    await expect(sign()).rejects.toMatchObject({ message: 'No ActiveCaipAddress found' })
    const elsewhere = await page({ chain: 'eip155:999' })
    await elsewhere.connect()
    await expect(elsewhere.sign()).rejects.toMatchObject({ message: 'No ActiveCaipNetwork or client found' })
    const mute = fakeConnector({ id: 'io.a' })
    const silent = await page({ options: { adapters: [fakeAdapter({ wallets: [mute] })] } })
    await silent.connect()
    await expect(silent.sign()).rejects.toMatchObject({ message: 'No ConnectionController client found' })
  })

  test('the first missing prerequisite is reported, and neither a nonce nor a signature is requested [R5.13]', async () => {
    const mute = fakeConnector({ id: 'io.a', chain: 'eip155:999' })
    const authentication = fakeAuthentication()
    const both = await page({ authentication, options: { adapters: [fakeAdapter({ wallets: [mute] })] } })
    await expect(both.sign()).rejects.toMatchObject({
      code: 'sign-in/no-address',
      message: 'No ActiveCaipAddress found',
    })
    await both.connect()
    await expect(both.sign()).rejects.toMatchObject({
      code: 'sign-in/no-network',
      message: 'No ActiveCaipNetwork or client found',
    })
    await both.latchkey.switchNetwork('eip155:1')
    await both.clock.pass(0)
    await expect(both.sign()).rejects.toMatchObject({
      code: 'sign-in/no-client',
      message: 'No ConnectionController client found',
    })
    expect(authentication.calls.filter(([name]) => name !== 'getSessions')).toEqual([])
    expect([both.requests, both.status(), both.toast()]).toEqual([
      [],
      'signed-out',
      'No ConnectionController client found',
    ])
    const elsewhere = await page({ chain: 'eip155:999' })
    await elsewhere.connect()
    await expect(elsewhere.sign()).rejects.toMatchObject({ code: 'sign-in/no-network' })
    expect([elsewhere.requests, elsewhere.authentication.calls]).toEqual([[], []])
  })

  test('a rejection in the wallet is reported, and the view stays open or is shown again [R4.9] [R8.10]', async () => {
    const waits = later<Uint8Array>()
    const { connect, sign, view, status, toast, latchkey, clock, events } = await page({
      answer: () => waits.promise,
      options: { signIn: 'optional' },
    })
    await connect()
    const signing = sign()
    await clock.pass(0)
    expect(status()).toBe('signing')
    latchkey.modal.close()
    waits.reject(new Error('no'))
    await expect(signing).rejects.toMatchObject({ code: 'sign-in/declined' })
    expect(view()).toBe('SIWXSignMessage')
    expect(status()).toBe('signed-out')
    expect(toast()).toBe('Signature declined')
    expect(latchkey.state.get().signIn.error?.code).toBe('sign-in/declined')
    expect(await events()).toEqual([['SIWX_AUTH_ERROR', 'Signature declined']])
  })

  test.each<[what: string, authentication: 'createMessage' | 'addSession' | undefined, error: Error, message: string]>([
    [
      'the message cannot be created',
      'createMessage',
      new LatchkeyError('app/no-project'),
      'Project ID Not Configured',
    ],
    ['the wallet rejects the request', undefined, new Error('no'), 'Signature declined'],
    ['the server rejects the signature', 'addSession', new Error('no'), 'The signature is not valid'],
    [
      'the server cannot be reached',
      'addSession',
      new LatchkeyError('http/unreachable', { url: 'https://s.example' }),
      'No response from https://s.example.',
    ],
  ])(
    'if %s, the closed view is reopened, the error is shown, and the operator receives one event per attempt [R4.9]',
    async (_, step, error, message) => {
      const authentication = fakeAuthentication()
      if (step) authentication.fail(step, error)
      const answer = () => (step ? Promise.resolve(new Uint8Array([1])) : Promise.reject(error))
      const { connect, sign, view, status, toast, latchkey, events } = await page({
        authentication,
        answer,
        options: { signIn: 'optional' },
      })
      await connect()
      latchkey.modal.close()
      await expect(sign()).rejects.toMatchObject({ message })
      expect([view(), status(), toast(), authentication.stored.size]).toEqual([
        'SIWXSignMessage',
        'signed-out',
        message,
        0,
      ])
      expect(latchkey.state.get()).toMatchObject({ toast: { kind: 'error' }, signIn: { error: { message } } })
      expect(latchkey.account().status).toBe('connected')
      expect(await events()).toEqual([['SIWX_AUTH_ERROR', message]])
    },
  )

  test.each<[who: string, type: 'ANNOUNCED' | 'AUTH', message: string]>([
    ['a wallet', 'ANNOUNCED', 'Signature declined'],
    ['a contract account', 'AUTH', 'This application might not support Smart Accounts'],
  ])('the operator receives an event for every failed attempt by %s [R4.9]', async (_, type, message) => {
    const answer = () => Promise.reject(new Error('no'))
    const { connect, sign, view, toast, latchkey, events } = await page({
      type,
      answer,
      options: { signIn: 'optional' },
    })
    await connect()
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      latchkey.modal.close()
      await expect(sign()).rejects.toMatchObject({ message })
      expect([view(), toast()]).toEqual(['SIWXSignMessage', message])
      expect(await events()).toEqual(Array.from({ length: attempt }, () => ['SIWX_AUTH_ERROR', message]))
    }
  })

  test('the sign-in view is shown again after a rejection in the approval view [R4.9]', async () => {
    const waits = later<Uint8Array>()
    const { connect, sign, view, latchkey, clock } = await page({ answer: () => waits.promise })
    await connect()
    const signing = sign()
    await clock.pass(0)
    latchkey.modal.push('ApproveTransaction', { requestId: '1' })
    waits.reject(new Error('no'))
    await expect(signing).rejects.toThrow('Signature declined')
    expect(view()).toBe('SIWXSignMessage')
  })

  test('a contract account that cannot sign is reported with a specific error [R8.10]', async () => {
    const { connect, sign, toast } = await page({
      type: 'AUTH',
      answer: async () => {
        throw new Error('no')
      },
    })
    await connect()
    await expect(sign()).rejects.toMatchObject({ code: 'sign-in/no-smart-accounts' })
    expect(toast()).toBe('This application might not support Smart Accounts')
  })

  test('a rejection in the embedded wallet is reported as declined if the account is not a contract [R8.10]', async () => {
    const { connect, sign, toast } = await page({
      type: 'AUTH',
      options: { defaultAccountTypes: { eip155: 'eoa' } },
      answer: async () => {
        throw new Error('no')
      },
    })
    await connect()
    await expect(sign()).rejects.toMatchObject({ code: 'sign-in/declined' })
    expect(toast()).toBe('Signature declined')
  })

  test('a signature that the authentication adapter rejects is reported as invalid, not as declined, and the user stays signed out [R4.9] [R8.10]', async () => {
    const { connect, sign, authentication, status, view, toast } = await page()
    authentication.fail('addSession', new Error('no'))
    await connect()
    await expect(sign()).rejects.toMatchObject({ message: 'The signature is not valid' })
    expect([status(), view(), toast()]).toEqual(['signed-out', 'SIWXSignMessage', 'The signature is not valid'])
    authentication.fail('addSession', undefined)
    await sign()
    expect(status()).toBe('signed-in')
  })

  test('disconnecting cancels the sign-in and closes the modal, and a late signature is not stored', async () => {
    const waits = later<Uint8Array>()
    const { connect, sign, view, status, authentication, latchkey, clock } = await page({ answer: () => waits.promise })
    await connect()
    const signing = sign()
    const refused = expect(signing).rejects.toMatchObject({ code: 'request/aborted' })
    await clock.pass(0)
    await latchkey.disconnect()
    waits.resolve(new Uint8Array([1]))
    await refused
    await clock.pass(0)
    expect([view(), status()]).toEqual(['closed', 'unknown'])
    expect(authentication.calls.map(([name]) => name)).not.toContain('addSession')
  })

  test('if the account changes during a sign-in, the user is prompted again for the new account [R4.7]', async () => {
    const waits = later<Uint8Array>()
    const { connect, sign, view, status, authentication, wallet, clock, latchkey } = await page({
      answer: () => waits.promise,
    })
    await connect()
    const refused = expect(sign()).rejects.toMatchObject({ code: 'request/aborted' })
    await clock.pass(0)
    wallet.sessions[0]?.change({ accounts: [second] })
    await clock.pass(0)
    waits.resolve(new Uint8Array([1]))
    await refused
    expect([view(), status()]).toEqual(['SIWXSignMessage', 'signed-out'])
    expect(authentication.stored.size).toBe(0)
    expect(latchkey.state.get().signIn.account).toBe(`eip155:1:${second}`)
  })

  test('the view closes when the wallet disconnects', async () => {
    const { connect, view, status, wallet, clock } = await page()
    await connect()
    wallet.sessions[0]?.leave()
    await clock.pass(0)
    expect([view(), status()]).toEqual(['closed', 'unknown'])
  })
})

describe('cancelling', () => {
  test('disconnects the wallet if sign-in is required, and shows Connect [R4.10] [R1.12]', async () => {
    const { connect, view, latchkey, status } = await page()
    await connect()
    await (await latchkey.signIn())?.cancel()
    expect(latchkey.account().status).toBe('disconnected')
    expect([view(), status()]).toEqual(['Connect', 'unknown'])
    expect(latchkey.state.get().modal.stack.map(({ view: name }) => name)).toEqual(['Connect'])
  })

  test('shows Connect even if the wallet cannot be disconnected [R4.10]', async () => {
    const { connect, view, latchkey } = await page({ endFails: 'The wallet is gone.' })
    await connect()
    await expect((await latchkey.signIn())?.cancel()).rejects.toMatchObject({ code: 'disconnect/failed' })
    expect([latchkey.account().status, view()]).toEqual(['disconnected', 'Connect'])
  })

  test.each([
    ['required', false, 'connected', 'closed'],
    ['optional', true, 'disconnected', 'Connect'],
    ['required', undefined, 'disconnected', 'Connect'],
    ['optional', undefined, 'connected', 'closed'],
  ] as const)(
    'if signIn is %s and getRequired() returns %s, the wallet ends up %s and the view is %s [R4.10]',
    async (signIn, required, connection, shown) => {
      const authentication = fakeAuthentication(required === undefined ? {} : { getRequired: () => required })
      const { connect, view, latchkey, wallet } = await page({ options: { signIn }, authentication })
      await connect()
      await (await latchkey.signIn())?.cancel()
      expect([latchkey.account().status, view()]).toEqual([connection, shown])
      expect(wallet.sessions[0]?.ended).toBe(connection === 'disconnected')
      expect(latchkey.state.get().modal.stack.map(({ view: name }) => name)).toEqual(['Connect'])
    },
  )

  test('disconnects the wallet on a second network if the session on the first network has ended [R4.10]', async () => {
    const { connect, sign, view, latchkey, clock, authentication } = await page()
    await connect()
    await sign()
    await latchkey.switchNetwork('eip155:10')
    await clock.pass(0)
    await authentication.revokeSession(account)
    await (await latchkey.signIn())?.cancel()
    expect([latchkey.account().status, view()]).toEqual(['disconnected', 'Connect'])
  })

  test('keeps the connection if sign-in is optional, and closes the modal [R4.10] [R1.12]', async () => {
    const { connect, view, latchkey, status } = await page({ options: { signIn: 'optional' } })
    await connect()
    await (await latchkey.signIn())?.cancel()
    expect(latchkey.account().status).toBe('connected')
    expect([view(), status()]).toEqual(['closed', 'signed-out'])
    expect(latchkey.state.get().modal.stack.map(({ view: name }) => name)).toEqual(['Connect'])
  })

  test('ignores a signature that arrives afterwards [R4.10]', async () => {
    const waits = later<Uint8Array>()
    const { connect, sign, latchkey, clock, authentication, status } = await page({
      answer: () => waits.promise,
      options: { signIn: 'optional' },
    })
    await connect()
    const refused = expect(sign()).rejects.toMatchObject({ code: 'request/aborted' })
    await clock.pass(0)
    await (await latchkey.signIn())?.cancel()
    waits.resolve(new Uint8Array([1]))
    await refused
    await clock.pass(0)
    expect([status(), authentication.stored.size]).toEqual(['signed-out', 0])
  })

  test('switches back to the network that has a session and keeps the connection [R4.10]', async () => {
    const { connect, sign, view, latchkey, status, clock } = await page()
    await connect()
    await sign()
    await latchkey.switchNetwork('eip155:10')
    await clock.pass(0)
    expect([view(), status()]).toEqual(['SIWXSignMessage', 'signed-out'])
    await (await latchkey.signIn())?.cancel()
    await clock.pass(0)
    expect(latchkey.account()).toMatchObject({ status: 'connected', chain: 'eip155:1' })
    expect([view(), status()]).toEqual(['closed', 'signed-in'])
  })
})

describe('a failed lookup', () => {
  test.each([
    ['a 500 response', new LatchkeyError('http/failed', { status: 500, url: 'https://s.example' })],
    ['no network', new LatchkeyError('http/unreachable', { url: 'https://s.example' })],
    ['a captive portal page', new LatchkeyError('http/malformed', { url: 'https://s.example' })],
    ['a host callback that throws', new Error('down')],
    ['a chunk that cannot be loaded', new TypeError('Failed to fetch dynamically imported module')],
  ])('(%s) leaves the user connected but not signed in, and is retried', async (_, error) => {
    const authentication = fakeAuthentication()
    authentication.fail('getSessions', error)
    const { connect, view, latchkey, status, clock } = await page({ authentication })
    await connect()
    expect(latchkey.account().status).toBe('connected')
    expect([view(), status()]).toEqual(['SIWXSignMessage', 'unknown'])
    expect(latchkey.state.get().signIn).toMatchObject({
      session: undefined,
      error: { code: 'sign-in/not-initialised' },
    })
    await clock.pass(300_000)
    expect([latchkey.account().status, status()]).toEqual(['connected', 'unknown'])
    authentication.fail('getSessions', undefined)
    await clock.pass(60_000)
    expect([view(), status()]).toEqual(['SIWXSignMessage', 'signed-out'])
  })

  test('does not prompt a user who was signed in before the outage', async () => {
    const authentication = fakeAuthentication()
    const first = await page({ authentication })
    await first.connect()
    await first.sign()
    authentication.fail('getSessions', new Error('down'))
    const { view, status, clock, requests } = await page({ authentication, stored: returning })
    await clock.pass(0)
    expect([view(), status()]).toEqual(['closed', 'unknown'])
    authentication.fail('getSessions', undefined)
    await clock.pass(60_000)
    expect([view(), status(), requests]).toEqual(['closed', 'signed-in', []])
  })

  test('does not disconnect a returning user if the server rejects the page [R4.11]', async () => {
    const authentication = fakeAuthentication()
    authentication.fail('getSessions', new LatchkeyError('app/origin-not-allowed', { origin: 'https://shop.example' }))
    const { latchkey, status, clock } = await page({ authentication, stored: returning })
    await clock.pass(0)
    expect([latchkey.account().status, status()]).toEqual(['connected', 'unknown'])
  })

  test('is assumed if the authentication adapter never responds', async () => {
    const { connect, latchkey, status, clock } = await page({
      authentication: fakeAuthentication({ getSessions: () => new Promise(() => {}) }),
    })
    await connect()
    await clock.pass(35_000)
    expect([latchkey.account().status, status()]).toEqual(['connected', 'unknown'])
  })

  test('makes sign() repeat the lookup before it sends a request to the wallet', async () => {
    const authentication = fakeAuthentication()
    authentication.fail('getSessions', new LatchkeyError('http/unreachable', { url: 'https://s.example' }))
    const { connect, sign, requests, status } = await page({ authentication })
    await connect()
    await expect(sign()).rejects.toMatchObject({ code: 'sign-in/not-initialised' })
    expect([status(), requests]).toEqual(['unknown', []])
  })

  test('is retried after the delay that the server requests', async () => {
    const authentication = fakeAuthentication()
    const away = { status: 503, url: 'https://s.example', retryAfterMs: 90_000 }
    authentication.fail('getSessions', new LatchkeyError('http/failed', away))
    const { connect, clock } = await page({ authentication })
    await connect()
    await clock.pass(89_000)
    expect(authentication.calls).toHaveLength(1)
    await clock.pass(1_000)
    expect(authentication.calls).toHaveLength(2)
  })

  test.each([
    new LatchkeyError('app/no-project'),
    failure('sign-in/no-storage'),
    failure('sign-in/no-message-params'),
    new LatchkeyError('input/invalid', { path: 'domain', message: 'Required' }),
  ])('ends the sign-in if a retry cannot help: %s [R4.11]', async (error) => {
    const authentication = fakeAuthentication()
    authentication.fail('getSessions', error)
    const { connect, view, latchkey, status } = await page({ authentication })
    await connect()
    expect([latchkey.account().status, view(), status()]).toEqual(['disconnected', 'Connect', 'unknown'])
    expect(authentication.calls.filter(([name]) => name === 'getSessions')).toHaveLength(1)
  })

  test('shows Connect and the reason even if the wallet cannot be disconnected [R4.11]', async () => {
    const authentication = fakeAuthentication()
    authentication.fail('getSessions', new LatchkeyError('app/origin-not-allowed', { origin: 'https://shop.example' }))
    const { connect, view, toast, status, latchkey } = await page({ authentication, endFails: 'The wallet is gone.' })
    await connect()
    expect([view(), status()]).toEqual(['Connect', 'unknown'])
    expect(toast()).toBe('A problem occurred while trying initialize authentication')
    expect(latchkey.account().status).toBe('disconnected')
  })

  test.each(['required', 'optional'] as const)(
    'disconnects the wallet, opens Connect and reports the reason if sign-in is %s [R4.11] [R8.10]',
    async (signIn) => {
      const authentication = fakeAuthentication()
      authentication.fail(
        'getSessions',
        new LatchkeyError('app/origin-not-allowed', { origin: 'https://shop.example' }),
      )
      const { connect, view, latchkey, toast, status, events, wallet } = await page({
        authentication,
        options: { signIn },
      })
      await connect()
      expect(await events()).toEqual([['SIWX_AUTH_ERROR', 'Invalid App Configuration']])
      expect(latchkey.account().status).toBe('disconnected')
      expect(wallet.sessions[0]?.ended).toBe(true)
      expect(view()).toBe('Connect')
      expect(toast()).toBe('A problem occurred while trying initialize authentication')
      expect(latchkey.state.get().toast?.kind).toBe('error')
      expect(status()).toBe('unknown')
      expect(latchkey.state.get().signIn.error?.code).toBe('sign-in/not-initialised')
    },
  )

  test('opens Connect from any view, and users cannot navigate back to that view [R4.11]', async () => {
    const waits = later<readonly []>()
    const authentication = fakeAuthentication({ getSessions: () => waits.promise })
    const { connect, latchkey, status, clock } = await page({ authentication })
    await connect()
    latchkey.modal.push('Networks')
    expect(status()).toBe('checking')
    waits.reject(new LatchkeyError('app/origin-not-allowed', { origin: 'https://shop.example' }))
    await clock.pass(0)
    const { open, stack } = latchkey.state.get().modal
    expect([open, stack.map(({ view }) => view)]).toEqual([true, ['Connect']])
  })

  test('is ignored if the account has disconnected', async () => {
    const waits = later<readonly []>()
    const { connect, latchkey, status, view, clock } = await page({
      authentication: fakeAuthentication({ getSessions: () => waits.promise }),
    })
    await connect()
    expect(status()).toBe('checking')
    await latchkey.disconnect()
    waits.resolve([])
    await clock.pass(0)
    expect([status(), view()]).toEqual(['unknown', 'closed'])
  })
})

describe('after the first prompt', () => {
  test('a reload prompts the user again only if sign-in is required [R1.12]', async () => {
    const optional = await page({ stored: returning, options: { signIn: 'optional' } })
    await optional.clock.pass(0)
    expect([optional.view(), optional.status()]).toEqual(['closed', 'signed-out'])
    const required = await page({ stored: returning })
    await required.clock.pass(0)
    expect([required.view(), required.status()]).toEqual(['SIWXSignMessage', 'signed-out'])
  })

  test('a session ends when it expires', async () => {
    const authentication = fakeAuthentication()
    const { createMessage } = authentication
    let until = ''
    const { connect, sign, status, view, clock } = await page({
      authentication: {
        ...authentication,
        createMessage: async (params) => ({ ...(await createMessage(params)), expirationTime: until }),
      },
    })
    until = new Date(clock.now() + 60_000).toISOString()
    await connect()
    await sign()
    await clock.pass(59_999)
    expect(status()).toBe('signed-in')
    await authentication.revokeSession(account)
    await clock.pass(1)
    expect([status(), view()]).toEqual(['signed-out', 'SIWXSignMessage'])
  })

  test('signing out keeps the connection if sign-in is optional, and does not sign out other accounts [R1.12]', async () => {
    const { connect, sign, latchkey, status, authentication, sessionEvents, clock } = await page({
      options: { signIn: 'optional' },
    })
    await connect()
    await sign()
    await latchkey.switchNetwork('eip155:10')
    await clock.pass(0)
    await sign()
    await (await latchkey.signIn())?.signOut()
    expect(latchkey.account().status).toBe('connected')
    expect(status()).toBe('signed-out')
    expect([...authentication.stored.keys()]).toEqual([account])
    expect(sessionEvents.at(-1)).toBe(`out eip155:10:${address}`)
  })

  test('signing out disconnects the wallet if sign-in is required [R1.12]', async () => {
    const { connect, sign, latchkey, status, authentication, clock } = await page()
    await connect()
    await sign()
    await (await latchkey.signIn())?.signOut()
    await clock.pass(0)
    expect([latchkey.account().status, status(), authentication.stored.size]).toEqual(['disconnected', 'unknown', 0])
  })

  test('after disconnecting, signOut is emitted once the authentication adapter has ended the session', async () => {
    const authentication = fakeAuthentication()
    let ends = (): void => {}
    const ended = new Promise<void>((resolve) => {
      ends = resolve
    })
    const setSessions = async (sessions: Parameters<typeof authentication.setSessions>[0]) => {
      await ended
      await authentication.setSessions(sessions)
    }
    const { latchkey, connect, sign, sessionEvents, clock } = await page({
      options: { authentication: { ...authentication, setSessions } },
    })
    await connect()
    await sign()
    await latchkey.disconnect()
    await clock.pass(0)
    expect(sessionEvents).toEqual([`in ${account}`])
    ends()
    await clock.pass(0)
    expect(sessionEvents).toEqual([`in ${account}`, `out ${account}`])
  })

  test('signOut is emitted once for an account that was signed in, and never for an account that was not', async () => {
    const required = await page()
    await required.connect()
    await required.sign()
    await (await required.latchkey.signIn())?.signOut()
    await required.clock.pass(0)
    expect(required.latchkey.account().status).toBe('disconnected')
    expect(required.sessionEvents).toEqual([`in ${account}`, `out ${account}`])

    const optional = await page({ options: { signIn: 'optional' } })
    await optional.connect()
    await (await optional.latchkey.signIn())?.signOut()
    await optional.latchkey.disconnect()
    await optional.clock.pass(0)
    expect(optional.sessionEvents).toEqual([])
  })

  test.each([
    ['has not completed', () => new Promise<never>(() => {})],
    ['has failed', async () => Promise.reject(new Error('down'))],
  ])(
    'signOut is also emitted if the lookup %s, because disconnecting ends an earlier session',
    async (_, getSessions) => {
      const {
        connect,
        latchkey,
        sessionEvents: heard,
        clock,
      } = await page({
        authentication: fakeAuthentication({ getSessions }),
        options: { signIn: 'optional' },
      })
      await connect()
      await latchkey.disconnect()
      await clock.pass(0)
      expect(heard).toEqual([`out ${account}`])
    },
  )

  test.each(['before', 'after'] as const)(
    'disconnecting %s sign-in has loaded signs the user out on the server if the connection is still being restored',
    async (when) => {
      const authentication = fakeAuthentication()
      await authentication.addSession(sessionOf(account))
      const {
        latchkey,
        sessionEvents: heard,
        clock,
        status,
      } = await page({
        stored: returning,
        waits: new Promise(() => {}),
        authentication,
        options: { signIn: 'optional' },
        async started(instance) {
          if (when === 'before') await instance.disconnect()
        },
      })
      if (when === 'after') {
        expect(latchkey.account().status).toBe('reconnecting')
        await latchkey.disconnect()
      }
      await clock.pass(0)
      expect([latchkey.account().status, status(), authentication.stored.size]).toEqual(['disconnected', 'unknown', 0])
      expect(heard).toEqual([`out ${account}`])
    },
  )

  test('a wallet that is not found after a reload does not sign the user out', async () => {
    const authentication = fakeAuthentication()
    await authentication.addSession(sessionOf(account))
    const {
      latchkey,
      sessionEvents: heard,
      clock,
    } = await page({
      stored: JSON.parse(JSON.stringify(returning).replaceAll('io.a', 'io.missing')),
      authentication,
    })
    await clock.pass(10_000)
    expect([latchkey.account().status, authentication.stored.size, heard]).toEqual(['disconnected', 1, []])
  })

  test('a signature that arrives after signing out is ignored', async () => {
    const waits = later<Uint8Array>()
    const { connect, sign, latchkey, clock, authentication, status } = await page({
      answer: () => waits.promise,
      options: { signIn: 'optional' },
    })
    await connect()
    const refused = expect(sign()).rejects.toMatchObject({ code: 'request/aborted' })
    await clock.pass(0)
    await (await latchkey.signIn())?.signOut()
    waits.resolve(new Uint8Array([1]))
    await refused
    await clock.pass(0)
    expect([status(), authentication.stored.size]).toEqual(['signed-out', 0])
  })

  test('disconnecting signs the user out, unless the authentication adapter opts out', async () => {
    const other = await page()
    await other.connect()
    await other.sign()
    await other.latchkey.disconnect()
    await other.clock.pass(0)
    expect(other.authentication.stored.size).toBe(0)
    const stays = await page({ authentication: fakeAuthentication({ signOutOnDisconnect: false }) })
    await stays.connect()
    await stays.sign()
    await stays.latchkey.disconnect()
    await stays.clock.pass(0)
    expect(stays.authentication.stored.size).toBe(1)
  })

  test('disconnecting also signs out previously used accounts', async () => {
    const { connect, sign, latchkey, authentication, clock, wallet } = await page({ options: { signIn: 'optional' } })
    await connect()
    await sign()
    wallet.sessions[0]?.change({ accounts: [second] })
    await clock.pass(0)
    await sign()
    expect(authentication.stored.size).toBe(2)
    await latchkey.disconnect()
    await clock.pass(0)
    expect([...authentication.stored.keys()]).toEqual([])
  })

  test('switching networks does not prompt a user who cancelled an optional sign-in [R1.12]', async () => {
    const { connect, latchkey, view, clock } = await page({ options: { signIn: 'optional' } })
    await connect()
    await (await latchkey.signIn())?.cancel()
    await latchkey.switchNetwork('eip155:10')
    await clock.pass(0)
    expect(view()).toBe('closed')
  })

  test('a SIWE adapter prompts the user in a separate view and with a custom message', async () => {
    const authentication = fakeAuthentication({
      view: 'ConnectingSiwe',
      writeMessage: ({ nonce }) => `Hello, ${nonce}`,
    })
    const { connect, sign, view, requests } = await page({ authentication })
    await connect()
    expect(view()).toBe('ConnectingSiwe')
    await sign()
    expect(requests).toEqual(['Hello, nonce00000001'])
  })
})

/** Creates a page with a user who is signed in on two chain families. */
async function onTwoFamilies() {
  const evm = fakeConnector({ id: 'io.a', can: { signMessage: async () => new Uint8Array([1]) } })
  const solana = fakeConnector({
    id: 'io.b',
    namespace: 'solana',
    addresses: ['7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'],
    can: { signMessage: async () => new Uint8Array([2]) },
  })
  const main = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' as const
  const all = await page({
    options: {
      adapters: [
        fakeAdapter({ wallets: [evm] }),
        fakeAdapter({ namespace: 'solana', wallets: [solana], networks: [fakeNetwork(main)] }),
      ],
    },
  })
  const { latchkey, clock, sign } = all
  await latchkey.connect({ connectorId: 'io.a' })
  await clock.pass(0)
  await sign()
  await latchkey.connect({ connectorId: 'io.b', chain: main })
  await clock.pass(0)
  expect(latchkey.state.get().signIn).toMatchObject({ status: 'signed-out' })
  await sign()
  return { ...all, families: () => [...all.authentication.stored.keys()].map((key) => key.split(':')[0]) }
}

test('each account has a separate session if accounts in several families are connected', async () => {
  expect((await onTwoFamilies()).families()).toEqual(['eip155', 'solana'])
})

test('disconnecting a family signs out its account even if the family is not active, and disconnecting all families signs out all accounts', async () => {
  const { latchkey, clock, families, sessionEvents } = await onTwoFamilies()
  await latchkey.disconnect({ namespace: 'eip155' })
  await clock.pass(0)
  expect(families()).toEqual(['solana'])
  expect(sessionEvents.at(-1)).toBe(`out ${account}`)
  const other = await onTwoFamilies()
  await other.latchkey.disconnect()
  await other.clock.pass(0)
  expect(other.families()).toEqual([])
})

describe('a session that is stored too late', () => {
  test('is removed if the user has cancelled', async () => {
    const waits = later<void>()
    const authentication = fakeAuthentication()
    const { addSession } = authentication
    authentication.addSession = async (session) => {
      await waits.promise
      await addSession(session)
    }
    const { connect, sign, latchkey, clock, status } = await page({ authentication, options: { signIn: 'optional' } })
    await connect()
    const refused = expect(sign()).rejects.toMatchObject({ code: 'request/aborted' })
    await clock.pass(0)
    await (await latchkey.signIn())?.cancel()
    waits.resolve()
    await refused
    await clock.pass(0)
    expect([status(), authentication.stored.size]).toEqual(['signed-out', 0])
  })

  test.each([1, 2, 3, 4, 5])(
    'is not attributed to a different account that becomes active %i microtasks later',
    async (steps) => {
      const authentication = fakeAuthentication()
      const { connect, sign, latchkey, clock, wallet } = await page({ authentication, options: { signIn: 'optional' } })
      const { addSession } = authentication
      authentication.addSession = async (session) => {
        await addSession(session)
        void (async () => {
          for (let step = 0; step < steps; step += 1) await undefined
          wallet.sessions[0]?.change({ accounts: [second] })
        })()
      }
      await connect()
      const seen: (readonly [string | undefined, string | undefined])[] = []
      latchkey.state.subscribe(() => {
        const { account: who, session } = latchkey.state.get().signIn
        if (session) seen.push([who, `eip155:1:${session.data.accountAddress}`])
      })
      await sign().catch(() => {})
      await clock.pass(0)
      for (const [who, signed] of seen) expect(who).toBe(signed)
    },
  )
})
