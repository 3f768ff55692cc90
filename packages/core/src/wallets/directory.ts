import type { Wallet } from '@latchkey/protocol/http/contract'
import type { QueryState } from '../lib/queryState.ts'
import type { ReadableStore } from '../lib/store.ts'

/** A list of wallets with how many there are in all. */
export interface WalletPages {
  /** Loaded so far, each wallet once. */
  readonly wallets: readonly Wallet[]
  /** How many the directory has under the same filters; while paging it never shrinks before the last page. */
  readonly count: number
  /** The last page loaded; 0 before the first. */
  readonly page: number
}

/** What has been read from the directory. Printable. */
export interface DirectoryState {
  readonly featured: QueryState<readonly Wallet[]>
  readonly recommended: QueryState<readonly Wallet[]>
  readonly pages: QueryState<WalletPages>
  /** `text` is what was asked; its results replace those of the text before. */
  readonly search: { readonly text: string; readonly result: QueryState<readonly Wallet[]> }
}

/** Which picture: of a wallet, a network or connector, a currency, a token. */
export type ImageKind = 'wallet' | 'asset' | 'currency' | 'token'

/** The wallet directory of the configured server. Nothing here rejects: failures are in `state`, and asking again retries. */
export interface Directory {
  readonly state: ReadableStore<DirectoryState>
  /** Featured and recommended wallets, at most once unless they failed. */
  prefetch(): Promise<void>
  /** Loads the next page (the first, when none is loaded); nothing when all are there or one is on its way. */
  nextPage(): Promise<void>
  /** Searches by name; the newest search wins. Empty text clears. */
  search(text: string, params?: { badge?: 'certified' | 'none' }): Promise<void>
  /** A blob URL of the picture (a data URL of a drawing), once per id; `undefined` when there is none. */
  image(kind: ImageKind, id: string): Promise<string | undefined>
  /** The picture of a wallet: the host's own URL as it is, one that the directory names once it was read, else through `image`. */
  walletImage(wallet: Pick<Wallet, 'image_id' | 'image_url'>): Promise<string | undefined>
  /** The origins that the operator allows for this project; empty means any, also after a failure. */
  origins(): Promise<readonly string[]>
  /** The social log-ins that the server has for its embedded wallet; `undefined` where it does not say. */
  socials(): Promise<readonly string[] | undefined>
  /** Aborts what is on its way and gives the pictures back. */
  stop(): void
}
