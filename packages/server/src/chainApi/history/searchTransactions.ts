import type { Clock } from '../../serverDependencies.ts'
import type { Position } from './historyCursor.ts'

/** A transaction that a search found. */
export interface FoundTransaction extends Position {
  /** The transaction hash, or the signature on Solana. */
  readonly hash: string
}

/** The result of one step of a search. */
export interface SearchStep {
  readonly found: readonly FoundTransaction[]
  /** The lowest block that was searched. `found` has all transactions from this block on. */
  readonly fromBlock: number
}

/**
 * Searches an account's transactions in one source, downwards from `toBlock`. Finds at least `count` transactions, unless one
 * step covers fewer. A step returns all matching transactions of a block or none.
 */
export type TransactionSearch = (step: { toBlock: number; count: number }) => Promise<SearchStep>

/**
 * The maximum number of rounds for one page, and the time in milliseconds after which no further round starts. If a limit is
 * reached, the page is shorter, and its cursor continues at that point.
 */
const maxRounds = 24
const maxSearchMs = 6_000
/**
 * The maximum number of transactions on a page if blocks are not divided. Further transactions of the last block are omitted.
 */
const maxPage = 100

/**
 * Combines several searches into one page, newest first. Each source finds different transactions: a search by traces does not
 * find token transfers from others, and a search by logs does not find payments in the native currency. A transaction is only
 * returned once all sources have been searched down to its block, so pages have no gaps. Positions never change, so new blocks
 * do not cause duplicates. With `isBlockWhole`, blocks are not divided between pages, because the order of the transactions in
 * them is not known.
 *
 * @returns the transactions before `before`, and the position after which to continue, if there can be more.
 */
export async function searchTransactions({
  searches,
  before,
  limit,
  isBlockWhole = false,
  clock,
}: {
  searches: readonly TransactionSearch[]
  before: Position
  limit: number
  isBlockWhole?: boolean
  clock: Clock
}): Promise<{ found: readonly FoundTransaction[]; next: Position | undefined }> {
  const top = before.index > 0 ? before.block : before.block - 1
  const sources = searches.map((search) => ({ search, fromBlock: top + 1, found: [] as readonly FoundTransaction[] }))
  const started = clock()
  for (let round = 0; ; round++) {
    const complete = Math.max(0, ...sources.map(({ fromBlock }) => fromBlock))
    const found = inOrder(sources.flatMap((source) => source.found)).filter(
      (item) => item.block >= complete && isBefore(item, before),
    )
    const last = found[limit - 1]
    if (found.length > limit && last) {
      const rest = isBlockWhole ? found.findIndex(({ block }) => block < last.block) : limit
      if (rest >= 0) return { found: found.slice(0, Math.min(rest, maxPage)), next: last }
    }
    if (complete === 0) return { found: found.slice(0, maxPage), next: undefined }
    const { signature } = found.at(-1) ?? before
    const isOver = round >= maxRounds || (round > 0 && clock() - started > maxSearchMs)
    if (isOver) return { found, next: { block: complete, index: 0, signature } }
    // Continue with the sources that are behind the others.
    const behind = sources.filter(({ fromBlock }) => fromBlock === complete)
    await Promise.all(
      behind.map(async (source) => {
        const step = await source.search({ toBlock: source.fromBlock - 1, count: limit + 1 })
        source.found = [...source.found, ...step.found]
        source.fromBlock = Math.min(step.fromBlock, source.fromBlock - 1)
      }),
    )
  }
}

function inOrder(items: readonly FoundTransaction[]): readonly FoundTransaction[] {
  const unique = [...new Map(items.map((item) => [item.hash, item])).values()]
  return unique.sort((a, b) => b.block - a.block || b.index - a.index)
}

function isBefore(item: Position, before: Position): boolean {
  return item.block < before.block || (item.block === before.block && item.index < before.index)
}
