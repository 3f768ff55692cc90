import { expect, test } from 'vitest'
import { JsonDepthError, parseJson } from './parseJson.ts'

test.each(['{"a":[1,{"b":null}]}', '"[[[["', '{"[[{{":"\\"[[["}', '[]', ' 7 ', '"\\\\"'])(
  '%s is read as ever',
  (text) => {
    expect(parseJson(text, { maxDepth: 3 })).toEqual(JSON.parse(text))
  },
)

test.each(['[[[[', '{"a":{"b":{"c":{', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])('%.20s is too deep', (text) => {
  expect(() => parseJson(text, { maxDepth: 3 })).toThrow(JsonDepthError)
})

test('brackets that were closed count no more', () => {
  expect(parseJson(`[${Array.from({ length: 1000 }, () => '[[]]').join(',')}]`, { maxDepth: 3 })).toHaveLength(1000)
})

test.each(['', '{', '"', '"\\', ']['])('%j is no JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})
