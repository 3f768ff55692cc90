import type { Clock } from '@latchkey/protocol/clock'
import type { Analytics } from '../analytics/analyticsEvents.ts'
import type { State } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import type { LatchkeyServer } from '../lib/serverUrls.ts'
import { type Store, slice } from '../lib/store.ts'
import type { LatchkeyOptions } from '../options.ts'
import { directoryChains } from '../wallets/directoryChains.ts'
import { createDirectory } from '../wallets/directoryClient.ts'
import type { Directory } from '../wallets/directoryTypes.ts'

/** Creates the client for the server's wallet directory, with the host's options. This module is loaded on first use. */
export function createWalletDirectory({
  options,
  server,
  state,
  track,
  ...dependencies
}: {
  readonly options: LatchkeyOptions
  readonly server: LatchkeyServer | undefined
  readonly state: Store<State>
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly log: Log
  mobile(): boolean
  track: Analytics['track']
  /** Called if the server rejects the page's origin or the project. */
  refused(detail: string): void
}): Directory {
  const wallets = slice(state, 'wallets')
  return createDirectory({
    url: '',
    projectId: '',
    ...server,
    ...dependencies,
    chains: directoryChains(state.get().networks.known),
    include: options.includeWalletIds,
    exclude: options.excludeWalletIds,
    featured: options.featuredWalletIds,
    hostImages: options.customWallets?.flatMap(({ image_url }) => image_url ?? []),
    excluded: (excluded) => wallets.set({ ...wallets.get(), excluded }),
    searched: (search, badge) => track({ event: 'SEARCH_WALLET', properties: { search, ...(badge && { badge }) } }),
  })
}
