import { fakeClock } from '@latchkey/core/testing'
import type { MethodName } from '@latchkey/protocol/frame/messages'
import { createVaultFixture, seededEnvironment } from '@latchkey/vault/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { createAccountSession } from '../accountSession.ts'
import { createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import type { FrameContext, Method } from '../frameContext.ts'
import { createKeysApiClient } from '../keysApiClient.ts'
import { createMessageBridge, type MessageBridgeWindow } from '../messageBridge.ts'
import { createPageSettings } from '../pageSettings.ts'
import { PublicError } from '../publicError.ts'
import { createSingleflight } from '../singleflight.ts'
import { getSafe } from '../smartAccount/safe.ts'
import { entryPoint07 } from '../smartAccount/smartAccount.ts'
import { methods } from './index.ts'

// Tests every request in the specification, from the page's message to the frame's response. Only the server is fake.

const site = 'https://shop.example'
const { vault } = await createVaultFixture(seededEnvironment(29, fakeClock()))
const key = vault.record.addresses.eip155
const safe = getSafe(key as `0x${string}`).address
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const account = { id: 'user-1', email: 'ada@shop.example', userName: 'ada', createdAt: 0 }
const me = { user: account, record: null, devices: [], passkeys: [], since: 0, expiresAt: 1 }
/** The popup's result after a social login. */
const resultUri = 'https://keys.example/vault/social/done?ticket=1'

/** The server's responses by path. */
const healthy: Readonly<Record<string, unknown>> = {
  '/vault/me': me,
  '/vault/email': { action: 'VERIFY_OTP' },
  '/vault/email/device': { status: 'approved' },
  '/vault/email/code': { user: account },
  '/vault/email/change': { action: 'VERIFY_PRIMARY_OTP' },
  '/vault/email/change/primary': {},
  '/vault/email/change/secondary': { newEmail: 'new@shop.example' },
  '/vault/social/google': { uri: 'https://login.example/authorize?state=1' },
  '/vault/social/finish': { user: account, userName: 'ada', provider: 'google' },
  '/vault/farcaster': { url: 'https://farcaster.example/~/siwf?channel=1' },
  '/vault/farcaster/finish': { status: 'done', user: account, userName: 'ada.eth' },
  '/vault/sign-out': {},
  '/vault/bundler': { jsonrpc: '2.0', id: 1, result: [entryPoint07] },
}
const signedOut = () => Response.json({ code: 'session/none', message: 'No user is signed in.' }, { status: 401 })

afterEach(() => vi.unstubAllGlobals())

/** Creates a frame with one unlocked wallet. `answers` override the server's responses. */
function frame({
  answers = {},
  bundlers = ['eip155:1', 'eip155:137', solana],
  config = async () => ({ bundlers, smartSessions: false }),
  visitor,
}: {
  readonly visitor?: string
  readonly answers?: Readonly<Record<string, unknown>>
  readonly bundlers?: readonly string[]
  readonly config?: () => Promise<unknown>
} = {}) {
  const requests: { readonly path: string; readonly body: unknown }[] = []
  const server: typeof fetch = async (input, init) => {
    const [path = ''] = String(input).split('?')
    requests.push({ path, body: init?.body === undefined ? undefined : JSON.parse(String(init.body)) })
    const answer = { ...healthy, ...answers }[path]
    if (answer instanceof Response) return answer.clone()
    return answer === undefined ? new Response('', { status: 502 }) : Response.json(answer)
  }
  vi.stubGlobal('fetch', server)
  const client = createKeysApiClient({ fetch: server })
  const settings = createPageSettings(new URL('https://keys.example/sdk?chainId=eip155:1'))
  const approvals = createApprovalQueue<ApprovalView>()
  const popups: string[] = []
  let reloads = 0
  let locks = 0
  const context = {
    keysClient: client,
    session: createAccountSession({ keysClient: client, onSignedOut: () => void locks++ }),
    settings,
    approvals,
    shared: createSingleflight(),
    signIns: new Map(),
    batches: new Map(),
    config,
    visitor: async () => visitor,
    rpc: async (_: string, method: string) => (method === 'eth_getCode' ? '0x6001' : '0x2a'),
    wallet: async () => ({
      open: async () => ({ vault, addresses: vault.record.addresses, single: false }),
      opened: () => undefined,
    }),
    popups: {
      begin: () => void popups.push('begin'),
      send: (uri: string) => void popups.push(uri),
      isSent: () => false,
      result: () => Promise.reject(new Error('There is no popup.')),
    },
    reload: () => void reloads++,
  } as unknown as FrameContext

  interface FrameResponse {
    readonly type: string
    readonly id?: string
    readonly payload?: unknown
  }
  const waiting = new Map<string | undefined, (response: FrameResponse) => void>()
  const page = { postMessage: (message: FrameResponse) => waiting.get(message.id)?.(message) }
  const window = Object.assign(new EventTarget(), {
    parent: page,
    location: { ancestorOrigins: [site] },
    document: { referrer: '' },
  })
  createMessageBridge({
    window: window as unknown as MessageBridgeWindow,
    now: () => 0,
    answer: ({ name, id, payload }, caller) =>
      (methods[name] as Method<MethodName>)(context, payload as never, { ...caller, id }),
  })
  let next = 0
  return {
    requests,
    approvals,
    settings,
    popups,
    reloads: () => reloads,
    locks: () => locks,
    ask(name: string, payload?: unknown): Promise<FrameResponse> {
      const id = String(next++)
      const data = { type: `@w3m-app/${name}`, id, ...(payload !== undefined && { payload }) }
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        window.dispatchEvent(Object.assign(new Event('message'), { data, origin: site, source: page, ports: [] }))
      })
    },
    /** Resolves to the key of the next request that is waiting for approval. */
    shown: (): Promise<number> =>
      new Promise((resolve) => {
        const unsubscribe = approvals.subscribe(() => {
          const now = approvals.current()
          if (now?.state !== 'asking') return
          unsubscribe()
          resolve(now.key)
        })
      }),
  }
}

