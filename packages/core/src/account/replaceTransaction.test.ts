import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import type { Session } from '../adapter.ts'
import type { PendingTransaction } from './pendingTransactionTypes.ts'
import { createTransactionReplacement } from './replaceTransaction.ts'

const account = 'eip155:1:0x1111111111111111111111111111111111111111'
const sent: PendingTransaction = {
  hash: `0x${'ab'.repeat(32)}`,
  label: 'Send 1 ETH',
  chain: 'eip155:1',
  account,
  addedAt: 0,
  status: 'pending',
  nonce: 7,
}

function setup({ active = account as string, replaces = true, errors = [] as Error[] } = {}) {
  const requested: unknown[] = []
  const added: unknown[] = []
  const session = {
    can: replaces && {
      replaceTransaction: async (params: unknown) => {
        requested.push(params)
        const error = errors.shift()
        if (error) throw error
        return { hash: '0x2' }
      },
    },
  } as unknown as Session
  const replacement = createTransactionReplacement({
    now: () => ({ account: active as typeof account, session }),
    activity: async () => ({ add: (transaction) => void added.push(transaction) }),
  })
  return { ...replacement, requested, added }
}

test('the wallet replaces a pending transaction, and the new one is added to the activity', async () => {
  const { canReplace, replace, requested, added } = setup()
  expect(canReplace(sent)).toBe(true)
  expect(await replace({ transaction: sent, cancels: true, label: 'Cancel: Send 1 ETH' })).toEqual({ hash: '0x2' })
  expect(requested).toEqual([{ account, hash: sent.hash, cancels: true }])
  expect(added).toEqual([{ hash: '0x2', label: 'Cancel: Send 1 ETH', chain: 'eip155:1', account }])
})

test('a failure is remembered until the next attempt, and a declined request is not a failure', async () => {
  const errors = [
    new LatchkeyError('user/rejected', { request: 'eth_sendTransaction' }),
    new LatchkeyError('wallet/failed', { message: 'nonce too low' }),
  ]
  const { replace, replaceFailed } = setup({ errors })
  const outcomes = []
  for (let attempt = 0; attempt < 3; attempt++) {
    await replace({ transaction: sent, cancels: false, label: 'a' }).catch(() => undefined)
    outcomes.push(replaceFailed(sent))
  }
  expect(outcomes).toEqual([false, true, false])
  expect(replaceFailed({ ...sent, hash: '0x3' })).toBe(false)
})

test.each<[string, Partial<PendingTransaction>, Parameters<typeof setup>[0]]>([
  ['is not pending', { status: 'done' }, {}],
  ['was sent by a bundler', { nonce: undefined as never }, {}],
  ['belongs to another account', {}, { active: account.replace('1111', '2222') }],
  ['was sent by a wallet that chooses the nonce itself', {}, { replaces: false }],
])('a transaction that %s is not replaced', async (_, change, options) => {
  const { canReplace, replace, requested } = setup(options)
  const transaction = { ...sent, ...change }
  expect(canReplace(transaction)).toBe(false)
  await expect(replace({ transaction, cancels: false, label: 'a' })).rejects.toMatchObject({
    code: 'wallet/unsupported',
  })
  expect(requested).toEqual([])
})
