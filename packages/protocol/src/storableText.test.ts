import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { isStorableJson, isStorableText, storableText } from './storableText.ts'

describe('isStorableText and storableText', () => {
  test.each(['', 'Zoë 日本 👩‍🚀', 'a\nb\tc', '\u202e', '\ufffe'])('accept %j', (text) => {
    expect(isStorableText(text)).toBe(true)
  })

  test.each(['\0', 'a\0b', '\ud83d', '\ude80', 'a\ude80\ud83d', '\ud83d\ud83d\ude80'])('reject %j', (text) => {
    expect(isStorableText(text)).toBe(false)
    expect(v.is(storableText(10), text)).toBe(false)
  })

  test('storableText rejects text that is longer than the maximum', () => {
    expect([v.is(storableText(3), 'abc'), v.is(storableText(3), 'abcd'), v.is(storableText(3), 7)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('isStorableJson', () => {
  test('accepts only storable text in values and keys', () => {
    expect(isStorableJson({ a: [1, null, 'b', { c: true }] })).toBe(true)
    for (const value of ['\0', ['\ud800'], { a: { b: ['\0'] } }, { 'a\0': 1 }, { a: 'x'.repeat(65_537) }])
      expect(isStorableJson(value)).toBe(false)
  })

  test('rejects values that are nested too deeply', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
    expect([isStorableJson(nested(16)), isStorableJson(nested(17)), isStorableJson(nested(5000))]).toEqual([
      true,
      false,
      false,
    ])
  })
})
