import { expect, test } from 'vitest'
import { seededRandom } from '../testing/seededRandom.ts'
import { readFrame, writeFrame } from './jsonRpc.ts'

test.each([
  ['a number', '{"id":7,"jsonrpc":"2.0","method":"x"}', '7'],
  ['a number above 2^53', '{"id":1735689600000123456,"jsonrpc":"2.0"}', '1735689600000123456'],
  ['a string of digits', '{"id":"1735689600000123456","jsonrpc":"2.0"}', '"1735689600000123456"'],
  ['a number at the end', '{"method":"x","id":1735689600000123456}', '1735689600000123456'],
  ['a string with a quote', '{"id":"a\\"b"}', '"a\\"b"'],
])('the ID is preserved exactly: %s', (_, text, id) => {
  const frame = readFrame(text)
  expect(frame?.id).toBe(id)
  expect(writeFrame(frame?.id ?? '', { result: true })).toBe(`{"id":${id},"jsonrpc":"2.0","result":true}`)
})

test('digits inside a string are left unchanged', () => {
  const message = 'call 1735689600000123456 or \\"1735689600000123456\\"'
  expect(readFrame(`{"id":1,"params":{"message":"${message}"}}`)?.body.params).toEqual({
    message: 'call 1735689600000123456 or "1735689600000123456"',
  })
})

test('a string that looks like a marked number is not mistaken for a number', () => {
  expect(readFrame('{"id":"\\u00001735689600000123456"}')).toMatchObject({ id: undefined })
})

test.each(['', 'null', '[]', '7', '"x"', '{', '{"id":1.5}{'])('%j is not a frame', (text) => {
  expect(readFrame(text)).toBeUndefined()
})

test.each(['{}', '{"id":null}', '{"id":{}}', '{"id":1.5}', '{"id":true}'])('%j has no valid ID', (text) => {
  expect(readFrame(text)).toMatchObject({ id: undefined })
})

test.each([
  ['an unterminated string', `"${'\\"'.repeat(1_000_000)}`],
  ['an unterminated string with a line break', `"${'\\"'.repeat(1_000_000)}\\\n`],
  ['an endless number', `${'1'.repeat(2_000_000)}e`],
])('a frame is parsed in linear time: %s', (_, text) => {
  const from = performance.now()
  expect(readFrame(`[1234567890123456,${text}`)).toBeUndefined()
  expect(performance.now() - from).toBeLessThan(5_000)
})

test('a fraction with many digits is parsed as a number', () => {
  expect(readFrame('{"id":1,"params":[0.12500000000000000000,1e1,12500000000000000e-15]}')?.body.params).toEqual([
    0.125, 10, 12.5,
  ])
})

test('any ID survives a round trip', () => {
  const { digits, word, int } = seededRandom(44)
  for (let turn = 0; turn < 2_000; turn++) {
    const id = int(2) ? digits(1 + int(25)) : JSON.stringify(word(0, 30))
    expect(readFrame(writeFrame(id, { method: 'irn_publish', params: { message: word(0, 9) } }))?.id).toBe(id)
  }
})

test('an invalid ID is undefined, whatever else the frame contains', () => {
  expect(readFrame('{"id":{"toString":"x"},"params":"\\u0000"}')).toMatchObject({ id: undefined })
})
