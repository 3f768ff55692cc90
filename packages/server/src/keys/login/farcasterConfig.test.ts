import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config/readConfig.ts'
import { type AssembledServer, serverFromConfig } from '../../serverFromConfig.ts'
import { startPostgres, type TestPostgres } from '../../testing/postgres.ts'

const keysUrl = 'http://keys.shop.localhost:4100'
const link = 'https://farcaster.example/~/siwf?channelToken=a-channel'

let postgres: TestPostgres
let server: AssembledServer | undefined
beforeAll(async () => {
  postgres = await startPostgres()
}, 120_000)
afterEach(async () => {
  await server?.close()
  server = undefined
})
afterAll(() => postgres.stop())

/**
 * Starts a server with the given environment variables and fake external services. Resolves to the URLs that the server requests.
 */
async function open(env: Readonly<Record<string, string>>): Promise<string[]> {
  const urls: string[] = []
  server = await serverFromConfig({
    config: readConfig({
      DATABASE_URL: postgres.url,
      AUTH_SECRET: 'a secret of these tests alone, and long enough',
      KEYS_URL: keysUrl,
      SMTP_URL: 'smtp://127.0.0.1',
      MAIL_FROM: 'wallet@shop.example',
      RPC_URLS: 'eip155:10=http://127.0.0.1:9',
      ...env,
    }),
    log: () => {},
    keys: {
      frameFiles: { find: async () => undefined },
      fetch: async ({ url }) => {
        urls.push(url)
        return Response.json({ channelToken: 'a-channel', url: link })
      },
    },
  })
  return urls
}

/** Sends a request as the key frame does. */
async function ask(method: 'GET' | 'POST', path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const { host, origin } = new URL(keysUrl)
  const headers = { host, origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const sent = method === 'POST' ? { body: '{}' } : {}
  const answer = await server?.fetch(new Request(`${keysUrl}${path}`, { method, headers, ...sent }), {
    address: '203.0.113.7',
  })
  return { status: answer?.status ?? 0, body: (await answer?.json()) as Record<string, unknown> }
}

test.each([{}, { FARCASTER: 'off' }])(
  'if the environment is %j, the server reports no Farcaster support, opens no channel and sends no request to a relay [R1.4]',
  async (env) => {
    const urls = await open(env)
    expect((await ask('GET', '/vault/config')).body.farcaster).toBe(false)
    expect(await ask('POST', '/vault/farcaster')).toMatchObject({
      status: 404,
      body: { code: 'farcaster/unavailable' },
    })
    expect(urls).toEqual([])
  },
)

test('if FARCASTER is on, the server reports Farcaster support and returns a channel URL [R1.4]', async () => {
  const urls = await open({ FARCASTER: 'on' })
  expect((await ask('GET', '/vault/config')).body.farcaster).toBe(true)
  expect(await ask('POST', '/vault/farcaster')).toEqual({ status: 200, body: { url: link } })
  expect(urls).toEqual(['https://relay.farcaster.xyz/v1/channel'])
})

test('rejects FARCASTER=on with a one-sentence error if no node is configured for the ID registry', () => {
  expect(() => readConfig({ FARCASTER: 'on', RPC_URLS: 'eip155:1=http://127.0.0.1:9' })).toThrow(
    'RPC_URLS must contain a node for eip155:10 if FARCASTER is on.',
  )
})
