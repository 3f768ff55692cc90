import type { ChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { ExcludedWallet } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import type { LatchkeyServer } from '../lib/serverUrls.ts'
import { createStore, slice } from '../lib/store.ts'
import { createDirectoryRequests } from './directoryRequests.ts'
import type { Directory, DirectoryState } from './directoryTypes.ts'
import { createFeaturedWallets } from './featuredWallets.ts'
import { openableWallets } from './openableWallets.ts'
import { createProjectConfig } from './projectConfig.ts'
import { createWalletImages } from './walletImages.ts'
import { createWalletPagination } from './walletPagination.ts'
import { createWalletSearch, emptySearch } from './walletSearch.ts'

const initialState: DirectoryState = {
  featured: { status: 'idle' },
  recommended: { status: 'idle' },
  pages: { status: 'idle' },
  search: emptySearch,
}

/** Creates the client for a server's wallet directory. */
export function createDirectory(
  dependencies: LatchkeyServer & {
    fetch: typeof fetch
    clock: Clock
    log: Log
    mobile(): boolean
    /** The chains for which wallets are requested, as returned by `directoryChains`. */
    chains: readonly ChainId[]
    include?: readonly string[] | undefined
    exclude?: readonly string[] | undefined
    featured?: readonly string[] | undefined
    /** Image URLs of the host's own wallets. They are displayed without being checked. */
    hostImages?: readonly string[] | undefined
    /** Called once with the wallets that the excluded IDs identify. */
    excluded(wallets: readonly ExcludedWallet[]): void
    searched(text: string, badge: string | undefined): void
    /** Called if the server rejects the page's origin or the project. */
    refused(detail: string): void
  },
): Directory {
  const { clock, log, chains, include = [], exclude = [], featured = [], hostImages = [] } = dependencies
  const state = createStore(initialState)
  const page = new AbortController()
  const { signal } = page
  let prefetching: Promise<unknown> | undefined

  const requests = createDirectoryRequests({ ...dependencies, signal })
  const project = createProjectConfig({ requests, log, refused: dependencies.refused })
  const images = createWalletImages({ requests, clock, log, signal, hostImages })
  const list = {
    request: requests.wallets,
    chains,
    include,
    exclude,
    usable: (wallets: readonly Wallet[]) => openableWallets(wallets, { isMobile: dependencies.mobile(), chains }),
    preload: images.preload,
  }
  const featuredWallets = createFeaturedWallets({ ...list, state, log, featured, excluded: dependencies.excluded })
  const pages = createWalletPagination({ ...list, pages: slice(state, 'pages'), listed: featuredWallets.all })
  const search = createWalletSearch({ ...list, state: slice(state, 'search'), clock, searched: dependencies.searched })

  return {
    state,
    async prefetch({ recommended = true } = {}) {
      // Each list is requested once. The next prefetch retries failed lists.
      prefetching ??= Promise.all([featuredWallets.load(), project.checkOrigin()]).then(() => {
        prefetching = undefined
      })
      await Promise.all([prefetching, recommended && featuredWallets.loadRecommended()])
    },
    nextPage: pages.nextPage,
    search: search.search,
    image: images.image,
    walletImage: images.walletImage,
    origins: async () => (await project.get()).allowedOrigins,
    socials: async () => (await project.get()).socials,
    namesZone: async () => (await project.get()).namesZone,
    stop() {
      page.abort()
      search.stop()
      images.stop()
    },
  }
}
