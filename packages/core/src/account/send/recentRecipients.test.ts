import { expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import { recentRecipients } from './recentRecipients.ts'

const hash = `0x${'ab'.repeat(32)}`
const transfer = {
  account: 'eip155:1:0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  chain: 'eip155:1',
  address: '0x2546BcD3c84621e976D8185a91A922aE77ECEc30',
  token: 'native',
  amount: 4n,
} as const
const hourMs = 3_600_000

test('wasSent() finds a transfer that is still pending after hours, and a confirmed one only since the given time', () => {
  const storage = memoryStorage()
  const recent = recentRecipients({ storage: () => storage, log: createLog({ now: () => 0, level: 'silent' }) })
  recent.add({ ...transfer, name: undefined, at: hourMs, hash })
  expect(recent.wasSent(transfer, 3 * hourMs)).toBe(true)
  expect(recent.wasSent(transfer, 26 * hourMs)).toBe(false)
  expect(recent.wasSent({ ...transfer, amount: 5n }, 3 * hourMs)).toBe(false)
  recent.settle([{ hash, status: 'done' }])
  expect(recent.wasSent(transfer, 3 * hourMs)).toBe(false)
  expect(recent.wasSent(transfer, hourMs)).toBe(true)
})
