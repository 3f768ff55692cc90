import type { DevEnvironmentInfo } from './environmentInfo.ts'
import { type StaticSite, type StaticSitePolicy, serveFolder, strictHeaders } from './staticSite.ts'

/** A function that creates a site from the environment's URLs and the headers of the strict content security policy. */
export interface SiteFactory {
  /** Called once when the environment starts. Returns the handler for the site's requests. */
  (environment: { facts: DevEnvironmentInfo; headers: Readonly<Record<string, string>> }): StaticSite
}

/** Returns the origins in the environment that pages with the strict content security policy can access. */
export function pagePolicy(facts: DevEnvironmentInfo): StaticSitePolicy {
  const nodes = facts.chains.map(({ rpcUrls }) => rpcUrls.default.http[0])
  return { connect: facts.connect, rpc: [...nodes, facts.solana.url, facts.relay], frames: [facts.keys] }
}

/**
 * Returns the sites for the built app in `site`, the built web wallet in `wallet` and the additional `sites`, keyed by host name.
 */
export function sitesByHost({
  facts,
  site,
  wallet,
  sites,
}: {
  facts: DevEnvironmentInfo
  site: string | undefined
  wallet: string | undefined
  sites: Readonly<Record<string, SiteFactory>>
}): ReadonlyMap<string, StaticSite> {
  const policy = pagePolicy(facts)
  const headers = strictHeaders(policy)
  // The wallet shows icons from arbitrary origins. Their servers must not receive a referrer.
  const walletHeaders = {
    ...strictHeaders({ ...policy, frames: [], images: ['https:'] }),
    'referrer-policy': 'no-referrer',
  }
  return new Map([
    ...(site === undefined
      ? []
      : [['demo.localhost', withFacts(serveFolder({ folder: site, headers }), facts, headers)] as const]),
    ...(wallet === undefined
      ? []
      : [
          [
            'wallet.demo.localhost',
            withFacts(serveFolder({ folder: wallet, headers: walletHeaders }), facts, walletHeaders),
          ] as const,
        ]),
    ...Object.entries(sites).map(([host, create]) => [host, create({ facts, headers })] as const),
  ])
}

function withFacts(site: StaticSite, facts: DevEnvironmentInfo, headers: Readonly<Record<string, string>>): StaticSite {
  return async (request) =>
    new URL(request.url).pathname === '/environment.json'
      ? Response.json(facts, { headers: { ...headers, 'cache-control': 'no-store' } })
      : site(request)
}
