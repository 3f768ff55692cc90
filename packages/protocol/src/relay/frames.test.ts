import { expect, test } from 'vitest'
import { dice } from '../testing/dice.ts'
import { readFrame, writeFrame } from './frames.ts'

test.each([
  ['a number', '{"id":7,"jsonrpc":"2.0","method":"x"}', '7'],
  ['a number above 2^53', '{"id":1735689600000123456,"jsonrpc":"2.0"}', '1735689600000123456'],
  ['a text of digits', '{"id":"1735689600000123456","jsonrpc":"2.0"}', '"1735689600000123456"'],
  ['a number that stands last', '{"method":"x","id":1735689600000123456}', '1735689600000123456'],
  ['a text with a quote', '{"id":"a\\"b"}', '"a\\"b"'],
])('the id comes back as it came: %s', (_, text, id) => {
  const frame = readFrame(text)
  expect(frame?.id).toBe(id)
  expect(writeFrame(frame?.id ?? '', { result: true })).toBe(`{"id":${id},"jsonrpc":"2.0","result":true}`)
})

test('digits inside a text stay what they are', () => {
  const message = 'call 1735689600000123456 or \\"1735689600000123456\\"'
  expect(readFrame(`{"id":1,"params":{"message":"${message}"}}`)?.body.params).toEqual({
    message: 'call 1735689600000123456 or "1735689600000123456"',
  })
})

test('no text passes for a number', () => {
  expect(readFrame('{"id":"\\u00001735689600000123456"}')).toMatchObject({ id: undefined })
})

test.each(['', 'null', '[]', '7', '"x"', '{', '{"id":1.5}{'])('%j is no frame', (text) => {
  expect(readFrame(text)).toBeUndefined()
})

test.each(['{}', '{"id":null}', '{"id":{}}', '{"id":1.5}', '{"id":true}'])('%j has no id to echo', (text) => {
  expect(readFrame(text)).toMatchObject({ id: undefined })
})

test('any id survives a round trip', () => {
  const { digits, word, below } = dice(44)
  for (let turn = 0; turn < 2_000; turn++) {
    const id = below(2) ? digits(1 + below(25)) : JSON.stringify(word(0, 30))
    expect(readFrame(writeFrame(id, { method: 'irn_publish', params: { message: word(0, 9) } }))?.id).toBe(id)
  }
})