const user = {
  address: key,
  chainId: 1,
  email: account.email,
  accounts: [
    { address: key, type: 'eoa' },
    { address: safe, type: 'smartAccount' },
  ],
  preferredAccountType: 'eoa',
  protection: 'protected',
  smartAccountDeployed: true,
}

/** The requests in the specification (R7.1), each with its payload and the payload of its success event. */
const successes: readonly (readonly [name: MethodName, says: unknown, success: unknown])[] = [
  ['SWITCH_NETWORK', { chainId: 'eip155:137' }, { chainId: 137 }],
  ['SWITCH_NETWORK', { chainId: solana }, { chainId: solana }],
  ['CONNECT_EMAIL', { email: 'ada@shop.example' }, { action: 'VERIFY_OTP' }],
  ['CONNECT_DEVICE', undefined, undefined],
  ['CONNECT_OTP', { otp: '123456' }, undefined],
  ['CONNECT_SOCIAL', { uri: resultUri, preferredAccountType: 'eoa' }, { ...user, userName: 'ada' }],
  ['GET_FARCASTER_URI', undefined, { url: 'https://farcaster.example/~/siwf?channel=1' }],
  ['CONNECT_FARCASTER', undefined, { userName: 'ada.eth' }],
  ['GET_USER', undefined, user],
  ['GET_USER', { chainId: 'eip155:137' }, { ...user, chainId: 137 }],
  ['GET_USER', { chainId: 137 }, { ...user, chainId: 137 }],
  [
    'GET_USER',
    { chainId: 'eip155:1', preferredAccountType: 'smartAccount' },
    {
      ...user,
      address: safe,
      accounts: [...user.accounts].reverse(),
      preferredAccountType: 'smartAccount',
    },
  ],
  ['GET_SOCIAL_REDIRECT_URI', { provider: 'google' }, { uri: 'https://login.example/authorize?state=1' }],
  ['SIGN_OUT', undefined, undefined],
  ['IS_CONNECTED', undefined, { isConnected: true }],
  ['IS_CONNECTED', { token: 't' }, { isConnected: true }],
  ['GET_CHAIN_ID', undefined, { chainId: 1 }],
  ['GET_SMART_ACCOUNT_ENABLED_NETWORKS', undefined, { smartAccountEnabledNetworks: [1, 137] }],
  ['INIT_SMART_ACCOUNT', undefined, { address: safe, isDeployed: true }],
  ['SET_PREFERRED_ACCOUNT', { type: 'smartAccount' }, { type: 'smartAccount', address: safe }],
  ['SET_PREFERRED_ACCOUNT', { type: 'eoa' }, { type: 'eoa', address: key }],
  ['RPC_REQUEST', { method: 'eth_blockNumber', params: [] }, '0x2a'],
  ['UPDATE_EMAIL', { email: 'new@shop.example' }, { action: 'VERIFY_PRIMARY_OTP' }],
  ['UPDATE_EMAIL_PRIMARY_OTP', { otp: '123456' }, undefined],
  ['UPDATE_EMAIL_SECONDARY_OTP', { otp: '123456' }, { newEmail: 'new@shop.example' }],
  ['SYNC_THEME', { themeMode: 'dark', themeVariables: { accent: '#0a7' } }, undefined],
  ['SYNC_DAPP_DATA', { projectId: 'p', sdkType: 'latchkey' }, undefined],
  ['RELOAD', undefined, undefined],
]

test('the table includes all 22 requests', () => {
  expect(new Set(successes.map(([name]) => name)).size).toBe(22)
})

