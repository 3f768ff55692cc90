import { expect, test } from 'vitest'
import type { Position } from './historyCursor.ts'
import { type FoundTransaction, searchTransactions, type TransactionSearch } from './searchTransactions.ts'

const clock = () => 0

/** A source that covers `window` blocks in each step, or as many as it takes to find `count` transactions. */
function sourceOf(transactions: readonly FoundTransaction[], window: number | 'count'): TransactionSearch {
  return async ({ toBlock, count }) => {
    const below = transactions.filter(({ block }) => block <= toBlock).sort((a, b) => b.block - a.block)
    const last = window === 'count' ? (below[count - 1]?.block ?? 0) : Math.max(0, toBlock - window + 1)
    return { found: below.filter(({ block }) => block >= last), fromBlock: last }
  }
}

/** Returns the same pseudorandom numbers in each run. */
function randomOf(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state % max
  }
}

function transactionsOf(random: (max: number) => number, blocks: number): readonly FoundTransaction[] {
  const unique = new Map<string, FoundTransaction>()
  for (let at = 0; at < 120; at++) {
    const [block, index] = [random(blocks), random(5)]
    unique.set(`${block}.${index}`, { hash: `${block}.${index}`, block, index })
  }
  return [...unique.values()]
}

async function allPages(searches: readonly TransactionSearch[], { isBlockWhole = false, limit = 10 } = {}) {
  const pages: string[][] = []
  for (let before: Position | undefined = { block: 1e9, index: 0 }; before; ) {
    const page: Awaited<ReturnType<typeof searchTransactions>> = await searchTransactions({
      searches,
      before,
      limit,
      isBlockWhole,
      clock,
    })
    pages.push(page.found.map(({ hash }) => hash))
    before = page.next
  }
  return pages
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'sources that find different transactions at different speeds are merged in order, seed %i',
  async (seed) => {
    const random = randomOf(seed)
    const all = transactionsOf(random, seed % 2 === 0 ? 40 : 400)
    const isOf = all.map(() => random(3))
    const searches = [
      sourceOf(
        all.filter((_, at) => isOf[at] !== 0),
        'count',
      ),
      sourceOf(
        all.filter((_, at) => isOf[at] !== 1),
        1 + random(60),
      ),
      sourceOf(
        all.filter((_, at) => isOf[at] === 2),
        1 + random(1_000),
      ),
    ].map((search, at) => (at === 0 ? search : withTop(search, 500)))
    const inOrder = [...all].sort((a, b) => b.block - a.block || b.index - a.index).map(({ hash }) => hash)
    const pages = await allPages(searches)
    expect(pages.flat()).toEqual(inOrder)
    expect(Math.max(...pages.map(({ length }) => length))).toBe(10)
  },
)

test('with isBlockWhole, no block is divided between pages', async () => {
  const all = transactionsOf(randomOf(9), 30).map((item) => ({ ...item, index: 0 }))
  const pages = await allPages([sourceOf(all, 'count')], { isBlockWhole: true })
  const blocks = pages.map((page) => new Set(page.map((hash) => hash.split('.')[0])))
  expect(new Set(pages.flat()).size).toBe(all.length)
  expect(pages.flat().length).toBe(all.length)
  expect(blocks.reduce((sum, { size }) => sum + size, 0)).toBe(new Set(all.map(({ block }) => block)).size)
})

test('a search that takes too long ends with a shorter page, and the next page continues', async () => {
  const all = [
    { hash: 'old', block: 3, index: 0 },
    { hash: 'new', block: 9_990, index: 0 },
  ]
  const searches = [withTop(sourceOf(all, 100), 10_000)]
  const pages = await allPages(searches)
  expect(pages.flat()).toEqual(['new', 'old'])
  expect(pages[0]).toEqual(['new'])
  let now = 0
  const slow = { searches, before: { block: 10_001, index: 0 }, limit: 10, clock: () => (now += 10_000) }
  expect(await searchTransactions(slow)).toMatchObject({ found: [{ hash: 'new' }], next: { block: 9_901, index: 0 } })
})

/** Returns a search on a chain whose latest block is `top`. */
function withTop(search: TransactionSearch, top: number): TransactionSearch {
  return (step) => search({ ...step, toBlock: Math.min(step.toBlock, top) })
}
