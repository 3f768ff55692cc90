import { expect, test } from 'vitest'
import { createStore, slice } from './store.ts'

test('a slice reads and writes its own part of the store, and notifies its listeners only when that part changes', () => {
  const store = createStore({ count: 1, name: 'a' })
  const count = slice(store, 'count')
  const seen: number[] = []
  const stop = count.subscribe(() => seen.push(count.get()))
  let notified = 0
  store.subscribe(() => notified++)

  store.set({ count: 1, name: 'b' })
  expect(seen).toEqual([])
  count.set((now) => now + 1)
  expect(store.get()).toEqual({ count: 2, name: 'b' })
  // Setting the current value changes nothing, so no listener is notified.
  count.set(2)
  expect([seen, notified]).toEqual([[2], 2])
  stop()
  count.set(3)
  expect([seen, count.get()]).toEqual([[2], 3])
})
