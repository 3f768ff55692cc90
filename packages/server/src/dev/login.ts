import type { SocialProvider } from '@latchkey/protocol/http/vault'
import type { FarcasterPlaces, SocialClient } from '../vault/ports.ts'
import { createFarcaster } from './farcaster.ts'
import { createOpenId } from './openId.ts'
import { loginStyle } from './people.ts'
import type { Site } from './site.ts'
import { createStandIns, type StandInClient, type StandInName, standInEndpoints, standInNames } from './standIns.ts'

/** The social providers of this machine. */
export interface LoginWorld {
  readonly site: Site
  /** What the operator would have been given by each. */
  readonly social: ReadonlyMap<SocialProvider, SocialClient>
  readonly farcaster: FarcasterPlaces
  close(): Promise<void>
}

/** OpenID for Google and Apple, stand-ins for the others, all at `origin`, for the keys origin `keys`; Farcaster's ids are on `chain`. */
export function createLogin({
  origin,
  keys,
  chain,
}: {
  origin: string
  keys: string
  chain: { readonly chainId: string; readonly rpcUrl: string }
}): LoginWorld {
  const secret = 'a-secret-of-this-machine'
  const redirectUri = (id: string) => `${keys}/vault/social/callback/${id}`
  const openIdNames = ['google', 'apple'] as const
  const openId = createOpenId({
    issuer: origin,
    clients: openIdNames.map((id) => ({ clientId: `local-${id}`, clientSecret: secret, redirectUri: redirectUri(id) })),
  })
  const clients = new Map<StandInName, StandInClient>(
    standInNames.map((id) => [id, { clientId: `local-${id}`, clientSecret: secret, redirectUri: redirectUri(id) }]),
  )
  const standIns = createStandIns(clients)
  const farcaster = createFarcaster({ origin, ...chain })
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
      ...standInNames.map(
        (id) =>
          [id, { clientId: `local-${id}`, clientSecret: secret, endpoints: standInEndpoints(id, origin) }] as const,
      ),
    ]),
    farcaster: farcaster.places,
    site: async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/login.css') return new Response(loginStyle, { headers: { 'content-type': 'text/css' } })
      if (standInNames.some((name) => pathname.startsWith(`/${name}/`))) return standIns(request)
      if (pathname.startsWith('/farcaster/')) return farcaster.site(request)
      return openId.site(request)
    },
    close: openId.close,
  }
}