test.each(successes)('responds to %s %j with its success event [R7.1]', async (name, says, payload) => {
  expect(await frame().ask(name, says)).toEqual({
    type: `@w3m-frame/${name}_SUCCESS`,
    id: '0',
    ...(payload !== undefined && { payload }),
  })
})

const failed = (code: string, status: number) => Response.json({ code, message: 'No.' }, { status })

/** Failing requests, each with the message of its error event and the server's responses. */
const errors: readonly (readonly [
  name: MethodName,
  says: unknown,
  message: string,
  answers?: Readonly<Record<string, unknown>>,
])[] = [
  ['SWITCH_NETWORK', { chainId: 'cosmos:cosmoshub-4' }, 'This network is not supported'],
  ['CONNECT_EMAIL', { email: 'ada' }, 'Invalid email'],
  [
    'CONNECT_EMAIL',
    { email: 'ada@shop.example' },
    'Please try again after 7 seconds',
    { '/vault/email': Response.json({ code: 'email/throttled', message: 'No.', seconds: 7 }, { status: 429 }) },
  ],
  ['CONNECT_DEVICE', undefined, 'The link has expired', { '/vault/email/device': failed('approval/expired', 410) }],
  ['CONNECT_OTP', { otp: '123456' }, 'Invalid code', { '/vault/email/code': failed('code/wrong', 422) }],
  ['CONNECT_SOCIAL', { uri: `${resultUri}&error=social/declined` }, 'The sign-in was declined'],
  [
    'GET_FARCASTER_URI',
    undefined,
    'Farcaster is not offered here',
    { '/vault/farcaster': failed('farcaster/unavailable', 404) },
  ],
  [
    'CONNECT_FARCASTER',
    undefined,
    'The sign-in failed',
    { '/vault/farcaster/finish': failed('farcaster/failed', 403) },
  ],
  ['GET_USER', undefined, 'Not signed in', { '/vault/me': signedOut() }],
  ['GET_USER', { chainId: 'cosmos:cosmoshub-4' }, 'This network is not supported'],
  [
    'GET_SOCIAL_REDIRECT_URI',
    { provider: 'google' },
    'This sign-in is not offered here',
    { '/vault/social/google': failed('social/unknown-provider', 404) },
  ],
  ['SIGN_OUT', undefined, 'The wallet cannot reach its server', { '/vault/sign-out': undefined }],
  ['IS_CONNECTED', undefined, 'The wallet cannot reach its server', { '/vault/me': undefined }],
  ['INIT_SMART_ACCOUNT', undefined, 'Not signed in', { '/vault/me': signedOut() }],
  ['SET_PREFERRED_ACCOUNT', { type: 'eoa' }, 'Not signed in', { '/vault/me': signedOut() }],
  ['RPC_REQUEST', { method: 'eth_sign', params: [] }, 'Requested RPC call is not allowed'],
  [
    'UPDATE_EMAIL',
    { email: 'new@shop.example' },
    'Please sign in again',
    { '/vault/email/change': failed('session/stale', 403) },
  ],
  [
    'UPDATE_EMAIL_PRIMARY_OTP',
    { otp: '123456' },
    'Invalid code',
    { '/vault/email/change/primary': failed('code/wrong', 422) },
  ],
  [
    'UPDATE_EMAIL_SECONDARY_OTP',
    { otp: '123456' },
    'This code has expired',
    { '/vault/email/change/secondary': failed('code/expired', 410) },
  ],
  ['SYNC_THEME', { themeMode: 'blue' }, 'themeMode: Invalid input'],
  ['SYNC_DAPP_DATA', {}, 'projectId: Required'],
]

const errorCases = errors.map(([name, says, message, answers = {}]) => ({ name, says, message, answers }))

test.each(errorCases)('responds to $name $says with the error event "$message" [R7.1]', async (errorCase) => {
  const { name, says, message, answers } = errorCase
  expect(await frame({ answers }).ask(name, says)).toEqual({
    type: `@w3m-frame/${name}_ERROR`,
    id: '0',
    payload: { message },
  })
})

