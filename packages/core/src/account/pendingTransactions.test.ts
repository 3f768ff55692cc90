import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import type { Adapter, Network } from '../adapter.ts'
import { createStore } from '../lib/store.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { createPendingTransactions, pendingTransactionsEntry } from './pendingTransactions.ts'
import type { PendingTransaction } from './pendingTransactionTypes.ts'

const hash = `0x${'ab'.repeat(32)}`
const account = 'eip155:1:0x1111111111111111111111111111111111111111'
type Status = PendingTransaction['status']

function world({
  status = async () => 'pending',
  nonce = async () => undefined,
  expiry,
  stored,
}: {
  expiry?: () => Promise<{ block: number; slot: number }>
  nonce?: () => Promise<number | undefined>
  status?: (hash: string, sent?: { by: string; nonce: number }, expiry?: object) => Promise<Status>
  stored?: string
} = {}) {
  const clock = fakeClock()
  const storage = memoryStorage(stored === undefined ? {} : { '@latchkey/activity': stored })
  const warnings: unknown[] = []
  const log = { info: () => {}, warn: (...entry: unknown[]) => void warnings.push(entry), error: () => {} }
  const state = createStore<readonly PendingTransaction[]>([])
  const reads: string[] = []
  const settled: PendingTransaction[] = []
  const now = { account: account as string | undefined }
  const open = () =>
    createPendingTransactions({
      state,
      entry: pendingTransactionsEntry({ storage: () => storage, log }),
      adapters: [
        {
          namespace: 'eip155',
          transactionStatus: ({
            hash,
            sent,
            expiry,
          }: {
            hash: string
            sent?: { by: string; nonce: number }
            expiry?: object
          }) => {
            reads.push(hash)
            return status(hash, sent, expiry)
          },
          transactionNonce: nonce,
          ...(expiry && { transactionExpiry: expiry }),
        } as unknown as Adapter,
      ],
      clock,
      log,
      account: () => ({ account: now.account, chain: 'eip155:1' }) as never,
      network: () => ({ caipNetworkId: 'eip155:1' }) as unknown as Network,
      session: () => undefined,
      settled: (transaction) => settled.push(transaction),
    })
  return { activity: open(), open, state, storage, clock, reads, settled, warnings, now }
}

test('a transaction is pending until it is in a block, and then done or failed', async () => {
  const results: Record<string, Status> = {}
  const { activity, state, clock, reads, settled } = world({ status: async (found) => results[found] ?? 'pending' })
  activity.add({ hash, label: 'Order 1042' })
  activity.add({ hash: `${hash}f`, label: 'Order 1043' })
  expect(state.get()).toMatchObject([
    { label: 'Order 1043', status: 'pending' },
    { hash, label: 'Order 1042', chain: 'eip155:1', account, status: 'pending', addedAt: clock.now() },
  ])
  await clock.pass(10_000)
  results[hash] = 'done'
  results[`${hash}f`] = 'failed'
  await clock.pass(10_000)
  expect(state.get().map(({ status }) => status)).toEqual(['failed', 'done'])
  expect(settled.map(({ status }) => status).sort()).toEqual(['done', 'failed'])
  const before = reads.length
  await clock.pass(60_000)
  expect(reads).toHaveLength(before)
})

test('a transaction is `replaced` if two consecutive reads report it for the nonce that a node reported earlier', async () => {
  let isDropped = false
  let isLagging = false
  const requested: unknown[] = []
  const first = world({
    nonce: async () => (isDropped ? undefined : 7),
    status: async (_, sent) => {
      requested.push(sent)
      return isDropped && sent && !isLagging ? 'replaced' : 'pending'
    },
  })
  first.activity.add({ hash, label: 'Order 1042' })
  await first.clock.pass(10_000)
  expect(first.state.get()).toMatchObject([{ status: 'pending', nonce: 7 }])
  isDropped = true
  await first.clock.pass(10_000)
  isLagging = true
  await first.clock.pass(10_000)
  isLagging = false
  await first.clock.pass(10_000)
  expect(first.state.get()).toMatchObject([{ status: 'pending' }])
  await first.clock.pass(10_000)
  expect(first.state.get()).toMatchObject([{ status: 'replaced', nonce: 7 }])
  expect(first.settled).toMatchObject([{ hash, status: 'replaced' }])
  expect(requested).toEqual([undefined, ...Array.from({ length: 4 }, () => ({ by: account, nonce: 7 }))])
  // The stored nonce is used after a reload, because the node no longer reports it.
  const kept = JSON.parse(first.storage.getItem('@latchkey/activity') ?? '[]')
  const stored = JSON.stringify(kept.map((one: object) => ({ ...one, status: 'pending' })))
  first.activity.stop()
  const next = world({ status: async (_, sent) => (sent ? 'replaced' : 'pending'), stored })
  await next.clock.pass(10_000)
  expect(next.state.get()).toMatchObject([{ status: 'replaced' }])
})

