import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { expect, test } from 'vitest'
import { createStore } from '../lib/store.ts'
import type { DirectoryState } from './directoryTypes.ts'
import { createWalletPagination } from './walletPagination.ts'

const walletOf = (id: string): Wallet => ({ id, name: id, chains: ['eip155:1'] })

function pagesOf(answer: (page: number) => { data: Wallet[]; count?: number }) {
  const pages = createStore<DirectoryState['pages']>({ status: 'idle' })
  const requested: string[] = []
  let listed = [walletOf('featured')]
  let preloaded: string[] = []
  const { nextPage } = createWalletPagination({
    pages,
    async request({ page = 1, exclude = [] }) {
      requested.push(`${page} without ${exclude.join()}`)
      return answer(page) as never
    },
    chains: ['eip155:1'],
    include: [],
    exclude: ['x'],
    usable: (wallets) => wallets,
    async preload(wallets) {
      preloaded = [...preloaded, ...wallets.map(({ id }) => id)]
    },
    listed: () => listed,
  })
  const ids = () => {
    const now = pages.get()
    return now.status === 'ready' ? now.value.wallets.map(({ id }) => id) : []
  }
  const feature = (...wallets: Wallet[]) => {
    listed = wallets
  }
  return { pages, nextPage, requested, ids, feature, preloaded: () => preloaded }
}

test('pages are appended to the wallets that are already listed, without duplicates or wallets for other chains', async () => {
  const unknown: Wallet = { id: 'unknown', name: 'A wallet that lists no chains' }
  const other = { ...walletOf('solana'), chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] }
  const { nextPage, requested, ids, feature } = pagesOf((page) => ({
    data: page === 1 ? [walletOf('a'), other, unknown] : [walletOf('a'), walletOf('b')],
    count: 80,
  }))
  // Concurrent calls share one request.
  await Promise.all([nextPage(), nextPage()])
  // A wallet that is featured later does not shift the pages.
  feature(walletOf('later'))
  await nextPage()
  expect(ids()).toEqual(['featured', 'a', 'b'])
  expect(requested).toEqual(['1 without featured,x', '2 without featured,x'])
})

test('the images of a page are loaded, unless only its wallets are needed', async () => {
  const { nextPage, preloaded } = pagesOf((page) => ({ data: [walletOf(String(page))], count: 200 }))
  await nextPage({ images: false })
  expect(preloaded()).toEqual([])
  await nextPage()
  expect(preloaded()).toEqual(['2'])
})

test('no request is sent after the last page', async () => {
  const { nextPage, requested } = pagesOf(() => ({ data: [walletOf('a')], count: 1 }))
  await nextPage()
  await nextPage()
  expect(requested).toHaveLength(1)
})

test('a failed request for a page keeps the loaded wallets, and the page is requested again', async () => {
  let fails = false
  const { nextPage, pages, ids } = pagesOf((page) => {
    if (fails) throw new Error('offline')
    return { data: [walletOf(String(page))], count: 200 }
  })
  await nextPage()
  fails = true
  await nextPage()
  expect(pages.get()).toMatchObject({ status: 'failed', value: { page: 1 } })
  fails = false
  await nextPage()
  expect(ids()).toEqual(['featured', '1', '2'])
})
