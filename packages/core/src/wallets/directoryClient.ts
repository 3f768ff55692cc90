import type { ChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import {
  directoryAnswerMs,
  httpForbidden,
  imagePreloadMs,
  maxFruitlessPages,
  maxSmallAnswerBytes,
  maxWalletBytes,
  minSearchMs,
  prefetchedImages,
  recommendedPageSize,
  searchPageSize,
  walletsPageSize,
} from '@latchkey/protocol/constants'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import {
  getAssetImage,
  getCurrencyImage,
  getOrigins,
  getTokenImage,
  getWalletImage,
  getWallets,
  type OriginsAnswer,
  type Route,
  urlOf,
  type Wallet,
  type WalletsAnswer,
  type WalletsParameters,
  walletsAnswer,
} from '@latchkey/protocol/http/contract'
import { originAllowed } from '@latchkey/protocol/origins'
import type { ExcludedWallet } from '../latchkey.ts'
import { abortable, linkedController } from '../lib/abort.ts'
import { fetchImage, fetchJson } from '../lib/http.ts'
import { basesOf, identityOf, type LatchkeyServer } from '../lib/latchkeyServer.ts'
import type { Log } from '../lib/log.ts'
import { failed, lastValue, loading, type QueryState } from '../lib/queryState.ts'
import { createStore } from '../lib/store.ts'
import type { Directory, DirectoryState, ImageKind, WalletPages } from './directory.ts'
import { usableWallets } from './usableWallets.ts'

const imageRoutes: Readonly<Record<ImageKind, Route>> = {
  wallet: getWalletImage,
  asset: getAssetImage,
  currency: getCurrencyImage,
  token: getTokenImage,
}

const idle: DirectoryState = {
  featured: { status: 'idle' },
  recommended: { status: 'idle' },
  pages: { status: 'idle' },
  search: { text: '', result: { status: 'idle' } },
}

/** Whether nothing answers at the server's address, or something that is no server of ours. */
function isNoServer(error: unknown): boolean {
  const isMissing = isLatchkeyError(error, 'http/failed') && error.details.status === 404
  return isMissing || isLatchkeyError(error, 'http/unreachable') || isLatchkeyError(error, 'http/malformed')
}

/** The client of a configured server's directory. */
export function createDirectory(
  deps: LatchkeyServer & {
    fetch: typeof fetch
    clock: Clock
    log: Log
    mobile(): boolean
    /** The networks that the host named. */
    chains: readonly ChainId[]
    include?: readonly string[] | undefined
    exclude?: readonly string[] | undefined
    featured?: readonly string[] | undefined
    /** Pictures that the host itself names: they are shown from where they are. */
    ownPictures?: readonly string[] | undefined
    /** Told once what the excluded ids are called. */
    excluded(wallets: readonly ExcludedWallet[]): void
    searched(text: string, badge: string | undefined): void
    /** The operator's list does not have this page's origin. */
    refused(detail: string): void
  },
): Directory {
  const { clock, log, chains, include = [], exclude = [], featured = [], ownPictures = [] } = deps
  const identity = identityOf(deps)
  const state = createStore<DirectoryState>(idle)
  const life = new AbortController()
  const images = new Map<string, Promise<string | undefined>>()
  let searching = new AbortController()
  let paging: Promise<void> | undefined
  /** How many pages in a row brought no new wallet. */
  let fruitless = 0
  /** What the list of all begins with. Fixed by its first page: excluding others later would move what a page holds. */
  let lead: readonly Wallet[] | undefined
  let fetching: Promise<void> | undefined
  let knownProject: Promise<OriginsAnswer> | undefined
  let resolvedExcluded = exclude.length === 0
  const patch = (change: Partial<DirectoryState>) => state.set({ ...state.get(), ...change })

  // --- Asking --------------------------------------------------------------------------------------------------------

  /** Runs `task` with a signal that aborts with `signal`, and when the answer takes too long. */
  const timed = async <T>(task: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const controller = linkedController(signal)
    const late = () => controller.abort(new LatchkeyError('http/unreachable', { url: deps.url }))
    const cancel = clock.after(directoryAnswerMs, late)
    try {
      return await abortable(task(controller.signal), controller.signal)
    } finally {
      cancel()
      controller.abort()
    }
  }
  let isReported = false
  /** Tells the page's developer once, in place of a line for each list and picture. */
  const report = (error: unknown): void => {
    if (isReported || life.signal.aborted || !isNoServer(error)) return
    isReported = true
    log.error(
      `No Latchkey server answers at ${deps.url}. Check that it is running, that the option "server" is its address, and that the page's Content-Security-Policy allows it in connect-src.`,
      error,
    )
  }
  /** Each address of the service in turn, until one can be reached. */
  const reach = async <T>(
    task: (base: string, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal = life.signal,
  ): Promise<T> => {
    const at = (base: string) => timed((either) => task(base, either), signal)
    const [first, ...others] = basesOf(deps)
    let answer = at(first)
    for (const base of others) {
      answer = answer.catch((error: unknown) => {
        if (isLatchkeyError(error, 'http/unreachable')) return at(base)
        throw error
      })
    }
    return answer
  }
  const ask = (query: WalletsParameters & { entries: number }, signal?: AbortSignal): Promise<WalletsAnswer> =>
    reach(
      (base, signal) =>
        fetchJson({
          fetch: deps.fetch,
          url: urlOf(base, getWallets, { query, identity }),
          schema: walletsAnswer(query.entries),
          maxBytes: Math.max(4, query.entries) * maxWalletBytes,
          signal,
        }),
      signal,
    ).catch((error: unknown) => {
      const refused = isLatchkeyError(error, 'http/failed') && [401, httpForbidden].includes(error.details.status)
      if (refused)
        deps.refused(
          'The directory refused this page: its origin is not on the list of the project, or the project is unknown.',
        )
      report(error)
      throw error
    })

  const usable = (wallets: readonly Wallet[]): readonly Wallet[] =>
    usableWallets(wallets, { isMobile: deps.mobile(), chains })
  const onOurChains = ({ chains: theirs }: Wallet): boolean =>
    chains.length === 0 || (theirs?.some((chain) => (chains as readonly string[]).includes(chain)) ?? false)

  // --- Pictures ------------------------------------------------------------------------------------------------------

  const image = (kind: ImageKind, id: string): Promise<string | undefined> =>
    picture(`${kind}/${id}`, () =>
      reach((base, signal) =>
        fetchImage({ fetch: deps.fetch, url: urlOf(base, imageRoutes[kind], { params: { id }, identity }), signal }),
      ),
    )
  const picture = (key: string, fetched: () => Promise<string>): Promise<string | undefined> => {
    const known = images.get(key)
    if (known) return known
    const asks = fetched().then(
      (src) => {
        if (!life.signal.aborted) return src
        URL.revokeObjectURL(src)
        return undefined
      },
      (error: unknown) => {
        log.debug(`No picture ${key}`, error)
        // What was not to be reached may be asked for again; what does not exist, or is no picture, is not.
        if (isLatchkeyError(error, 'http/unreachable')) images.delete(key)
        return undefined
      },
    )
    images.set(key, asks)
    return asks
  }
  const walletImage: Directory['walletImage'] = async ({ image_id, image_url: url }) => {
    if (!url) return image_id ? image('wallet', image_id) : undefined
    if (ownPictures.includes(url)) return url
    // What the directory names may be endless, or take minutes to draw: it is read and checked before the browser draws it.
    return picture(url, () => timed((signal) => fetchImage({ fetch: deps.fetch, url, signal }), life.signal))
  }
  /** Waits for the first pictures, but not for long. */
  const preload = async (wallets: readonly Wallet[]): Promise<void> => {
    const request = wallets.slice(0, prefetchedImages).map(walletImage)
    await within(Promise.all(request), imagePreloadMs)
  }
  const within = (promise: Promise<unknown>, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      const done = () => {
        cancel()
        resolve()
      }
      promise.then(done, done)
    })

  // --- Lists ---------------------------------------------------------------------------------------------------------

  const loadFeatured = async (): Promise<void> => {
    if (featured.length === 0 || state.get().featured.status === 'ready') return
    patch({ featured: loading(state.get().featured) })
    try {
      const { data } = await ask({ page: 1, entries: featured.length, include: featured })
      const wallets = [...usable(data)].sort((a, b) => featured.indexOf(a.id) - featured.indexOf(b.id))
      await preload(wallets)
      patch({ featured: { status: 'ready', value: wallets } })
    } catch (error) {
      patch({ featured: failed(state.get().featured, toLatchkeyError(error)) })
    }
  }
  const loadRecommended = async (): Promise<void> => {
    if (state.get().recommended.status === 'ready') return
    patch({ recommended: loading(state.get().recommended) })
    try {
      const { data } = await ask({
        page: 1,
        entries: recommendedPageSize,
        include,
        exclude: [...exclude, ...featured],
        chains,
      })
      const wallets = usable(data)
      await preload(wallets)
      patch({ recommended: { status: 'ready', value: wallets } })
    } catch (error) {
      patch({ recommended: failed(state.get().recommended, toLatchkeyError(error)) })
    }
  }
  const resolveExcluded = async (): Promise<void> => {
    if (resolvedExcluded) return
    resolvedExcluded = true
    try {
      const { data } = await ask({ page: 1, entries: exclude.length, include: exclude })
      deps.excluded(data.map(({ name, rdns }) => ({ name, rdns })))
    } catch (error) {
      resolvedExcluded = false
      log.info('Unable to resolve the excluded wallets', error)
    }
  }
  const project = (): Promise<OriginsAnswer> => {
    knownProject ??= reach((base, signal) =>
      fetchJson({
        fetch: deps.fetch,
        url: urlOf(base, getOrigins, { identity }),
        schema: getOrigins.answer as NonNullable<typeof getOrigins.answer>, // the route of our own contract has an answer
        maxBytes: maxSmallAnswerBytes,
        signal,
      }),
    ).catch((error: unknown) => {
      log.info('Unable to get allowed origins', error)
      report(error)
      knownProject = undefined
      return { allowedOrigins: [] }
    })
    return knownProject
  }
  const checkOrigin = async (): Promise<void> => {
    const origin = typeof location === 'undefined' ? undefined : location.origin
    const allowed = await directory.origins()
    if (origin && !originAllowed(origin, allowed))
      deps.refused(`The origin ${origin} is not on the allow-list of this project.`)
  }
  const loadPage = async (): Promise<void> => {
    const now = state.get()
    lead ??= [...(lastValue(now.featured) ?? []), ...(lastValue(now.recommended) ?? [])]
    const first = lead
    const before = lastValue(now.pages) ?? { wallets: first, count: 0, page: 0 }
    patch({ pages: loading(now.pages) })
    try {
      const page = before.page + 1
      const { data, count = 0 } = await ask({
        page,
        entries: walletsPageSize,
        include,
        exclude: [...first.map(({ id }) => id), ...exclude],
        chains,
      })
      const known = new Set(before.wallets.map(({ id }) => id))
      const found = usable(data).filter((wallet) => onOurChains(wallet) && !known.has(wallet.id))
      await preload(found)
      const wallets = [...before.wallets, ...found]
      fruitless = found.length > 0 ? 0 : fruitless + 1
      // Whatever the count says, an empty page is the last, and so is one of many that bring nothing.
      const isLast = data.length === 0 || fruitless >= maxFruitlessPages
      const all = isLast ? wallets.length : Math.max(before.count, count + first.length)
      patch({ pages: { status: 'ready', value: { wallets, page, count: all } } })
    } catch (error) {
      patch({ pages: failed(state.get().pages, toLatchkeyError(error)) })
    }
  }
  /** Whether the last page loaded was the last there is. */
  const allThere = (pages: QueryState<WalletPages>): boolean => {
    const value = lastValue(pages)
    return value !== undefined && value.page * walletsPageSize >= value.count - (lead?.length ?? 0)
  }

  const directory: Directory = {
    state,
    prefetch() {
      // Each list is asked for once; one that failed is asked for again by the next prefetch.
      fetching ??= Promise.all([loadFeatured(), loadRecommended(), resolveExcluded(), checkOrigin()]).then(() => {
        fetching = undefined
      })
      return fetching
    },
    async nextPage() {
      if (allThere(state.get().pages)) return
      paging ??= loadPage().finally(() => {
        paging = undefined
      })
      await paging
    },
    async search(typed, params = {}) {
      const text = typed.trim()
      searching.abort()
      searching = new AbortController()
      const { signal } = searching
      if (!text && !params.badge) return patch({ search: idle.search })
      patch({ search: { text, result: { status: 'loading' } } })
      const least = within(new Promise(() => {}), minSearchMs)
      const put = (result: DirectoryState['search']['result']) => {
        // An old answer never overwrites a new one.
        if (!signal.aborted && !life.signal.aborted) patch({ search: { text, result } })
      }
      try {
        const asks = ask(
          {
            page: 1,
            entries: searchPageSize,
            search: text,
            badge_type: params.badge,
            include,
            exclude,
          },
          signal,
        )
        const { data } = await asks
        const wallets = usable(data)
        await abortable(Promise.all([least, preload(wallets)]), signal)
        put({ status: 'ready', value: wallets })
        deps.searched(text, params.badge)
      } catch (error) {
        if (signal.aborted) return
        await least
        put({ status: 'failed', error: toLatchkeyError(error) })
      }
    },
    image,
    walletImage,
    origins: async () => (await project()).allowedOrigins,
    socials: async () => (await project()).socials,
    stop() {
      life.abort()
      searching.abort()
      for (const asks of images.values()) void asks.then((url) => url && URL.revokeObjectURL(url))
      images.clear()
    },
  }
  return directory
}
