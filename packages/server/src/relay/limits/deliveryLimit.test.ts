import { expect, test } from 'vitest'
import { createDeliveryLimit } from './deliveryLimit.ts'
import { maxPageBytes } from './relayLimits.ts'

test('each topic and the whole delivery have a size limit, and once a message does not fit, later messages on its topic are skipped', () => {
  const { takeIfFits, skippedTopics } = createDeliveryLimit('reader')
  const take = (topic: string, size: number, from = 'page') => takeIfFits({ topic, size, from })
  expect(take('a', maxPageBytes - 10)).toBe(true)
  expect(take('a', 11)).toBe(false)
  expect(take('a', 1)).toBe(false)
  expect(take('b', maxPageBytes)).toBe(true)
  expect(take('c', maxPageBytes)).toBe(false)
  expect([...skippedTopics]).toEqual(['a', 'c'])
})

test('a topic’s first message is always delivered if it is small, but the reader’s own messages are never delivered', () => {
  const { takeIfFits, skippedTopics } = createDeliveryLimit('reader')
  expect(takeIfFits({ topic: 'a', size: 3 * maxPageBytes, from: 'page' })).toBe(true)
  expect(takeIfFits({ topic: 'b', size: 16_384, from: 'page' })).toBe(true)
  expect(takeIfFits({ topic: 'c', size: 16_385, from: 'page' })).toBe(false)
  expect(takeIfFits({ topic: 'd', size: 1, from: 'reader' })).toBe(false)
  expect([...skippedTopics]).toEqual(['c'])
})
