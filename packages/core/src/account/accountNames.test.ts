import type { NameSuggestion } from '@latchkey/protocol/http/chainApi'
import { fakeClock } from '@latchkey/protocol/testing'
import { beforeEach, expect, test } from 'vitest'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import { createChainApiClient } from '../chainApi/chainApiClient.ts'
import { createCaches } from '../storage/storedCaches.ts'
import { fakeConnector, fakeNetwork, fakeSession, memoryStorage } from '../testing/index.ts'
import { createAccountNames } from './accountNames.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const account = `eip155:1:${address}` as const
const profileOf = (name: string, owner = address) => ({
  name,
  registered_at: '2026-11-24T00:00:00Z',
  attributes: {},
  addresses: { 60: { address: owner, created_at: '2026-11-24T00:00:00Z' } },
})
const refusal = (field: string, description: string) => ({ status: 'FAILED', reasons: [{ field, description }] })

interface Answer {
  readonly status?: number
  readonly json: unknown
}

function setup({
  signMessage = async () => new Uint8Array(65).fill(1),
  chain = 'eip155:1' as `eip155:${string}`,
}: {
  readonly signMessage?: (parameters: { message: Uint8Array }) => Promise<Uint8Array>
  readonly chain?: `eip155:${string}`
} = {}) {
  const clock = fakeClock()
  const requests: { readonly url: URL; readonly body: unknown }[] = []
  const answers: Record<string, Answer | 'down'> = {
    '/v1/supported-chains': { json: { http: ['eip155:1', 'eip155:137'], ws: [] } },
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    requests.push({ url, body: init?.body === undefined ? undefined : JSON.parse(String(init.body)) })
    const answer = answers[url.pathname]
    if (!answer || answer === 'down') throw new TypeError('Failed to fetch')
    return Response.json(answer.json, { status: answer.status ?? 200 })
  }
  const events: AnalyticsEvent[] = []
  const registered: unknown[] = []
  const storage = memoryStorage()
  const names = createAccountNames({
    api: createChainApiClient({ url: 'https://connect.shop.example', projectId: 'shop', fetch, clock }),
    now: () => ({
      account,
      network: fakeNetwork(chain),
      session: fakeSession(fakeConnector({ id: 'io.wallet' }), { chain, addresses: [address], can: { signMessage } }),
    }),
    namesZone: async () => 'shop.example',
    cache: createCaches({ storage: () => storage, clock, log: { info() {}, warn() {} } as never }).ens,
    isSmartAccount: () => false,
    registered: (...params) => registered.push(params),
    track: (event) => events.push(event),
    clock,
  })
  const paths = () => requests.map(({ url }) => url.pathname)
  const suggest = (...suggestions: NameSuggestion[]) => ({ json: { suggestions } })
  return { clock, requests, answers, events, registered, names, paths, suggest }
}

let at: ReturnType<typeof setup>
beforeEach(() => {
  at = setup()
})

