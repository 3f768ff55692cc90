import { describe, expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { draftEntry } from '../../storage/draftStorage.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import type { PendingTransaction } from '../pendingTransactionTypes.ts'
import type { Token } from '../portfolioTypes.ts'
import { recentRecipients } from './recentRecipients.ts'
import { emptyInputs, sendDraft } from './sendDraft.ts'
import type { SendReview, SendTransfer } from './sendTypes.ts'
import { createTransferOutcome, sentTransfer } from './transferOutcome.ts'

const account = 'eip155:1:0x8ba1f109551bD432803012645Ac136ddd64DBA72' as const
const hash = `0x${'ab'.repeat(32)}`
const review: SendReview = {
  account,
  chain: 'eip155:1',
  token: { id: 'native', chain: 'eip155:1', name: 'Ether', symbol: 'ETH', decimals: 18, amount: 10n } as Token,
  amount: 4n,
  to: '0x2546BcD3c84621e976D8185a91A922aE77ECEc30',
}

function transferOutcome(transactions: readonly Partial<PendingTransaction>[] = []) {
  const log = createLog({ now: () => 0, level: 'silent' })
  const storage = memoryStorage()
  const draft = draftEntry({ storage: () => storage, log }, 'send', sendDraft)
  const recent = recentRecipients({ storage: () => memory, log })
  const memory = memoryStorage()
  let transfer: SendTransfer = { status: 'idle' }
  const restored: SendReview[] = []
  let refreshes = 0
  const outcome = createTransferOutcome({
    draft,
    recent,
    portfolio: { refresh: async () => void refreshes++ },
    clock: { now: () => 1_000 },
    inputs: () => emptyInputs,
    outcome: () => transfer,
    transactions: () => transactions as readonly PendingTransaction[],
    account: () => account,
    dropped: (reviewed) => restored.push(reviewed),
    publish(change) {
      if ('transfer' in change) transfer = change.transfer
    },
  })
  return { outcome, draft, recent, restored, transfer: () => transfer, refreshes: () => refreshes }
}

describe('the outcome of a transfer', () => {
  test('is stored until it is final', () => {
    const { outcome, draft } = transferOutcome()
    outcome.set({ status: 'requested', review })
    expect(draft.get()?.sent).toMatchObject({ at: 1_000 })
    outcome.set({ status: 'pending', review, hash, at: 2_000 })
    expect(draft.get()?.sent).toMatchObject({ at: 2_000, hash })
    outcome.set({ status: 'done', review, hash, at: 2_000 })
    expect(draft.get()?.sent).toBeUndefined()
  })

  test('counts as sent for other tabs as soon as it is requested, until it is known that the wallet did not send it', () => {
    const { outcome, recent } = transferOutcome()
    const wasSent = () => recent.wasSent(sentTransfer(review), 0)
    outcome.report({ status: 'requested', review }, 1_000)
    expect(wasSent()).toBe(true)
    outcome.report({ status: 'failed', review, error: new Error('declined') as never }, 1_000)
    expect(wasSent()).toBe(false)
    outcome.report({ status: 'requested', review }, 2_000)
    outcome.report({ status: 'unknown', review, at: 2_500 }, 2_000)
    expect(wasSent()).toBe(true)
  })

  test.each([
    ['done', 'done'],
    ['failed', 'reverted'],
    ['replaced', 'unknown'],
    ['dropped', 'failed'],
    ['pending', 'pending'],
  ] as const)('follows its transaction: %s is shown as %s', (status, shown) => {
    const { outcome, transfer, restored, refreshes } = transferOutcome([
      { hash: '0x1', status: 'failed' },
      { hash, status },
    ])
    outcome.report({ status: 'pending', review, hash, at: 1_000 }, 1_000)
    outcome.update()
    expect(transfer().status).toBe(shown)
    expect(restored).toEqual(status === 'dropped' ? [review] : [])
    expect(refreshes()).toBe(status === 'pending' ? 0 : 1)
  })
})
