import { expect, test } from 'vitest'
import { createDirectoryResponseCache } from './directoryResponseCache.ts'

test('isRepeated() is true for the second request with a query, unless more than a thousand other queries came in between', () => {
  const cache = createDirectoryResponseCache<string>(100)
  expect(cache.isRepeated('page=1')).toBe(false)
  expect(cache.isRepeated('page=1')).toBe(true)
  cache.isRepeated('page=2')
  for (let at = 0; at < 1_000; at += 1) cache.isRepeated(`search=${at}`)
  expect(cache.isRepeated('page=2')).toBe(false)
  expect(cache.isRepeated('search=999')).toBe(true)
})

test('evicts the least recently used responses when there is no room, and never holds more than the maximum size', () => {
  const cache = createDirectoryResponseCache<string>(100)
  cache.set('one', 'first', 40)
  cache.set('two', 'second', 40)
  expect(cache.get('one')).toBe('first')
  cache.set('three', 'third', 40)
  expect(['one', 'two', 'three'].map(cache.get)).toEqual(['first', undefined, 'third'])
  cache.set('four', 'fourth', 100)
  expect(['one', 'two', 'three', 'four'].map(cache.get)).toEqual([undefined, undefined, undefined, 'fourth'])
  cache.set('five', 'fifth', 101)
  expect([cache.get('four'), cache.get('five')]).toEqual(['fourth', undefined])
})
