import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { expect, test } from 'vitest'
import { createStore } from '../lib/store.ts'
import type { DirectoryState } from './directoryTypes.ts'
import { createFeaturedWallets } from './featuredWallets.ts'

const idle = { status: 'idle' } as const
const walletOf = (id: string): Wallet => ({ id, name: id.toUpperCase() })

test('featured wallets are listed first, in the host’s order, and a list that failed to load is requested again', async () => {
  const state = createStore<DirectoryState>({
    featured: idle,
    recommended: idle,
    pages: idle,
    search: { text: '', result: idle },
  })
  const excluded: unknown[] = []
  const requested: string[] = []
  let fails = true
  const lists = createFeaturedWallets({
    state,
    async request({ include = [], exclude = [] }) {
      requested.push(`${include.join()} without ${exclude.join()}`)
      if (include.length === 0 && fails) throw new Error('offline')
      return { data: include.length > 0 ? [...include].sort().map(walletOf) : [walletOf('r')], count: 1 }
    },
    log: { info() {} },
    chains: [],
    include: [],
    exclude: ['x'],
    featured: ['b', 'a'],
    usable: (wallets) => wallets,
    preload: async () => {},
    excluded: (wallets) => excluded.push(wallets),
  })
  const load = () => Promise.all([lists.load(), lists.loadRecommended(), lists.loadRecommended()])
  await load()
  expect(state.get()).toMatchObject({ featured: { status: 'ready' }, recommended: { status: 'failed' } })
  fails = false
  await load()
  expect(lists.all().map(({ id }) => id)).toEqual(['b', 'a', 'r'])
  expect(excluded).toEqual([[{ name: 'X', rdns: undefined }]])
  expect(requested).toEqual(['b,a without ', 'x without ', ' without x,b,a', ' without x,b,a'])
})
