import { expect, test } from 'vitest'
import type { StoreProbe } from '../serverDependencies.ts'
import { createReadiness } from './readiness.ts'

const ready = (probe: Omit<StoreProbe, 'name'>) =>
  createReadiness({ stores: [{ name: 'database', ...probe }], clock: () => 0, isDraining: () => false })()

test.each<[string, Omit<StoreProbe, 'name'>]>([
  ['ok', { ping: async () => {}, isDiskFull: () => false }],
  ['disk full', { ping: async () => {}, isDiskFull: () => true }],
  ['out of memory', { ping: async () => {}, isOutOfMemory: () => true }],
  ['unavailable', { ping: () => Promise.reject(new Error('gone')), isDiskFull: () => true }],
  ['unavailable', { ping: () => new Promise(() => {}) }],
])('reports a store that is %s', async (state, probe) => {
  expect((await ready(probe)).stores).toEqual({ database: state })
})

test('concurrent readiness checks send a single ping to the store', async () => {
  let pings = 0
  const ask = createReadiness({
    stores: [{ name: 'database', ping: async () => void (pings += 1) }],
    clock: () => 0,
    isDraining: () => false,
  })
  await Promise.all(Array.from({ length: 50 }, ask))
  expect(pings).toBe(1)
})