test('passes the values in a request to the server or to the frame’s settings [R7.1] [R3.16]', async () => {
  const { ask, requests, settings, popups, reloads, locks } = frame()
  await ask('CONNECT_EMAIL', { email: 'ada@shop.example' })
  await ask('CONNECT_OTP', { otp: '123 456' })
  await ask('GET_SOCIAL_REDIRECT_URI', { provider: 'google' })
  await ask('CONNECT_SOCIAL', { uri: resultUri })
  await ask('UPDATE_EMAIL', { email: 'new@shop.example' })
  await ask('UPDATE_EMAIL_PRIMARY_OTP', { otp: '111111' })
  await ask('UPDATE_EMAIL_SECONDARY_OTP', { otp: '222222' })
  expect(requests.filter(({ path }) => path !== '/vault/me')).toEqual([
    { path: '/vault/email', body: { email: 'ada@shop.example' } },
    { path: '/vault/email/code', body: { otp: '123456' } },
    { path: '/vault/social/google', body: { opener: site } },
    { path: '/vault/social/finish', body: { resultUri } },
    { path: '/vault/email/change', body: { email: 'new@shop.example' } },
    { path: '/vault/email/change/primary', body: { otp: '111111' } },
    { path: '/vault/email/change/secondary', body: { otp: '222222' } },
  ])
  expect(popups).toEqual(['begin', 'https://login.example/authorize?state=1'])

  await ask('SWITCH_NETWORK', { chainId: 137 })
  expect((await ask('GET_CHAIN_ID')).payload).toEqual({ chainId: 137 })
  await ask('SYNC_THEME', { themeMode: 'dark' })
  await ask('SYNC_THEME', { w3mThemeVariables: { '--w3m-accent': '#0a7' } })
  expect(settings.theme()).toMatchObject({ themeMode: 'dark', w3mThemeVariables: { '--w3m-accent': '#0a7' } })
  await ask('SYNC_DAPP_DATA', { projectId: 'p', sdkVersion: 'react-1.0.0' })
  expect(settings.dapp()).toEqual({ projectId: 'p', sdkVersion: 'react-1.0.0' })
  await ask('RELOAD')
  expect(reloads()).toBe(1)
  await ask('SIGN_OUT')
  expect(locks()).toBeGreaterThan(0)
  expect(requests.at(-1)?.path).toBe('/vault/sign-out')
})

test('the request for an email code includes the visitor ID if the operator identifies visitors', async () => {
  const { ask, requests } = frame({ visitor: 'visitor-1' })
  await ask('CONNECT_EMAIL', { email: 'ada@shop.example' })
  expect(requests).toEqual([{ path: '/vault/email', body: { email: 'ada@shop.example', visitorId: 'visitor-1' } }])
})

test('CONNECT_DEVICE keeps waiting until the user approves the browser through the emailed link [R7.1]', async () => {
  const statuses = ['waiting', 'waiting', 'approved']
  const answers = {
    get '/vault/email/device'() {
      return { status: statuses.shift() }
    },
  }
  expect((await frame({ answers }).ask('CONNECT_DEVICE')).type).toBe('@w3m-frame/CONNECT_DEVICE_SUCCESS')
  expect(statuses).toEqual([])
})

test('reports a user who is not signed in as not connected [R7.1]', async () => {
  const { ask } = frame({ answers: { '/vault/me': signedOut() } })
  expect((await ask('IS_CONNECTED')).payload).toEqual({ isConnected: false })
})

test('if no bundlers are configured, no networks support smart accounts and INIT_SMART_ACCOUNT fails [R7.1]', async () => {
  const { ask } = frame({ bundlers: [] })
  expect((await ask('GET_SMART_ACCOUNT_ENABLED_NETWORKS')).payload).toEqual({ smartAccountEnabledNetworks: [] })
  expect(await ask('INIT_SMART_ACCOUNT')).toMatchObject({
    type: '@w3m-frame/INIT_SMART_ACCOUNT_ERROR',
    payload: { message: 'Smart accounts are not available on this network' },
  })
})

test('GET_SMART_ACCOUNT_ENABLED_NETWORKS fails if the server’s configuration cannot be fetched [R7.1]', async () => {
  const { ask } = frame({ config: () => Promise.reject(new PublicError('The wallet cannot reach its server')) })
  expect(await ask('GET_SMART_ACCOUNT_ENABLED_NETWORKS')).toEqual({
    type: '@w3m-frame/GET_SMART_ACCOUNT_ENABLED_NETWORKS_ERROR',
    id: '0',
    payload: { message: 'The wallet cannot reach its server' },
  })
})

test('responds to a request that requires approval after the user’s decision, or immediately when the page aborts it [R7.1]', async () => {
  const { ask, approvals, shown } = frame()
  const sign = () => ask('RPC_REQUEST', { method: 'personal_sign', params: ['0x68', key] })
  let appears = shown()
  const signing = sign()
  approvals.approve(await appears)
  expect(await signing).toMatchObject({
    type: '@w3m-frame/RPC_REQUEST_SUCCESS',
    payload: expect.stringMatching(/^0x[0-9a-f]{130}$/),
  })
  appears = shown()
  const declining = sign()
  approvals.cancel(await appears)
  expect(await declining).toMatchObject({ payload: { message: 'User rejected the request.' } })
  appears = shown()
  const aborting = sign()
  await appears
  await ask('RPC_ABORT')
  expect(await aborting).toMatchObject({
    type: '@w3m-frame/RPC_REQUEST_ERROR',
    payload: { message: 'Request was aborted' },
  })
})
