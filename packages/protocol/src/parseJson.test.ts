import { expect, test } from 'vitest'
import { JsonDepthError, parseJson } from './parseJson.ts'

test.each(['{"a":[1,{"b":null}]}', '"[[[["', '{"[[{{":"\\"[[["}', '[]', ' 7 ', '"\\\\"'])('%s is parsed', (text) => {
  expect(parseJson(text, { maxDepth: 3 })).toEqual(JSON.parse(text))
})

test.each(['[[[[', '{"a":{"b":{"c":{', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])('%.20s is too deep', (text) => {
  expect(() => parseJson(text, { maxDepth: 3 })).toThrow(JsonDepthError)
})

test('closed brackets do not count towards the depth', () => {
  expect(parseJson(`[${Array.from({ length: 1000 }, () => '[[]]').join(',')}]`, { maxDepth: 3 })).toHaveLength(1000)
})

test.each(['', '{', '"', '"\\', ']['])('%j is not JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})
