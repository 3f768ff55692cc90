import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { QueryResult } from '../lib/queryResult.ts'
import type { ReadableStore } from '../lib/store.ts'

/** The loaded pages of a wallet list, and the total number of wallets. */
export interface WalletPages {
  /** The wallets loaded so far, without duplicates. */
  readonly wallets: readonly Wallet[]
  /** The total number of wallets that match the filters. It does not decrease until the last page is loaded. */
  readonly count: number
  /** The number of the last loaded page, or 0 if no page is loaded. */
  readonly page: number
}

/** The data that is loaded from the directory. It is serializable. */
export interface DirectoryState {
  /** The wallets in `featuredWalletIds`, in that order. The status stays `idle` if the host features no wallets. */
  readonly featured: QueryResult<readonly Wallet[]>
  /** The wallets that the directory recommends for the host's networks, without featured and excluded wallets. */
  readonly recommended: QueryResult<readonly Wallet[]>
  /** The part of the full list that `nextPage()` has loaded. */
  readonly pages: QueryResult<WalletPages>
  /** The search term and its result. A new search replaces the previous result. */
  readonly search: { readonly text: string; readonly result: QueryResult<readonly Wallet[]> }
}

/** The kind of image. `asset` is an image of a network or connector. */
export type ImageKind = 'wallet' | 'asset' | 'currency' | 'token'

/**
 * The wallet directory of the configured server. Its methods never reject. Failures are reported in `state`, and calling a method
 * again retries the request.
 */
export interface Directory {
  /** The loaded lists and the search, with their progress and errors. */
  readonly state: ReadableStore<DirectoryState>
  /**
   * Loads the featured wallets and, unless `recommended` is `false`, the recommended wallets. Lists that are already loaded are
   * not requested again.
   */
  prefetch(params?: { readonly recommended?: boolean }): Promise<void>
  /**
   * Loads the next page, or the first page if no page is loaded. Does nothing if all pages are loaded or a request is in
   * progress. The images of its first wallets are loaded before the wallets are added, unless `images` is `false`.
   */
  nextPage(params?: { readonly images?: boolean }): Promise<void>
  /** Searches for wallets by name. A new search cancels the previous search, and an empty `text` clears the result. */
  search(text: string, params?: { badge?: 'certified' | 'none' }): Promise<void>
  /**
   * Resolves to a blob URL for the image (a data URL for SVG), or to `undefined` if there is no image. Each image is loaded once.
   */
  image(kind: ImageKind, id: string): Promise<string | undefined>
  /**
   * Resolves to the URL of a wallet's image. A URL from the host is returned unchanged. An image from the directory is checked
   * first.
   */
  walletImage(wallet: Pick<Wallet, 'image_id' | 'image_url'>): Promise<string | undefined>
  /**
   * Resolves to the origins that the operator allows for this project. Empty if every origin is allowed, or if the request
   * failed.
   */
  origins(): Promise<readonly string[]>
  /** Resolves to the social logins that the server's embedded wallet offers, or `undefined` if the server does not report them. */
  socials(): Promise<readonly string[] | undefined>
  /** Resolves to the domain of the server's account names, or to `undefined` if it has none or does not report it. */
  namesZone(): Promise<string | undefined>
  /** Aborts pending requests and revokes the blob URLs. */
  stop(): void
}
