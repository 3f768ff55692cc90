import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { isPlainJson, isPlainText, plainText } from './plainText.ts'

describe('isPlainText and plainText', () => {
  test.each(['', 'Zoë 日本 👩‍🚀', 'a\nb\tc', '\u202e', '\ufffe'])('accept %j', (text) => {
    expect(isPlainText(text)).toBe(true)
  })

  test.each(['\0', 'a\0b', '\ud83d', '\ude80', 'a\ude80\ud83d', '\ud83d\ud83d\ude80'])('reject %j', (text) => {
    expect(isPlainText(text)).toBe(false)
    expect(v.is(plainText(10), text)).toBe(false)
  })

  test('plainText rejects text that is longer than the maximum', () => {
    expect([v.is(plainText(3), 'abc'), v.is(plainText(3), 'abcd'), v.is(plainText(3), 7)]).toEqual([true, false, false])
  })
})

describe('isPlainJson', () => {
  test('accepts only plain text in values and keys', () => {
    expect(isPlainJson({ a: [1, null, 'b', { c: true }] })).toBe(true)
    for (const value of ['\0', ['\ud800'], { a: { b: ['\0'] } }, { 'a\0': 1 }, { a: 'x'.repeat(65_537) }])
      expect(isPlainJson(value)).toBe(false)
  })

  test('rejects values that are nested too deeply', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
    expect([isPlainJson(nested(16)), isPlainJson(nested(17)), isPlainJson(nested(5000))]).toEqual([true, false, false])
  })
})
