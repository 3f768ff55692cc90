import { createHash, randomBytes } from 'node:crypto'
import type { SocialEndpoints } from '@latchkey/server'
import { Hono } from 'hono'
import { errorPage, loginForm, type MockUser, mockUserOf } from './mockUsers.ts'
import type { StaticSite } from './staticSite.ts'

/** The names of the mock providers that use their own OAuth flow instead of OpenID Connect. */
export const mockProviderNames = ['github', 'facebook', 'x', 'discord'] as const

/** The name of a mock provider. */
export type MockProviderName = (typeof mockProviderNames)[number]

/** A registered client of a mock provider. */
export interface MockProviderClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

interface MockProvider {
  readonly label: string
  readonly paths: { readonly authorize: string; readonly token: string; readonly user: string }
  /** Returns the responses of the provider's documented endpoints, keyed by the path after `user`. */
  readonly answers: (mockUser: MockUser) => Readonly<Record<string, unknown>>
}

// The paths and responses match the providers' documentation. Only the host and the user are mocked.
const mockProviders: Readonly<Record<MockProviderName, MockProvider>> = {
  github: {
    label: 'GitHub',
    paths: { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token', user: '/user' },
    answers: ({ id, name, email, isVerified }) => ({
      '': { id: numbered(id), login: email.split('@')[0], name, email: null, type: 'User' },
      '/emails': [
        { email: `old-${email}`, primary: false, verified: true, visibility: null },
        { email, primary: true, verified: isVerified, visibility: 'private' },
      ],
    }),
  },
  facebook: {
    label: 'Facebook',
    paths: { authorize: '/v23.0/dialog/oauth', token: '/v23.0/oauth/access_token', user: '/v23.0/me' },
    answers: ({ id, name, email }) => ({ '': { id: String(numbered(id)), name, email } }),
  },
  x: {
    label: 'X',
    paths: { authorize: '/i/oauth2/authorize', token: '/2/oauth2/token', user: '/2/users/me' },
    answers: ({ id, name, email }) => ({
      '': { data: { id: String(numbered(id)), name, username: email.split('@')[0] } },
    }),
  },
  discord: {
    label: 'Discord',
    paths: { authorize: '/oauth2/authorize', token: '/api/oauth2/token', user: '/api/users/@me' },
    answers: ({ id, name, email, isVerified }) => ({
      '': { id: String(numbered(id)), username: email.split('@')[0], global_name: name, email, verified: isVerified },
    }),
  },
}

interface Grant {
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly mockUser: MockUser
}

/** Returns the endpoints of a mock provider, which are the documented paths under `/<name>` on `origin`. */
export function mockProviderEndpoints(name: MockProviderName, origin: string): SocialEndpoints {
  const { authorize, token, user } = mockProviders[name].paths
  const at = (path: string) => `${origin}/${name}${path}`
  return { authorize: at(authorize), token: at(token), user: at(user) }
}

/** Creates mocks of the documented endpoints of GitHub, Facebook, X and Discord. Their pages identify themselves as mocks. */
export function createMockOAuthProviders(clients: ReadonlyMap<MockProviderName, MockProviderClient>): StaticSite {
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, MockUser>()
  const app = new Hono()

  for (const name of mockProviderNames) {
    const { label, paths, answers } = mockProviders[name]
    const client = clients.get(name)
    const at = (path: string) => `/${name}${path}`
    const isClient = (id: string | null | undefined, redirectUri: string | null | undefined) =>
      client !== undefined && id === client.clientId && redirectUri === client.redirectUri

    app.get(at(paths.authorize), (c) => {
      const query = c.req.query()
      if (!isClient(query.client_id, query.redirect_uri) || query.response_type !== 'code')
        return errorPage('Unknown client or redirect URI.')
      if (!query.state || query.code_challenge_method !== 'S256' || !query.code_challenge)
        return errorPage('The state or code challenge is missing.')
      return loginForm({
        title: `${label} (mock)`,
        note: `This is not ${label}. It is a page on your own machine that simulates the published ${label} endpoints.`,
        clientName: query.client_id ?? '',
        action: at('/answer'),
        hidden: {
          state: query.state,
          challenge: query.code_challenge,
          redirect_uri: query.redirect_uri ?? '',
          client_id: query.client_id ?? '',
        },
      })
    })

    app.post(at('/answer'), async (c) => {
      const form = new URLSearchParams(await c.req.text())
      const redirectUri = form.get('redirect_uri') ?? ''
      if (!isClient(form.get('client_id'), redirectUri)) return errorPage('Unknown client.')
      const redirectUrl = new URL(redirectUri)
      redirectUrl.searchParams.set('state', form.get('state') ?? '')
      if (form.get('answer') === 'no') redirectUrl.searchParams.set('error', 'access_denied')
      else {
        const code = randomBytes(16).toString('hex')
        const clientId = form.get('client_id') ?? ''
        codes.set(code, { clientId, redirectUri, challenge: form.get('challenge') ?? '', mockUser: mockUserOf(form) })
        redirectUrl.searchParams.set('code', code)
      }
      return c.redirect(redirectUrl.href, 303)
    })

    app.post(at(paths.token), async (c) => {
      const form = new URLSearchParams(await c.req.text())
      const [basicId, basicSecret] = basic(c.req.header('authorization'))
      const input = codes.get(form.get('code') ?? '')
      // A code is valid for a single attempt, successful or not.
      codes.delete(form.get('code') ?? '')
      const isRight =
        client !== undefined &&
        input !== undefined &&
        (basicId ?? form.get('client_id')) === client.clientId &&
        (basicSecret ?? form.get('client_secret')) === client.clientSecret &&
        input.clientId === client.clientId &&
        input.redirectUri === form.get('redirect_uri') &&
        input.challenge ===
          createHash('sha256')
            .update(form.get('code_verifier') ?? '')
            .digest('base64url')
      if (!isRight) return c.json({ error: 'invalid_grant' }, 400)
      const token = randomBytes(16).toString('hex')
      tokens.set(`${name} ${token}`, input.mockUser)
      return c.json({ access_token: token, token_type: 'bearer', scope: '', expires_in: 600 })
    })

    app.get(`${at(paths.user)}/:part?`, (c) => {
      const mockUser = tokens.get(`${name} ${c.req.header('authorization')?.replace(/^Bearer /i, '') ?? ''}`)
      if (!mockUser) return c.json({ message: 'Bad credentials' }, 401)
      const part = c.req.param('part')
      const answer = answers(mockUser)[part === undefined ? '' : `/${part}`]
      return answer === undefined ? c.json({ message: 'Not Found' }, 404) : c.json(answer as object)
    })
  }

  return async (request) => app.fetch(request)
}

function basic(header: string | undefined): readonly [string?, string?] {
  const found = /^Basic (.+)$/i.exec(header ?? '')?.[1]
  if (!found) return []
  const [id = '', secret = ''] = Buffer.from(found, 'base64').toString('utf8').split(':')
  return [decodeURIComponent(id), decodeURIComponent(secret)]
}

function numbered(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE(0)
}
