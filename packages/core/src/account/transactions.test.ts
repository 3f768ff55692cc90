import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import type { Network } from '../adapter.ts'
import { createChainApiClient } from '../chainApi/chainApiClient.ts'
import { createTransactions } from './transactions.ts'

const network = { chainNamespace: 'eip155', caipNetworkId: 'eip155:1' } as unknown as Network
const account = 'eip155:1:0x1111111111111111111111111111111111111111'

function sent(
  id: string,
  minedAt: string,
  over: { chain?: string; spam?: readonly boolean[] } = {},
): HistoryTransaction {
  const { chain = 'eip155:1', spam = [false] } = over
  return {
    id,
    metadata: {
      operationType: 'send',
      hash: `0x${id}`,
      minedAt,
      sentFrom: '0x1',
      sentTo: '0x2',
      status: 'confirmed',
      chain,
    },
    transfers: spam.map((is_spam) => ({
      direction: 'out',
      quantity: { numeric: '1' },
      nft_info: { name: 'Gift', flags: { is_spam } },
    })),
  }
}

type Answer = { data: readonly unknown[]; next?: string | null } | { status: number }

function world(
  answer: (url: URL, init: RequestInit | undefined) => Answer | Promise<Answer>,
  chains: string[] | null = ['eip155:1'],
) {
  const clock = fakeClock()
  const requests: URL[] = []
  const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    if (url.pathname === '/v1/supported-chains') return chains ? json({ http: chains, ws: [] }) : json({}, 503)
    requests.push(url)
    const answered = await answer(url, init)
    return 'status' in answered ? json({}, answered.status) : json(answered)
  }
  const now = { subject: { account, network } as { account: typeof account; network: Network } | undefined }
  const failures: string[] = []
  const history = createTransactions({
    api: createChainApiClient({ url: 'https://server.example', projectId: 'shop', fetch, clock }),
    now: () => now.subject as never,
    failed: ({ message }) => failures.push(message),
  })
  const ids = () => history.state.get().transactions.map(({ id }) => id)
  return { history, requests, now, failures, ids }
}

test('pages are appended, and grouped by year and month with the newest first [R3.8]', async () => {
  const pages: Record<string, Answer> = {
    first: { data: [sent('c', '2026-02-01T12:00:00Z'), sent('d', '2026-02-03T12:00:00Z')], next: 'two' },
    two: { data: [sent('b', '2026-01-15T12:00:00Z'), sent('a', '2025-06-15T12:00:00Z')], next: '' },
  }
  const { history, requests, ids } = world((url) => pages[url.searchParams.get('cursor') ?? 'first'] as Answer)
  const loading = history.fetch()
  expect(history.state.get()).toMatchObject({ loading: true, transactions: [] })
  await loading
  expect(ids()).toEqual(['d', 'c'])
  expect(history.state.get()).toMatchObject({ loading: false, empty: false, next: 'two', coinbaseTransactions: [] })
  await history.fetchNext()
  expect(history.state.get().next).toBeUndefined()
  expect(
    history.state
      .get()
      .transactionsByYear.map(({ year, months }) => [
        year,
        months.map(({ month, transactions }) => [month, transactions.map(({ id }) => id)]),
      ]),
  ).toEqual([
    [
      2026,
      [
        [1, ['d', 'c']],
        [0, ['b']],
      ],
    ],
    [2025, [[5, ['a']]]],
  ])
  await history.fetchNext()
  expect(requests).toHaveLength(2)
})

