import { expect, test } from 'vitest'
import type { AccountView, State } from '../latchkeyTypes.ts'
import { createRetries } from '../lib/retries.ts'
import { createStore } from '../lib/store.ts'
import { fakeClock } from '../testing/index.ts'
import { createSignInLoader } from './signInLoader.ts'

function loaderOf() {
  const clock = fakeClock()
  const state = createStore<State['signIn']>({
    status: 'signed-out',
    account: undefined,
    session: undefined,
    error: undefined,
  })
  const toasts: string[] = []
  const loads: AccountView[] = []
  let fails = true
  const loader = createSignInLoader({
    async load(before) {
      loads.push(before)
      if (fails) throw new Error('offline')
      return {} as never
    },
    account: () => ({ address: '0xab' }) as AccountView,
    state,
    retries: createRetries(clock, () => 1),
    log: { error() {} },
    toast: (_, text) => toasts.push(text),
  })
  const recover = () => {
    fails = false
  }
  return { ...loader, clock, state, toasts, loads, recover }
}

test('a failed load leaves the sign-in status unknown, shows one toast, and is retried until it succeeds', async () => {
  const { start, clock, state, toasts, loads, recover } = loaderOf()
  start()
  await clock.pass(0)
  expect(state.get()).toMatchObject({ status: 'unknown', error: { message: 'offline' } })
  expect(toasts).toEqual(['offline'])
  await clock.pass(1_000)
  recover()
  await clock.pass(60_000)
  expect(loads).toEqual([{ address: '0xab' }, { address: '0xab' }, { address: '0xab' }])
  expect(toasts).toEqual(['offline'])
})

test('stop() prevents further retries', async () => {
  const { start, stop, clock, loads } = loaderOf()
  start()
  await clock.pass(0)
  stop()
  await clock.pass(60_000)
  expect(loads).toHaveLength(1)
})
