import { expect, test } from 'vitest'
import type { Connector } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import { createStore } from '../lib/store.ts'
import { createRecords } from '../storage/storageSchema.ts'
import { memoryStorage } from '../testing/index.ts'
import { createRecentWallets } from './recentWallets.ts'

test('a connected wallet is stored as the last wallet, and is listed as recent if it can be identified on the next visit', () => {
  const storage = memoryStorage()
  const records = createRecords({ storage: () => storage, log: { warn() {} } })
  const wallets = createStore<State['wallets']>({ connectors: [], filter: undefined, recent: [], excluded: [] })
  const recent = createRecentWallets({ records, wallets })
  recent.addConnector({ id: 'injected', name: 'Browser Wallet' } as Connector)
  expect(records.walletName.get()).toBe('Browser Wallet')
  expect(wallets.get().recent).toEqual([])
  recent.addConnector({ id: 'io.a', name: 'A', rdns: 'io.a', imageId: 'logo' } as Connector)
  recent.addWallet({ id: 'b', name: 'B', mobile_link: 'b://' })
  expect(records.walletId.get()).toBe('b')
  expect(wallets.get().recent).toEqual([
    { id: 'b', name: 'B', mobile_link: 'b://' },
    { id: 'io.a', name: 'A', rdns: 'io.a', image_id: 'logo' },
  ])
})