test('a transaction of the history keeps its fields, and transfers of null become an empty list [R3.7]', async () => {
  const transaction: HistoryTransaction = {
    id: 't-1',
    metadata: {
      operationType: 'trade',
      hash: '0xabc',
      minedAt: '2026-01-05T12:00:00Z',
      sentFrom: '0x1111111111111111111111111111111111111111',
      sentTo: '0x2222222222222222222222222222222222222222',
      status: 'confirmed',
      nonce: 7,
      application: { name: 'Exchange', iconUrl: 'https://images.example/exchange.png' },
      chain: 'eip155:1',
    },
    transfers: [
      {
        fungible_info: { name: 'USD Coin', symbol: 'USDC', icon: { url: 'https://images.example/usdc.png' } },
        nft_info: null,
        direction: 'out',
        quantity: { numeric: '12.5' },
        value: 12.5,
        price: 1,
      },
      {
        fungible_info: null,
        nft_info: {
          name: 'Baker #12',
          content: { preview: { url: 'https://images.example/12.png' } },
          flags: { is_spam: false },
        },
        direction: 'in',
        quantity: { numeric: '1' },
        value: null,
        price: null,
      },
    ],
  }
  const { history } = world(() => ({ data: [transaction, { ...transaction, id: 't-2', transfers: null }], next: null }))
  await history.fetch()
  expect(history.state.get().transactions).toEqual([transaction, { ...transaction, id: 't-2', transfers: [] }])
})

test('a transaction that appears on two pages is shown once, as on the later page', async () => {
  const { history, ids } = world((url) =>
    url.searchParams.has('cursor')
      ? {
          data: [
            {
              ...sent('a', '2026-01-15T12:00:00Z'),
              metadata: { ...sent('a', '2026-01-15T12:00:00Z').metadata, status: 'failed' },
            },
          ],
          next: null,
        }
      : { data: [sent('a', '2026-01-15T12:00:00Z')], next: 'two' },
  )
  await history.fetch()
  await history.fetchNext()
  expect(ids()).toEqual(['a'])
  expect(history.state.get().transactions[0]?.metadata.status).toBe('failed')
})

test('transactions that the server marks as spam or address poisoning are listed separately', async () => {
  const movement = { direction: 'out', quantity: { numeric: '0' }, fungible_info: { symbol: 'USDC' } } as const
  const poison = { ...sent('poison', '2026-01-05T12:00:00Z'), transfers: [{ ...movement, isSpam: true }] }
  const partly = { ...sent('partly', '2026-01-04T12:00:00Z'), transfers: [{ ...movement, isSpam: true }, movement] }
  const { history, ids } = world(() => ({ data: [poison, partly, sent('own', '2026-01-03T12:00:00Z')] }))
  await history.fetch()
  expect(ids()).toEqual(['partly', 'own'])
  expect(history.state.get().spam.map(({ id }) => id)).toEqual(['poison'])
})

test('pages without a new visible transaction are skipped, at most ten in a row', async () => {
  const movement = { direction: 'in', quantity: { numeric: '1' }, isSpam: true } as const
  const spam = (at: number) => ({ ...sent(`spam ${at}`, '2026-01-05T12:00:00Z'), transfers: [movement] })
  const page = (url: URL) => Number(url.searchParams.get('cursor') ?? 0)
  const { history, requests, ids } = world((url) => ({
    data: page(url) === 3 ? [sent('own', '2026-01-03T12:00:00Z')] : [spam(page(url))],
    next: String(page(url) + 1),
  }))
  await history.fetch()
  expect(ids()).toEqual(['own'])
  expect(requests).toHaveLength(4)
  expect(history.state.get()).toMatchObject({ loading: false, next: '4' })
  await history.fetchNext()
  expect(requests).toHaveLength(14)
  expect(history.state.get()).toMatchObject({ loading: false, empty: false, next: undefined })
  expect(history.state.get().spam).toHaveLength(13)
})

