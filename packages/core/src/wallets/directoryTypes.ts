import type { Wallet } from '@latchkey/protocol/http/apiRoutes'
import type { QueryResult } from '../lib/queryResult.ts'
import type { ReadableStore } from '../lib/store.ts'

/** A paged list of wallets and the total number. */
export interface WalletPages {
  /** The wallets loaded so far, without duplicates. */
  readonly wallets: readonly Wallet[]
  /** The total number of wallets that match the filters. While paging, it does not decrease before the last page. */
  readonly count: number
  /** The last page loaded, or 0 before the first. */
  readonly page: number
}

/** The data loaded from the directory. Serializable. */
export interface DirectoryState {
  /** The wallets of `featuredWalletIds`, in that order. Stays `idle` if the host features none. */
  readonly featured: QueryResult<readonly Wallet[]>
  /** The wallets that the directory recommends for the host's networks, without featured and excluded wallets. */
  readonly recommended: QueryResult<readonly Wallet[]>
  /** The full list, as far as `nextPage()` has loaded it. */
  readonly pages: QueryResult<WalletPages>
  /** `text` is the search term. A new search replaces the result of the previous one. */
  readonly search: { readonly text: string; readonly result: QueryResult<readonly Wallet[]> }
}

/** The kind of an image: of a wallet, a network or connector, a currency, or a token. */
export type ImageKind = 'wallet' | 'asset' | 'currency' | 'token'

/** The wallet directory of the configured server. Methods never reject: failures are in `state`, and another call retries. */
export interface Directory {
  /** The loaded lists and the search, with their progress and errors. */
  readonly state: ReadableStore<DirectoryState>
  /** Loads the featured and recommended wallets. Lists that are already loaded are not requested again. */
  prefetch(): Promise<void>
  /** Loads the next page, or the first if none is loaded. Does nothing if all pages are loaded or a request is in progress. */
  nextPage(): Promise<void>
  /** Searches by name. The latest search wins, and an empty text clears the result. */
  search(text: string, params?: { badge?: 'certified' | 'none' }): Promise<void>
  /** Resolves to a blob URL of the image (a data URL for SVG), loaded once per id, or `undefined` if there is none. */
  image(kind: ImageKind, id: string): Promise<string | undefined>
  /** Resolves to the image URL of a wallet: the host's own URL unchanged, the directory's URL after its image was checked, or the result of `image`. */
  walletImage(wallet: Pick<Wallet, 'image_id' | 'image_url'>): Promise<string | undefined>
  /** Resolves to the origins that the operator allows for this project. Empty if any origin is allowed, and after a failure. */
  origins(): Promise<readonly string[]>
  /** Resolves to the social logins that the server's embedded wallet offers, or `undefined` if the server does not report them. */
  socials(): Promise<readonly string[] | undefined>
  /** Aborts pending requests and revokes the blob URLs. */
  stop(): void
}
