import { expect, test } from 'vitest'
import { virtualRange } from './virtualRange.ts'

const tiles = { count: 10_000, columns: 3, rowHeight: 104, gap: 8, height: 400, overscan: 3 }

test('only a few dozen of ten thousand tiles are rendered at any scroll position', () => {
  for (const top of [0, 1, 5_000, 200_000, 373_000, 999_999]) {
    const { from, to } = virtualRange({ ...tiles, scrollTop: top })
    expect(to - from).toBeLessThanOrEqual(3 * 11)
    expect(to - from).toBeGreaterThan(0)
  }
})

test('the total height includes every row, but no gap after the last row', () => {
  expect(virtualRange({ ...tiles, scrollTop: 0 }).total).toBe(3334 * 112 - 8)
  expect(virtualRange({ ...tiles, count: 0, scrollTop: 0 })).toEqual({ from: 0, to: 0, offset: 0, total: 0 })
})

test('scrolling to the end renders the last items', () => {
  expect(virtualRange({ ...tiles, scrollTop: 3334 * 112 - 8 - 400 }).to).toBe(10_000)
})