test('update adds new transactions above the loaded pages, and keeps them if it fails', async () => {
  let first: Answer = { data: [sent('c', '2026-02-01T12:00:00Z'), sent('b', '2026-01-15T12:00:00Z')], next: 'two' }
  const { history, ids } = world((url) =>
    url.searchParams.has('cursor') ? { data: [sent('a', '2026-01-01T12:00:00Z')], next: 'three' } : first,
  )
  await history.update()
  expect(history.state.get().account).toBeUndefined()
  await history.fetch()
  await history.fetchNext()
  first = { data: [sent('d', '2026-02-02T12:00:00Z'), sent('c', '2026-02-01T12:00:00Z')], next: 'two' }
  await history.update()
  expect(ids()).toEqual(['d', 'c', 'b', 'a'])
  expect(history.state.get()).toMatchObject({ next: 'three', loading: false })
  first = { status: 500 }
  await history.update()
  expect(ids()).toEqual(['d', 'c', 'b', 'a'])
  expect(history.state.get().error).toBeUndefined()
})

test('update replaces the list if there are more new transactions than fit on a page', async () => {
  let first: Answer = { data: [sent('a', '2026-01-01T12:00:00Z')], next: null }
  const { history, ids } = world(() => first)
  await history.fetch()
  first = { data: [sent('y', '2026-03-02T12:00:00Z'), sent('x', '2026-03-01T12:00:00Z')], next: 'two' }
  await history.update()
  expect(ids()).toEqual(['y', 'x'])
  expect(history.state.get().next).toBe('two')
})

test('isPartial is set if transactions might be missing, until the first page is loaded again', async () => {
  let isPartial = true
  const { history } = world(() => ({ data: [sent('a', '2026-01-01T12:00:00Z')], next: null, isPartial }) as Answer)
  await history.fetch()
  expect(history.state.get().isPartial).toBe(true)
  isPartial = false
  await history.fetch()
  expect(history.state.get().isPartial).toBe(false)
})

test('transactions with only spam NFTs, and those on other chains, are not shown [R5.12]', async () => {
  const { history, ids } = world(() => ({
    data: [
      sent('spam', '2026-01-05T12:00:00Z', { spam: [true, true] }),
      sent('none', '2026-01-04T12:00:00Z', { spam: [] }),
      sent('half', '2026-01-03T12:00:00Z', { spam: [true, false] }),
      sent('other', '2026-01-02T12:00:00Z', { chain: 'eip155:10' }),
      sent('kept', '2026-01-01T12:00:00Z'),
    ],
    next: null,
  }))
  await history.fetch()
  expect(ids()).toEqual(['none', 'half', 'kept'])
})

test('the account, the chain and the cursor are sent, and purchases are always fetched again [R7.11]', async () => {
  const caches: (RequestCache | undefined)[] = []
  const { history, requests } = world((url, init) => {
    caches.push(init?.cache)
    return url.searchParams.has('onramp')
      ? { data: [sent('buy', '2026-01-02T12:00:00Z', { chain: 'eip155:10' })], next: null }
      : url.searchParams.has('cursor')
        ? { data: [sent('b', '2025-12-01T12:00:00Z')], next: null }
        : { data: [sent('a', '2026-01-01T12:00:00Z')], next: 'two' }
  })
  await history.fetch()
  await history.fetchNext()
  await history.fetch({ onramp: 'coinbase' })
  expect(requests.map(({ pathname }) => pathname)).toEqual(
    Array(3).fill('/v1/account/0x1111111111111111111111111111111111111111/history'),
  )
  expect(
    requests.map(({ searchParams: sent }) => [sent.get('chainId'), sent.get('cursor'), sent.get('onramp')]),
  ).toEqual([
    ['eip155:1', null, null],
    ['eip155:1', 'two', null],
    ['eip155:1', null, 'coinbase'],
  ])
  expect(caches).toEqual([undefined, undefined, 'no-cache'])
  expect(history.state.get().coinbaseTransactions.map(({ id }) => id)).toEqual(['buy'])
  expect(history.state.get().transactions.map(({ id }) => id)).toEqual(['a', 'b'])
})

