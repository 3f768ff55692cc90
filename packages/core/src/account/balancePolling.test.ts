import { expect, test } from 'vitest'
import type { AccountView } from '../latchkeyTypes.ts'
import { route } from '../modal/views.ts'
import { fakeClock, fakeLatchkey } from '../testing/index.ts'
import type { BalanceAndIdentity } from './balanceAndIdentity.ts'
import { createBalancePolling } from './balancePolling.ts'

function pollingOf(initial: string | undefined) {
  const clock = fakeClock()
  const { state, modal } = fakeLatchkey()
  let account = initial
  const polls: number[] = []
  const queries: BalanceAndIdentity = {
    refresh: async () => {},
    poll: async (everyMs) => void polls.push(everyMs),
    stop() {},
  }
  const polling = createBalancePolling({
    queries: { get: async () => queries },
    state,
    account: () => ({ account }) as AccountView,
    clock,
    log: { error() {} },
  })
  const setAccount = (next: string | undefined) => {
    account = next
  }
  return { ...polling, clock, modal, polls, setAccount }
}

test('the balance is polled after the first refresh, and more often while the account view is open', async () => {
  const { refresh, clock, modal, polls } = pollingOf('eip155:1:0xab')
  await clock.pass(60_000)
  expect(polls).toEqual([])
  await refresh()
  await clock.pass(10_000)
  modal.open({ view: route('Account') })
  await clock.pass(10_000)
  expect(polls).toEqual([30_000, 10_000])
})

test('polling pauses while no account is connected, and ends when stop() is called', async () => {
  const { refresh, stop, clock, polls, setAccount } = pollingOf('eip155:1:0xab')
  await refresh()
  setAccount(undefined)
  await clock.pass(30_000)
  expect(polls).toEqual([])
  setAccount('eip155:1:0xab')
  await refresh()
  stop()
  await clock.pass(30_000)
  expect(polls).toEqual([])
})

test('the balance is read immediately after a transaction, and again two and ten seconds later', async () => {
  const { afterTransaction, clock, polls } = pollingOf('eip155:1:0xab')
  afterTransaction()
  await clock.pass(0)
  expect(polls).toEqual([0])
  await clock.pass(2_000)
  expect(polls).toEqual([0, 0])
  await clock.pass(8_000)
  expect(polls).toEqual([0, 0, 0])
})
