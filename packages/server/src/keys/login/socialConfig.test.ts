import type { SocialProvider } from '@latchkey/protocol/http/keys'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config/readConfig.ts'
import { type AssembledServer, serverFromConfig } from '../../serverFromConfig.ts'
import { startPostgres, type TestPostgres } from '../../testing/postgres.ts'

const keysUrl = 'http://keys.shop.localhost:4100'
const { host, origin } = new URL(keysUrl)

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
 * Starts a server with the given `SOCIAL_LOGINS` and fake providers. Resolves to the URLs that the server requests from the
 * providers.
 */
async function open(logins: string): Promise<string[]> {
  const urls: string[] = []
  server = await serverFromConfig({
    config: readConfig({
      DATABASE_URL: postgres.url,
      AUTH_SECRET: 'a secret of these tests alone, and long enough',
      KEYS_URL: keysUrl,
      SMTP_URL: 'smtp://127.0.0.1',
      MAIL_FROM: 'wallet@shop.example',
      SOCIAL_LOGINS: logins,
    }),
    log: () => {},
    keys: {
      frameFiles: { find: async () => undefined },
      fetch: async ({ url }) => {
        urls.push(url)
        if (url.endsWith('/emails')) return Response.json([])
        return Response.json({ access_token: 'an-access-token', id_token: 'no.id.token', keys: [], id: '7' })
      },
    },
  })
  return urls
}

const fetched = (request: Request) => {
  if (!server) throw new Error('The server is not running')
  return server.fetch(request, { address: '203.0.113.7' })
}

/** Starts a login as the key frame does. */
const begin = (provider: string) =>
  fetched(
    new Request(`${keysUrl}/vault/social/${provider}`, {
      method: 'POST',
      headers: { host, origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: '{}',
    }),
  )

test.each<[SocialProvider, authorize: string, scope: string, requests: readonly string[]]>([
  [
    'google',
    'https://accounts.google.com/o/oauth2/v2/auth',
    'openid email profile',
    ['https://oauth2.googleapis.com/token', 'https://www.googleapis.com/oauth2/v3/certs'],
  ],
  [
    'apple',
    'https://appleid.apple.com/auth/authorize',
    'openid email name',
    ['https://appleid.apple.com/auth/token', 'https://appleid.apple.com/auth/keys'],
  ],
  [
    'github',
    'https://github.com/login/oauth/authorize',
    'read:user user:email',
    [
      'https://github.com/login/oauth/access_token',
      'https://api.github.com/user',
      'https://api.github.com/user/emails',
    ],
  ],
  [
    'facebook',
    'https://www.facebook.com/v23.0/dialog/oauth',
    'public_profile email',
    ['https://graph.facebook.com/v23.0/oauth/access_token', 'https://graph.facebook.com/v23.0/me?fields=id,name,email'],
  ],
  [
    'x',
    'https://x.com/i/oauth2/authorize',
    'users.read tweet.read',
    ['https://api.x.com/2/oauth2/token', 'https://api.x.com/2/users/me'],
  ],
  [
    'discord',
    'https://discord.com/oauth2/authorize',
    'identify email',
    ['https://discord.com/api/oauth2/token', 'https://discord.com/api/users/@me'],
  ],
])(
  'uses the published URLs of %s if only a client ID and a secret are configured [R1.3]',
  async (provider, authorize, scope, requests) => {
    const urls = await open(`${provider}=the-client:the-secret`)
    const begun = await begin(provider)
    const uri = new URL(((await begun.json()) as { uri: string }).uri)
    expect(uri.origin + uri.pathname).toBe(authorize)
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      client_id: 'the-client',
      redirect_uri: `${keysUrl}/vault/social/callback/${provider}`,
      response_type: 'code',
      code_challenge_method: 'S256',
      scope,
    })
    expect(urls).toEqual([])
    const cookie = begun.headers.getSetCookie().map((line) => line.split(';')[0])
    const back = `${keysUrl}/vault/social/callback/${provider}?code=a-code&state=${uri.searchParams.get('state')}`
    await fetched(
      new Request(back, {
        headers: { host, cookie: cookie.join('; '), 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      }),
    )
    expect(urls).toEqual(requests)
  },
)

test('a provider that is not configured cannot be used [R1.3]', async () => {
  await open('github=the-client:the-secret')
  for (const provider of ['google', 'apple', 'facebook', 'x', 'discord'])
    expect([provider, (await begin(provider)).ok]).toEqual([provider, false])
  expect((await begin('github')).ok).toBe(true)
})