test('a transaction is `dropped` if two consecutive reads report it for its expiry, which is kept after a reload', async () => {
  const end = { block: 250, slot: 1_000 }
  const first = world({ expiry: async () => end })
  first.activity.add({ hash, label: 'Send 1 SOL' })
  await first.clock.pass(10_000)
  expect(first.state.get()).toMatchObject([{ status: 'pending', expiry: end }])
  first.activity.stop()
  const requested: unknown[] = []
  const next = world({
    expiry: async () => Promise.reject(new Error('is not read again')),
    status: async (_hash, _sent, given) => {
      requested.push(given)
      return requested.length === 2 ? 'pending' : 'dropped'
    },
    stored: first.storage.getItem('@latchkey/activity') ?? '',
  })
  await next.clock.pass(20_000)
  expect(next.state.get()).toMatchObject([{ status: 'pending' }])
  await next.clock.pass(10_000)
  expect(next.state.get()).toMatchObject([{ status: 'dropped' }])
  expect(next.settled).toMatchObject([{ hash, status: 'dropped' }])
  expect(requested).toEqual(Array(4).fill(end))
})

test('the expiry is not read for the host’s transactions or more than a minute after a transaction was sent', async () => {
  let reads = 0
  const expiry = async () => ({ block: ++reads, slot: 0 })
  const host = world({ expiry })
  host.activity.addFromHost({ hash, label: 'Order 1042' })
  await host.clock.pass(60_000)
  const sent = world({ expiry })
  sent.activity.add({ hash, label: 'Send 1 SOL' })
  sent.activity.stop()
  await sent.clock.pass(60_000)
  sent.open()
  await sent.clock.pass(30_000)
  expect(reads).toBe(0)
  expect(sent.state.get()).toMatchObject([{ status: 'pending' }])
})

test('a reload keeps the transactions, and a pending one is read immediately', async () => {
  const first = world()
  first.activity.add({ hash, label: 'Order 1042' })
  first.activity.stop()
  const next = world({ status: async () => 'done', stored: first.storage.getItem('@latchkey/activity') ?? '' })
  await next.clock.pass(0)
  expect(next.state.get()).toMatchObject([{ hash, label: 'Order 1042', status: 'done' }])
})

test('nothing is read until a transaction is added, and each transaction is read at most 99 times [R9.2]', async () => {
  const { activity, reads, clock } = world()
  await clock.pass(60_000)
  expect(reads).toEqual([])
  activity.add({ hash, label: 'Order 1042' })
  await clock.pass(10_000 * 200)
  expect(reads).toHaveLength(99)
})

test('at most 99 transactions are kept, each hash once, and none for longer than a week [R9.2]', async () => {
  const { activity, state, open, clock } = world()
  for (let count = 0; count < 120; count++) activity.add({ hash: `0x${count}`, label: `Order ${count}` })
  activity.add({ hash: '0x119', label: 'Again' })
  expect(state.get()).toHaveLength(99)
  expect(state.get()[0]).toMatchObject({ hash: '0x119', label: 'Order 119' })
  activity.stop()
  await clock.pass(7 * 24 * 60 * 60 * 1000)
  open()
  expect(state.get()).toEqual([])
})

test('labels are sanitized, and invalid transactions are rejected with a warning', () => {
  const { activity, state, warnings, now } = world()
  activity.add({ hash, label: 'Pay \u202eevil' })
  expect(state.get()[0]?.label).toBe('Pay evil')
  activity.add({ hash: '0x1<script>', label: 'Order' })
  activity.add({ hash: '0x2', label: '\u200b' })
  now.account = undefined
  activity.add({ hash: '0x3', label: 'Order' })
  expect(state.get()).toHaveLength(1)
  expect(warnings).toHaveLength(3)
})

test('reads are repeated after a node fails, and invalid stored data is ignored', async () => {
  let isDown = true
  const { activity, state, clock } = world({
    stored: '[{"hash":5}]',
    status: async () => {
      if (isDown) throw new Error('down')
      return 'done'
    },
  })
  expect(state.get()).toEqual([])
  activity.add({ hash, label: 'Order 1042' })
  await clock.pass(10_000)
  expect(state.get()[0]?.status).toBe('pending')
  isDown = false
  await clock.pass(10_000)
  expect(state.get()[0]?.status).toBe('done')
})

test('the host’s transactions are marked as such, even after a reload, and do not overwrite those of Latchkey', () => {
  const { activity, open, state } = world()
  activity.addFromHost({ hash, label: 'Received 5 ETH' })
  expect(state.get()).toMatchObject([{ hash, label: 'Received 5 ETH', isFromHost: true }])
  state.set([])
  open()
  expect(state.get()).toMatchObject([{ hash, isFromHost: true }])
  activity.add({ hash, label: 'Send 1 ETH' })
  activity.addFromHost({ hash, label: 'Received 5 ETH' })
  expect(state.get()).toHaveLength(1)
  expect(state.get()[0]).toMatchObject({ label: 'Send 1 ETH' })
  expect(state.get()[0]).not.toHaveProperty('isFromHost')
})