/** Waits until pending promises have settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('suggestions for at least four characters are requested once, half a second after the last change', async () => {
  const { names, clock, answers, requests, suggest } = at
  answers['/v1/profile/suggestions/alice'] = suggest({ name: 'alice.shop.example', registered: true })
  for (const text of ['a', 'al', 'ali', 'alic', ' Alice ']) {
    names.setText(text)
    await clock.pass(499)
  }
  await settled()
  expect(requests).toEqual([])
  expect(names.state.get()).toMatchObject({ text: 'alice', suggestions: { status: 'loading' } })
  await clock.pass(1)
  await settled()
  const sent = requests.filter(({ url }) => url.pathname.includes('suggestions'))
  expect(sent.map(({ url }) => url.searchParams.get('zone'))).toEqual(['shop.example'])
  expect(names.state.get().suggestions).toEqual({
    status: 'ready',
    value: [{ name: 'alice.shop.example', registered: true }],
  })
})

test('invalid text has no suggestions, and the response for an earlier text is not shown', async () => {
  const { names, clock, answers, suggest } = at
  answers['/v1/profile/suggestions/alice'] = suggest({ name: 'alice.shop.example', registered: true })
  names.setText('alice')
  await clock.pass(500)
  names.setText('al_')
  await settled()
  expect(names.state.get().suggestions).toEqual({ status: 'idle' })
})

test('if the server does not respond, the suggestions fail, the text is kept, and retry() requests them again', async () => {
  const { names, clock, answers, suggest } = at
  answers['/v1/profile/suggestions/alice'] = 'down'
  names.setText('alice')
  await clock.pass(500)
  await settled()
  expect(names.state.get()).toMatchObject({ text: 'alice', suggestions: { status: 'failed' } })
  answers['/v1/profile/suggestions/alice'] = suggest({ name: 'alice.shop.example', registered: false })
  names.retry()
  await clock.pass(0)
  await settled()
  expect(names.state.get().suggestions).toMatchObject({ status: 'ready' })
})

test('on a network that the server does not support, nothing is looked up', async () => {
  const { names, clock, paths } = setup({ chain: 'eip155:10' })
  names.setText('alice')
  await clock.pass(500)
  await settled()
  expect(names.state.get().suggestions).toEqual({ status: 'ready', value: [] })
  expect(await names.lookup('alice.shop.example')).toBeUndefined()
  expect(await names.reverse(address)).toEqual([])
  expect(new Set(paths())).toEqual(new Set(['/v1/supported-chains']))
})

test('on a network that the server does not support, no signature is requested to register a name', async () => {
  let signatures = 0
  const { names, paths } = setup({
    chain: 'eip155:10',
    signMessage: async () => {
      signatures += 1
      return new Uint8Array(65).fill(1)
    },
  })
  names.setText('alice')
  await expect(names.register()).rejects.toMatchObject({ code: 'network/unsupported' })
  expect(signatures).toBe(0)
  expect(names.state.get()).toMatchObject({ text: 'alice', registering: false })
  expect(paths()).not.toContain('/v1/profile/account')
})

test('a name is unregistered if the response is an empty list, and registered if the response is a profile', async () => {
  const { names, answers } = at
  answers['/v1/profile/account/alice.shop.example'] = { json: [] }
  expect(await names.lookup('Alice.shop.example')).toBeUndefined()
  answers['/v1/profile/account/alice.shop.example'] = { json: profileOf('alice.shop.example') }
  expect(await names.lookup('alice.shop.example')).toMatchObject({ addresses: { 60: { address } } })
})

test('names are requested with apiVersion 2, which returns an empty list for an unregistered name', async () => {
  const { names, answers, requests } = at
  answers['/v1/profile/account/alice.shop.example'] = { json: [] }
  answers[`/v1/profile/reverse/${address}`] = { json: [] }
  expect(await names.lookup('alice.shop.example')).toBeUndefined()
  expect(await names.reverse(address)).toEqual([])
  const sent = requests.filter(({ url }) => url.pathname.startsWith('/v1/profile/'))
  expect(sent.map(({ url }) => url.searchParams.get('apiVersion'))).toEqual(['2', '2'])
})

test('the names of an address are cached for five minutes', async () => {
  const { names, clock, answers, requests } = at
  answers[`/v1/profile/reverse/${address}`] = { json: [profileOf('alice.shop.example')] }
  for (let turn = 0; turn < 2; turn += 1) expect(await names.reverse(address)).toEqual(['alice.shop.example'])
  const count = () => requests.filter(({ url }) => url.pathname.includes('reverse')).length
  expect(count()).toBe(1)
  await clock.pass(300_001)
  await names.reverse(address)
  expect(count()).toBe(2)
})

test('registering signs compact JSON, sends the coin type of the network, and remembers the name', async () => {
  const signed: string[] = []
  const { names, clock, answers, requests, events, registered } = setup({
    signMessage: async ({ message }) => {
      signed.push(new TextDecoder().decode(message))
      return new Uint8Array(65).fill(1)
    },
  })
  answers['/v1/profile/account'] = { json: profileOf('alice.shop.example') }
  names.setText('alice')
  expect(await names.register()).toBe('alice.shop.example')
  const timestamp = Math.floor(clock.now() / 1000)
  expect(signed).toEqual([`{"name":"alice.shop.example","attributes":{},"timestamp":${timestamp}}`])
  expect(requests.find(({ url }) => url.pathname === '/v1/profile/account')?.body).toEqual({
    message: signed[0],
    signature: `0x${'01'.repeat(65)}`,
    coin_type: 2_147_483_649,
    address,
  })
  expect(registered).toEqual([[account, 'alice.shop.example']])
  expect(await names.reverse(address)).toEqual(['alice.shop.example'])
  expect(events.map(({ event }) => event)).toEqual(['REGISTER_NAME_INITIATED', 'REGISTER_NAME_SUCCESS'])
  expect(names.state.get()).toMatchObject({ text: '', registering: false })
})

test('after a rejection by the user or the server, the text is kept and the error contains the reason', async () => {
  const rejected = Object.assign(new Error('no'), { code: 'user/rejected', details: { request: 'personal_sign' } })
  const declining = setup({ signMessage: () => Promise.reject(rejected) })
  declining.names.setText('alice')
  await expect(declining.names.register()).rejects.toMatchObject({ code: 'user/rejected' })
  expect(declining.names.state.get()).toMatchObject({
    text: 'alice',
    registering: false,
    error: { code: 'user/rejected' },
  })
  expect(declining.events.map(({ event }) => event)).toEqual(['REGISTER_NAME_INITIATED', 'REGISTER_NAME_ERROR'])

  const { names, answers } = at
  answers['/v1/profile/account'] = { status: 400, json: refusal('name', 'The name is already registered') }
  answers['/v1/profile/account/alice.shop.example'] = {
    json: profileOf('alice.shop.example', '0x0000000000000000000000000000000000000001'),
  }
  names.setText('alice')
  await expect(names.register()).rejects.toMatchObject({
    code: 'http/failed',
    details: { field: 'name', reason: 'The name is already registered' },
  })
  expect(names.state.get()).toMatchObject({ text: 'alice', registering: false, error: { code: 'http/failed' } })
  names.setText('alice2')
  expect(names.state.get().error).toBeUndefined()
})

test('after a lost response, register() sends the same signature again and finds the registered name', async () => {
  let signatures = 0
  const { names, answers } = setup({
    signMessage: async () => {
      signatures += 1
      return new Uint8Array(65).fill(1)
    },
  })
  answers['/v1/profile/account'] = 'down'
  names.setText('alice')
  await expect(names.register()).rejects.toMatchObject({ code: 'http/unreachable' })
  answers['/v1/profile/account'] = { status: 400, json: refusal('name', 'The name is already registered') }
  answers['/v1/profile/account/alice.shop.example'] = { json: profileOf('alice.shop.example', address.toLowerCase()) }
  expect(await names.register()).toBe('alice.shop.example')
  expect(signatures).toBe(1)
})

test('pressing the button twice requests one signature', async () => {
  let signatures = 0
  const { names, answers } = setup({
    signMessage: async () => {
      signatures += 1
      return new Uint8Array(65).fill(1)
    },
  })
  answers['/v1/profile/account'] = { json: profileOf('alice.shop.example') }
  names.setText('alice')
  await Promise.all([names.register(), names.register()])
  expect(signatures).toBe(1)
})
