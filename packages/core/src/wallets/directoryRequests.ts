import type { Clock } from '@latchkey/protocol/clock'
import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import {
  getAssetImage,
  getCurrencyImage,
  getOrigins,
  getTokenImage,
  getWalletImage,
  getWallets,
  type OriginsAnswer,
  urlOf,
  type WalletsAnswer,
  type WalletsParameters,
  walletsAnswer,
} from '@latchkey/protocol/http/publicRoutes'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import {
  directoryAnswerMs,
  httpForbidden,
  maxSmallAnswerBytes,
  maxWalletBytes,
} from '@latchkey/protocol/specificationConstants'
import { abortable, linkedController } from '../lib/abortable.ts'
import { fetchImage, fetchJson } from '../lib/fetchJson.ts'
import type { Log } from '../lib/log.ts'
import { createUrlFallback, identityOf, type LatchkeyServer } from '../lib/serverUrls.ts'
import type { ImageKind } from './directoryTypes.ts'

const imageRoutes: Readonly<Record<ImageKind, Endpoint>> = {
  wallet: getWalletImage,
  asset: getAssetImage,
  currency: getCurrencyImage,
  token: getTokenImage,
}

/**
 * The HTTP requests to a wallet directory. Each request has a time limit and rejects if it fails. Requests to the server are
 * retried at its second URL if the first URL is unreachable.
 */
export interface DirectoryRequests {
  /** Requests a page of wallets. */
  wallets(query: WalletsParameters & { entries: number }, signal?: AbortSignal): Promise<WalletsAnswer>
  /** Requests the origins that the project allows, and the social logins of its embedded wallet. */
  project(): Promise<OriginsAnswer>
  /** Requests an image by its ID. Resolves to a URL for the image. */
  image(kind: ImageKind, id: string): Promise<string>
  /** Requests the image at `url`, which can be on a different server. Resolves to the URL of a checked copy. */
  imageAt(url: string): Promise<string>
  /** Logs a missing server once for the page's developer, instead of once per list and image. */
  reportIfMissing(error: unknown): void
}

/** Creates the requests to a server's directory. Pending requests are aborted when `signal` aborts. */
export function createDirectoryRequests(
  dependencies: LatchkeyServer & {
    readonly fetch: typeof fetch
    readonly clock: Clock
    readonly log: Log
    readonly signal: AbortSignal
    /** Called if the server rejects the page's origin or the project. */
    refused(detail: string): void
  },
): DirectoryRequests {
  const { fetch, clock, log } = dependencies
  const identity = identityOf(dependencies)
  const withUrl = createUrlFallback(dependencies)
  let isReported = false

  /** Runs `task` with a signal that aborts when `signal` aborts or the response times out. */
  const timed = async <T>(task: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const controller = linkedController(signal)
    const late = () => controller.abort(new LatchkeyError('http/unreachable', { url: dependencies.url }))
    const cancel = clock.after(directoryAnswerMs, late)
    try {
      return await abortable(task(controller.signal), controller.signal)
    } finally {
      cancel()
      controller.abort()
    }
  }
  const reach = <T>(
    task: (base: string, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal = dependencies.signal,
  ): Promise<T> => withUrl((base) => timed((either) => task(base, either), signal))
  const reportIfMissing = (error: unknown): void => {
    if (isReported || dependencies.signal.aborted || !isMissingServer(error)) return
    isReported = true
    log.error(
      `No Latchkey server responds at ${dependencies.url}. Check that it is running, that the option "server" is its address, and that the page's Content-Security-Policy allows it in connect-src.`,
      error,
    )
  }

  return {
    wallets: (query, signal) =>
      reach(
        (base, signal) =>
          fetchJson({
            fetch,
            url: urlOf(base, getWallets, { query, identity }),
            schema: walletsAnswer(query.entries),
            maxBytes: Math.max(4, query.entries) * maxWalletBytes,
            signal,
          }),
        signal,
      ).catch((error: unknown) => {
        const refused = isLatchkeyError(error, 'http/failed') && [401, httpForbidden].includes(error.details.status)
        if (refused)
          dependencies.refused(
            'The directory rejected this page: its origin is not allowed by the project, or the project is unknown.',
          )
        reportIfMissing(error)
        throw error
      }),
    project: () =>
      reach((base, signal) =>
        fetchJson({
          fetch,
          url: urlOf(base, getOrigins, { identity }),
          schema: getOrigins.answer,
          maxBytes: maxSmallAnswerBytes,
          signal,
        }),
      ),
    image: (kind, id) =>
      reach((base, signal) =>
        fetchImage({ fetch, url: urlOf(base, imageRoutes[kind], { params: { id }, identity }), signal }),
      ),
    imageAt: (url) => timed((signal) => fetchImage({ fetch, url, signal }), dependencies.signal),
    reportIfMissing,
  }
}

/** Whether the error shows that no Latchkey server responds at the configured URL. */
function isMissingServer(error: unknown): boolean {
  const isMissing = isLatchkeyError(error, 'http/failed') && error.details.status === 404
  return isMissing || isLatchkeyError(error, 'http/unreachable') || isLatchkeyError(error, 'http/malformed')
}
