import type { ChainId } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { maxFruitlessPages, walletsPageSize } from '@latchkey/protocol/specificationConstants'
import { failed, loading } from '../lib/queryResult.ts'
import type { Store } from '../lib/store.ts'
import type { DirectoryRequests } from './directoryRequests.ts'
import type { Directory, DirectoryState } from './directoryTypes.ts'

/** Creates the paged list of all wallets. Manages the `pages` slice. */
export function createWalletPagination(dependencies: {
  readonly pages: Store<DirectoryState['pages']>
  readonly request: DirectoryRequests['wallets']
  readonly chains: readonly ChainId[]
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  usable(wallets: readonly Wallet[]): readonly Wallet[]
  preload(wallets: readonly Wallet[]): Promise<void>
  /** Returns the wallets that are already listed above this list. */
  listed(): readonly Wallet[]
}): Pick<Directory, 'nextPage'> {
  const { pages, chains } = dependencies
  let paging: Promise<void> | undefined
  /** The number of consecutive pages without a new wallet. */
  let fruitless = 0
  /**
   * The wallets at the start of the list. They are fixed when the first page loads, because excluding different wallets later
   * would shift the pages.
   */
  let first: readonly Wallet[] | undefined

  const isOnHostChains = ({ chains: theirs }: Wallet): boolean =>
    chains.length === 0 || (theirs?.some((chain) => (chains as readonly string[]).includes(chain)) ?? false)
  const isComplete = (): boolean => {
    const value = pages.get().value
    return value !== undefined && value.page * walletsPageSize >= value.count - (first?.length ?? 0)
  }
  const loadPage = async (images: boolean): Promise<void> => {
    const now = pages.get()
    const start = (first ??= dependencies.listed())
    const before = now.value ?? { wallets: start, count: 0, page: 0 }
    pages.set(loading(now))
    try {
      const page = before.page + 1
      const { data, count = 0 } = await dependencies.request({
        page,
        entries: walletsPageSize,
        include: dependencies.include,
        exclude: [...start.map(({ id }) => id), ...dependencies.exclude],
        chains,
      })
      const known = new Set(before.wallets.map(({ id }) => id))
      const found = dependencies.usable(data).filter((wallet) => isOnHostChains(wallet) && !known.has(wallet.id))
      if (images) await dependencies.preload(found)
      const wallets = [...before.wallets, ...found]
      fruitless = found.length > 0 ? 0 : fruitless + 1
      // An empty page ends the list regardless of the count. So do too many consecutive pages without a new wallet.
      const isLast = data.length === 0 || fruitless >= maxFruitlessPages
      const total = isLast ? wallets.length : Math.max(before.count, count + start.length)
      pages.set({ status: 'ready', value: { wallets, page, count: total } })
    } catch (error) {
      pages.set(failed(pages.get(), toLatchkeyError(error)))
    }
  }

  return {
    async nextPage({ images = true } = {}) {
      if (isComplete()) return
      paging ??= loadPage(images).finally(() => {
        paging = undefined
      })
      await paging
    },
  }
}
