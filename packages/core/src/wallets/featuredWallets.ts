import type { ChainId } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { recommendedPageSize } from '@latchkey/protocol/specificationConstants'
import type { ExcludedWallet } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import { failed, loading } from '../lib/queryResult.ts'
import { type Store, slice } from '../lib/store.ts'
import type { DirectoryRequests } from './directoryRequests.ts'
import type { DirectoryState } from './directoryTypes.ts'

/** The wallets in the connect view that the host features or the directory recommends. */
export interface FeaturedWallets {
  /** Loads the featured wallets and the names of the excluded wallets, unless they are already loaded. */
  load(): Promise<unknown>
  /** Loads the recommended wallets, unless they are already loaded. Concurrent calls share one request. */
  loadRecommended(): Promise<void>
  /** Returns the wallets loaded so far, starting with the featured wallets. */
  all(): readonly Wallet[]
}

/** Creates the lists for the connect view. Manages the `featured` and `recommended` slices. */
export function createFeaturedWallets(dependencies: {
  readonly state: Store<DirectoryState>
  readonly request: DirectoryRequests['wallets']
  readonly log: Pick<Log, 'info'>
  readonly chains: readonly ChainId[]
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly featured: readonly string[]
  /** Returns the wallets that can be used in the page's environment. */
  usable(wallets: readonly Wallet[]): readonly Wallet[]
  preload(wallets: readonly Wallet[]): Promise<void>
  /** Called once with the wallets that the excluded IDs identify. */
  excluded(wallets: readonly ExcludedWallet[]): void
}): FeaturedWallets {
  const { request, chains, include, exclude, featured: featuredIds, usable, preload } = dependencies
  const featured = slice(dependencies.state, 'featured')
  const recommended = slice(dependencies.state, 'recommended')
  let isExcludedResolved = exclude.length === 0
  let recommending: Promise<void> | undefined

  const loadFeatured = async (): Promise<void> => {
    if (featuredIds.length === 0 || featured.get().status === 'ready') return
    featured.set(loading(featured.get()))
    try {
      const { data } = await request({ page: 1, entries: featuredIds.length, include: featuredIds })
      const wallets = [...usable(data)].sort((a, b) => featuredIds.indexOf(a.id) - featuredIds.indexOf(b.id))
      await preload(wallets)
      featured.set({ status: 'ready', value: wallets })
    } catch (error) {
      featured.set(failed(featured.get(), toLatchkeyError(error)))
    }
  }
  const requestRecommended = async (): Promise<void> => {
    if (recommended.get().status === 'ready') return
    recommended.set(loading(recommended.get()))
    try {
      const { data } = await request({
        page: 1,
        entries: recommendedPageSize,
        include,
        exclude: [...exclude, ...featuredIds],
        chains,
      })
      const wallets = usable(data)
      await preload(wallets)
      recommended.set({ status: 'ready', value: wallets })
    } catch (error) {
      recommended.set(failed(recommended.get(), toLatchkeyError(error)))
    }
  }
  const resolveExcluded = async (): Promise<void> => {
    if (isExcludedResolved) return
    isExcludedResolved = true
    try {
      const { data } = await request({ page: 1, entries: exclude.length, include: exclude })
      dependencies.excluded(data.map(({ name, rdns }) => ({ name, rdns })))
    } catch (error) {
      isExcludedResolved = false
      dependencies.log.info('Unable to resolve the excluded wallets', error)
    }
  }

  return {
    load: () => Promise.all([loadFeatured(), resolveExcluded()]),
    loadRecommended() {
      recommending ??= requestRecommended().finally(() => {
        recommending = undefined
      })
      return recommending
    },
    all: () => [...(featured.get().value ?? []), ...(recommended.get().value ?? [])],
  }
}