test('purchases on all chains are listed newest first, and those with only spam are omitted', async () => {
  const data = [
    sent('older', '2026-01-01T12:00:00Z', { chain: 'eip155:10' }),
    sent('spam', '2026-01-03T12:00:00Z', { spam: [true] }),
    sent('newer', '2026-01-02T12:00:00Z', { chain: 'eip155:137' }),
  ]
  const { history } = world(() => ({ data, next: null }))
  await history.fetch({ onramp: 'coinbase' })
  expect(history.state.get().coinbaseTransactions.map(({ id }) => id)).toEqual(['newer', 'older'])
})

test('loading ends with a list, an empty list, or an error with an empty list [R4.14]', async () => {
  let answer: Answer = { data: [sent('a', '2026-01-01T12:00:00Z')], next: 'two' }
  const { history, failures } = world(() => answer)
  const first = history.fetch()
  expect(history.state.get()).toMatchObject({ loading: true, empty: false })
  await first
  expect(history.state.get()).toMatchObject({ loading: false, empty: false })
  answer = { status: 503 }
  await history.fetch()
  expect(history.state.get()).toMatchObject({
    transactions: [],
    transactionsByYear: [],
    loading: false,
    empty: true,
    next: undefined,
    error: { code: 'transactions/failed' },
  })
  expect(failures).toEqual(['Failed to fetch transactions'])
  answer = { data: [], next: null }
  await history.fetch()
  expect(history.state.get()).toMatchObject({ loading: false, empty: true, error: undefined })
})

test('if a further page fails, the loaded transactions are kept, and fetchNext() requests the same page again', async () => {
  let isDown = true
  const { history, requests, ids } = world((url) => {
    if (!url.searchParams.has('cursor')) return { data: [sent('b', '2026-01-02T12:00:00Z')], next: 'two' }
    return isDown ? { status: 500 } : { data: [sent('a', '2026-01-01T12:00:00Z')], next: null }
  })
  await history.fetch()
  await history.fetchNext()
  expect(ids()).toEqual(['b'])
  expect(history.state.get()).toMatchObject({ empty: false, error: { code: 'transactions/failed' } })
  isDown = false
  await history.fetchNext()
  expect(ids()).toEqual(['b', 'a'])
  expect(history.state.get().error).toBeUndefined()
  expect(requests.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([null, 'two', 'two'])
})

test('without an account, fetching rejects; on an unsupported network, nothing is requested', async () => {
  const { history, now } = world(() => ({ data: [] }))
  now.subject = undefined
  await expect(history.fetch()).rejects.toThrow("Transactions can't be fetched without an accountAddress")
  const elsewhere = world(() => ({ data: [] }), ['eip155:10'])
  await elsewhere.history.fetch()
  expect(elsewhere.requests).toEqual([])
  expect(elsewhere.history.state.get()).toMatchObject({ loading: false, empty: true, error: undefined })
})

test('if the list of chains cannot be loaded, the history reports an error instead of an empty list', async () => {
  const { history, failures } = world(() => ({ data: [] }), null)
  await history.fetch()
  expect(history.state.get()).toMatchObject({ loading: false, error: { code: 'transactions/failed' } })
  expect(failures).toHaveLength(1)
})

test('after the account changes, no transactions of the previous account are shown', async () => {
  let respond = (_: Answer): void => {}
  const { history, now, ids } = world(
    (url) =>
      new Promise((resolve) => {
        if (url.pathname.includes('0x2222')) resolve({ data: [sent('mine', '2026-01-01T12:00:00Z')], next: null })
        else respond = resolve
      }),
  )
  const first = history.fetch()
  await new Promise((resolve) => setTimeout(resolve))
  now.subject = { account: account.replaceAll('1111', '2222') as typeof account, network }
  await history.fetch()
  respond({ data: [sent('former', '2026-01-02T12:00:00Z')], next: 'more' })
  await first
  expect(ids()).toEqual(['mine'])
  expect(history.state.get()).toMatchObject({ account: now.subject?.account, loading: false, next: undefined })
})
