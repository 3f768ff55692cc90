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
import { identityOf, type LatchkeyServer, reachServer } from '../lib/latchkeyServer.ts'
import type { Log } from '../lib/log.ts'
import { failed, lastValue, loading, type QueryResult } from '../lib/queryResult.ts'
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

/** Whether the error shows that no Latchkey server responds at the configured URL. */
function isNoServer(error: unknown): boolean {
  const isMissing = isLatchkeyError(error, 'http/failed') && error.details.status === 404
  return isMissing || isLatchkeyError(error, 'http/unreachable') || isLatchkeyError(error, 'http/malformed')
}

/** Creates the client of a server's wallet directory. */
export function createDirectory(
  deps: LatchkeyServer & {
    fetch: typeof fetch
    clock: Clock
    log: Log
    mobile(): boolean
    /** The host's networks. */
    chains: readonly ChainId[]
    include?: readonly string[] | undefined
    exclude?: readonly string[] | undefined
    featured?: readonly string[] | undefined
    /** Image URLs of the host's own wallets. They are displayed without a check. */
    ownPictures?: readonly string[] | undefined
    /** Called once with the names of the excluded ids. */
    excluded(wallets: readonly ExcludedWallet[]): void
    searched(text: string, badge: string | undefined): void
    /** Called if the page's origin is not on the operator's allow-list. */
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
  /** The number of consecutive pages without a new wallet. */
  let fruitless = 0
  /** The wallets at the start of the complete list. Fixed with its first page, because excluding others later would shift the pages. */
  let lead: readonly Wallet[] | undefined
  let fetching: Promise<void> | undefined
  let knownProject: Promise<OriginsAnswer> | undefined
  let resolvedExcluded = exclude.length === 0
  const patch = (change: Partial<DirectoryState>) => state.set({ ...state.get(), ...change })

  // --- Requests ------------------------------------------------------------------------------------------------------

  /** Runs `task` with a signal that aborts with `signal` or when the response times out. */
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
  /** Logs a missing server once for the page's developer, instead of once per list and image. */
  const report = (error: unknown): void => {
    if (isReported || life.signal.aborted || !isNoServer(error)) return
    isReported = true
    log.error(
      `No Latchkey server responds at ${deps.url}. Check that it is running, that the option "server" is its address, and that the page's Content-Security-Policy allows it in connect-src.`,
      error,
    )
  }
  const reach = <T>(
    task: (base: string, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal = life.signal,
  ): Promise<T> => reachServer(deps, (base) => timed((either) => task(base, either), signal))
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
          'The directory rejected this page: its origin is not allowed by the project, or the project is unknown.',
        )
      report(error)
      throw error
    })

  const usable = (wallets: readonly Wallet[]): readonly Wallet[] =>
    usableWallets(wallets, { isMobile: deps.mobile(), chains })
  const onOurChains = ({ chains: theirs }: Wallet): boolean =>
    chains.length === 0 || (theirs?.some((chain) => (chains as readonly string[]).includes(chain)) ?? false)

  // --- Images --------------------------------------------------------------------------------------------------------

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
        log.debug(`No image ${key}`, error)
        // An unreachable image can be requested again; a missing or invalid image is not.
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
    // An image from the directory could be endless or take minutes to render, so it is read with a limit and checked first.
    return picture(url, () => timed((signal) => fetchImage({ fetch: deps.fetch, url, signal }), life.signal))
  }
  /** Waits for the first images, up to a timeout. */
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
        schema: getOrigins.answer as NonNullable<typeof getOrigins.answer>, // this route declares a response schema
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
      // Regardless of the count, an empty page is the last, and so is a page after too many without new wallets.
      const isLast = data.length === 0 || fruitless >= maxFruitlessPages
      const all = isLast ? wallets.length : Math.max(before.count, count + first.length)
      patch({ pages: { status: 'ready', value: { wallets, page, count: all } } })
    } catch (error) {
      patch({ pages: failed(state.get().pages, toLatchkeyError(error)) })
    }
  }
  /** Whether all pages have been loaded. */
  const allThere = (pages: QueryResult<WalletPages>): boolean => {
    const value = lastValue(pages)
    return value !== undefined && value.page * walletsPageSize >= value.count - (lead?.length ?? 0)
  }

  const directory: Directory = {
    state,
    prefetch() {
      // Each list is requested once. The next prefetch retries failed lists.
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
        // Ignore responses to earlier searches.
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
