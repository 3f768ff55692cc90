import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import type ProviderType from 'oidc-provider'
import { localFetch } from './localFetch.ts'
import { createOpenIdStore } from './mockOpenIdStore.ts'
import { errorPage, loginForm, type MockUser, mockUserOf } from './mockUsers.ts'
import type { StaticSite } from './staticSite.ts'

/** A local OpenID provider that uses a real implementation and lets you sign in as any user. */
export interface MockOpenIdProvider {
  readonly site: StaticSite
  close(): Promise<void>
}

/** A registered client of the provider. */
export interface OpenIdClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

/** Creates the provider at `issuer`. It starts with the first request. */
export function createMockOpenIdProvider({
  issuer,
  clients,
}: {
  issuer: string
  clients: readonly OpenIdClient[]
}): MockOpenIdProvider {
  const mockUsers = new Map<string, MockUser>()
  let running: Promise<{ port: number; close: () => Promise<void> }> | undefined

  async function start(): Promise<{ port: number; close: () => Promise<void> }> {
    const { default: Provider, interactionPolicy } = await quietly(() => import('oidc-provider'))
    const policy = interactionPolicy.base()
    policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
    // Prompt for login every time, so that a developer can switch between users.
    const { Check } = interactionPolicy
    policy
      .get('login')
      ?.checks.add(
        new Check('always', 'The user must log in', (ctx) =>
          ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
        ),
      )
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const provider: ProviderType = new Provider(issuer, {
      adapter: createOpenIdStore(),
      clients: clients.map(({ clientId, clientSecret, redirectUri }) => ({
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      })),
      jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'local' }] },
      cookies: { keys: [randomBytes(32).toString('base64url')] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], name: ['name'] },
      scopes: ['openid', 'email', 'profile', 'name'],
      // Includes user claims in the ID token, as the large providers do.
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
      interactions: { policy, url: (_, interaction) => `/interaction/${interaction.uid}` },
      ttl: { Interaction: 3600, Session: 3600, Grant: 3600, AccessToken: 600, IdToken: 600 },
      // No consent prompt is needed, because the login form lists the shared data.
      loadExistingGrant: async (ctx) => {
        const { client, session } = ctx.oidc
        if (!client || !session?.accountId) return undefined
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
        grant.addOIDCScope('openid email profile name')
        await grant.save()
        return grant
      },
      findAccount: (_, id) => {
        const { name, email, isVerified } = mockUsers.get(id) ?? mockUserOf(new URLSearchParams())
        return { accountId: id, claims: async () => ({ sub: id, name, email, email_verified: isVerified }) }
      },
    })
    // The listener in front of the provider uses plain HTTP on a local host name.
    provider.proxy = true
    const handle = provider.callback()

    async function interact(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
      const { params } = await provider.interactionDetails(incoming, outgoing)
      if (incoming.method !== 'POST') {
        const client = typeof params.client_id === 'string' ? params.client_id : ''
        const form = loginForm({ title: 'Sign in', note: openIdNote, clientName: client, action: incoming.url ?? '' })
        for (const [name, value] of form.headers) outgoing.setHeader(name, value)
        outgoing.end(await form.text())
        return
      }
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const answer = new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
      if (answer.get('answer') === 'no') {
        await provider.interactionFinished(incoming, outgoing, { error: 'access_denied' })
        return
      }
      const mockUser = mockUserOf(answer)
      mockUsers.set(mockUser.id, mockUser)
      const login = { accountId: mockUser.id, remember: false }
      await provider.interactionFinished(
        incoming,
        outgoing,
        { login, select_account: {} },
        { mergeWithLastSubmission: false },
      )
    }

    const server = createServer((incoming, outgoing) => {
      if (!incoming.url?.startsWith('/interaction/')) return void handle(incoming, outgoing)
      interact(incoming, outgoing).catch(async () => {
        outgoing.statusCode = 400
        outgoing.end(await errorPage('This sign-in has expired').text())
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return {
      port: (server.address() as AddressInfo).port,
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  }

  return {
    site: async (request) => {
      running ??= start()
      return localFetch(request, { port: (await running).port })
    },
    close: async () => {
      await (await running)?.close()
    },
  }
}

const openIdNote =
  'This is a real OpenID provider on your own machine. It replaces the provider on the button, and you can log in as anyone.'

/**
 * Imports a library and suppresses its warning about Node 20, which the library has no option to disable. The tests show that the
 * library works on Node 20. Other warnings are still printed. Remove this function when Node 20 is no longer supported.
 */
async function quietly<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const { warn } = console
  console.warn = (...parameters: unknown[]) => {
    if (!String(parameters[0]).includes('oidc-provider WARNING: Unsupported runtime.')) warn.apply(console, parameters)
  }
  try {
    return await load()
  } finally {
    console.warn = warn
  }
}
