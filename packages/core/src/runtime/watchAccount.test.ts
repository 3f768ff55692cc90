import { expect, test } from 'vitest'
import type { BalanceAndIdentity } from '../account/balanceAndIdentity.ts'
import type { AccountView } from '../latchkeyTypes.ts'
import { fakeClock, fakeLatchkey } from '../testing/index.ts'
import { watchAccount } from './watchAccount.ts'

test('account data is fetched when the account changes and cleared when the account disconnects, but left unchanged during a restore', async () => {
  const clock = fakeClock()
  const { state } = fakeLatchkey()
  let view = { status: 'reconnecting', account: 'eip155:1:0xab', chain: 'eip155:1' } as unknown as AccountView
  let reads = 0
  const queries = { refresh: async () => void reads++ } as unknown as BalanceAndIdentity
  const stop = watchAccount({
    state,
    account: () => view,
    options: {},
    queries: { get: async () => queries },
    log: { error() {} },
  })
  const change = async (next: Partial<AccountView>) => {
    view = { ...view, ...next }
    state.set({ ...state.get() })
    await clock.pass(0)
  }
  await change({})
  expect(reads).toBe(0)
  await change({ status: 'connected' })
  await change({})
  expect(reads).toBe(1)
  state.set({
    ...state.get(),
    account: { ...state.get().account, identity: { status: 'ready', value: { name: 'ada.eth' } } },
  })
  await change({ status: 'disconnected', account: undefined })
  expect(state.get().account).toBe(state.initial.account)
  stop()
  await change({ status: 'connected', account: 'eip155:1:0xcd' })
  expect(reads).toBe(1)
})
