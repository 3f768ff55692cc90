import { expect, test } from 'vitest'
import { draw } from './mutate.mjs'

const all = Array.from({ length: 1_000 }, (_, at) => at)

test('the same seed selects the same sample without duplicates, and a different seed selects a different sample', () => {
  const drawn = draw(all, 100, 7)
  expect(drawn).toEqual(draw(all, 100, 7))
  expect(new Set(drawn).size).toBe(100)
  expect(draw(all, 100, 8)).not.toEqual(drawn)
})

test('a sample is spread over all items, and is never larger than the number of items', () => {
  const drawn = draw(all, 200, 1)
  for (const from of [0, 250, 500, 750])
    expect(drawn.filter((at) => at >= from && at < from + 250).length).toBeGreaterThan(25)
  expect(draw([1, 2, 3], 500, 1)).toHaveLength(3)
})
