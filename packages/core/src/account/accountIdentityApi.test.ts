import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import type { Identity } from '../adapter.ts'
import { createChainApiClient } from '../chainApi/chainApiClient.ts'
import { createLatchkey } from '../createLatchkey.ts'
import { fakeAdapter, fakeConnector, fakeFetch, fakeNetwork, memoryStorage } from '../testing/index.ts'
import { createAccountIdentityApi } from './accountIdentityApi.ts'

const address = '0x1111111111111111111111111111111111111111'
const never = new AbortController().signal

function setup({
  chain = 'eip155:1',
  isEmbedded = false,
  answer = () => ({ name: 'ann.eth', avatar: 'https://img.example/ann.png', resolvedAt: null }),
}: {
  chain?: `eip155:${string}`
  isEmbedded?: boolean
  answer?: () => unknown
} = {}) {
  const clock = fakeClock()
  const server = fakeFetch({
    '/v1/supported-chains': () => ({ http: ['eip155:1'], ws: [] }),
    '/v1/identity': () => answer(),
  })
  const requested: string[] = []
  const identity = createAccountIdentityApi({
    api: createChainApiClient({ url: 'https://connect.example', projectId: 'p', fetch: server.fetch, clock }),
    names: async () => ({
      async reverse(given) {
        requested.push(given)
        return ['ann.shop.example', 'ann2.shop.example']
      },
    }),
    isEmbedded: () => isEmbedded,
    clock,
  })
  const subject = { account: `${chain}:${address}` as const, network: fakeNetwork(chain), session: undefined }
  return { read: () => identity.read(subject, never), identity, server, clock, requested }
}

test('the name and the image come from the server', async () => {
  const { read, server } = setup()
  expect(await read()).toEqual({ name: 'ann.eth', image: 'https://img.example/ann.png' })
  const [url] = server.to('/v1/identity').map((call) => call.url) as [URL]
  expect(url.pathname).toBe(`/v1/identity/${address}`)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ sender: address, projectId: 'p', st: 'latchkey' })
})

test('without a name, an account of the embedded wallet shows its first account name, and others show none', async () => {
  const answer = () => ({ name: null, avatar: null, resolvedAt: null })
  const embedded = setup({ isEmbedded: true, answer })
  expect(await embedded.read()).toEqual({ name: 'ann.shop.example' })
  expect(embedded.requested).toEqual([address])
  const other = setup({ answer })
  expect(await other.read()).toEqual({})
  expect(other.requested).toEqual([])
})

test('no identity is requested on a network that the server does not support', async () => {
  const { read, server } = setup({ chain: 'eip155:10' })
  expect(await read()).toBeUndefined()
  expect(server.to('/v1/identity')).toEqual([])
})

test('read() rejects if the server does not respond within five seconds, or after stop()', async () => {
  const { read, clock, identity } = setup({ answer: () => new Promise(() => {}) })
  const late = expect(read()).rejects.toMatchObject({ code: 'http/unreachable' })
  await clock.pass(5_000)
  await late
  const stopped = expect(read()).rejects.toMatchObject({ code: 'request/aborted' })
  await clock.pass(0)
  identity.stop()
  await stopped
})

test.each<[string, () => unknown, Identity]>([
  ['of the server, if it responds', () => ({ name: 'server.eth', avatar: null }), { name: 'server.eth' }],
  ['none, if the server knows none', () => ({ name: null, avatar: null }), {}],
  ['of the chain, if the server fails', () => new Response('', { status: 503 }), { name: 'chain.eth' }],
])('the name of the connected account: %s', async (_, answer, expected) => {
  const clock = fakeClock()
  const wallet = fakeConnector()
  const server = fakeFetch({ '/v1/supported-chains': () => ({ http: ['eip155:1'], ws: [] }), '/v1/identity': answer })
  const latchkey = createLatchkey({
    adapters: [fakeAdapter({ wallets: [wallet], identity: () => ({ name: 'chain.eth' }) })],
    server: 'https://connect.example',
    projectId: 'p',
    fetch: server.fetch,
    storage: memoryStorage(),
    logLevel: 'silent',
    clock,
  })
  const stop = latchkey.start()
  await latchkey.connect({ connectorId: wallet.id })
  await latchkey.refresh()
  expect(latchkey.state.get().account.identity).toEqual({ status: 'ready', value: expected })
  stop()
})
