import { expect, test } from 'vitest'
import { JsonDepthError, parseJson } from './parseJson.ts'

test.each(['{"a":[1,{"b":null}]}', '"[[[["', '{"[[{{":"\\"[[["}', '[]', ' 7 ', '"\\\\"'])('parses %s', (text) => {
  expect(parseJson(text, { maxDepth: 3 })).toEqual(JSON.parse(text))
})

test.each(['[[[[', '{"a":{"b":{"c":{', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])(
  'rejects %.20s because it is nested too deeply',
  (text) => {
    expect(() => parseJson(text, { maxDepth: 3 })).toThrow(JsonDepthError)
  },
)

test('brackets that are already closed do not count toward the depth', () => {
  expect(parseJson(`[${Array.from({ length: 1000 }, () => '[[]]').join(',')}]`, { maxDepth: 3 })).toHaveLength(1000)
})

test.each(['', '{', '"', '"\\', ']['])('throws a SyntaxError for %j', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})
