import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { expect, test } from 'vitest'
import { createStore } from '../lib/store.ts'
import { fakeClock } from '../testing/index.ts'
import type { DirectoryState } from './directoryTypes.ts'
import { createWalletSearch, emptySearch } from './walletSearch.ts'

function searchOf(answer: (text: string) => Promise<Wallet[]>) {
  const clock = fakeClock()
  const state = createStore<DirectoryState['search']>(emptySearch)
  const searched: string[] = []
  const search = createWalletSearch({
    state,
    request: async ({ search = '' }) => ({ data: await answer(search), count: 1 }),
    clock,
    include: [],
    exclude: [],
    usable: (wallets) => wallets,
    preload: async () => {},
    searched: (text) => searched.push(text),
  })
  return { ...search, state, clock, searched }
}

test('only the result of the latest search is displayed, after at least 300 ms', async () => {
  const { search, state, clock, searched } = searchOf(async (text) => [{ id: text, name: text }])
  void search('old')
  void search(' new ')
  expect(state.get()).toEqual({ text: 'new', result: { status: 'loading' } })
  await clock.pass(299)
  expect(state.get().result.status).toBe('loading')
  await clock.pass(1)
  expect(state.get()).toMatchObject({ text: 'new', result: { status: 'ready', value: [{ id: 'new' }] } })
  expect(searched).toEqual(['new'])
})

test('empty text clears the search', async () => {
  const { search, state, clock } = searchOf(async () => [])
  void search('a')
  await search('  ')
  await clock.pass(300)
  expect(state.get()).toEqual(emptySearch)
})

test('a failure is displayed, unless the directory has stopped', async () => {
  const fails = async () => {
    throw new Error('offline')
  }
  const shown = searchOf(fails)
  void shown.search('a')
  await shown.clock.pass(300)
  expect(shown.state.get().result.status).toBe('failed')
  const stopped = searchOf(fails)
  void stopped.search('a')
  await stopped.clock.pass(100)
  stopped.stop()
  await stopped.clock.pass(300)
  expect(stopped.state.get().result.status).toBe('loading')
})
