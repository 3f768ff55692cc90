import type { SocialProvider } from '@latchkey/protocol/http/keys'
import type { FarcasterEndpoints, SocialClient } from '@latchkey/server'
import { createMockFarcaster } from './mockFarcaster.ts'
import {
  createMockOAuthProviders,
  type MockProviderClient,
  type MockProviderName,
  mockProviderEndpoints,
  mockProviderNames,
} from './mockOAuthProviders.ts'
import { createMockOpenIdProvider } from './mockOpenIdProvider.ts'
import { loginStyle } from './mockUsers.ts'
import type { StaticSite } from './staticSite.ts'

/** The mock social providers and the mock of Farcaster. */
export interface MockLoginServices {
  readonly site: StaticSite
  /** The client credentials that each provider would have issued to the operator. */
  readonly social: ReadonlyMap<SocialProvider, SocialClient>
  readonly farcaster: FarcasterEndpoints
  close(): Promise<void>
}

/**
 * Creates the mock login services at `origin` for the keys origin `keys`. Google and Apple use OpenID, and the other providers
 * use mock OAuth flows. Farcaster IDs are registered on `chain`.
 */
export function createMockLoginServices({
  origin,
  keys,
  chain,
}: {
  origin: string
  keys: string
  chain: { readonly chainId: string; readonly rpcUrl: string }
}): MockLoginServices {
  const secret = 'a-secret-of-this-machine'
  const redirectUri = (id: string) => `${keys}/vault/social/callback/${id}`
  const openIdNames = ['google', 'apple'] as const
  const openId = createMockOpenIdProvider({
    issuer: origin,
    clients: openIdNames.map((id) => ({ clientId: `local-${id}`, clientSecret: secret, redirectUri: redirectUri(id) })),
  })
  const clients = new Map<MockProviderName, MockProviderClient>(
    mockProviderNames.map((id) => [
      id,
      { clientId: `local-${id}`, clientSecret: secret, redirectUri: redirectUri(id) },
    ]),
  )
  const mockProviders = createMockOAuthProviders(clients)
  const farcaster = createMockFarcaster({ origin, ...chain })
  const openIdEndpoints = {
    authorize: `${origin}/auth`,
    token: `${origin}/token`,
    issuer: origin,
    keys: `${origin}/jwks`,
  }

  return {
    social: new Map<SocialProvider, SocialClient>([
      ...openIdNames.map(
        (id) => [id, { clientId: `local-${id}`, clientSecret: secret, endpoints: openIdEndpoints }] as const,
      ),
      ...mockProviderNames.map(
        (id) =>
          [
            id,
            { clientId: `local-${id}`, clientSecret: secret, endpoints: mockProviderEndpoints(id, origin) },
          ] as const,
      ),
    ]),
    farcaster: farcaster.endpoints,
    site: async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/login.css') return new Response(loginStyle, { headers: { 'content-type': 'text/css' } })
      if (mockProviderNames.some((name) => pathname.startsWith(`/${name}/`))) return mockProviders(request)
      if (pathname.startsWith('/farcaster/')) return farcaster.site(request)
      return openId.site(request)
    },
    close: openId.close,
  }
}
