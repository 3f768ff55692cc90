import { readFrame } from '@latchkey/protocol/relay'
import { seededRandom } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { parseClientMessage } from './parseClientMessage.ts'

/** Returns what handlers use: the ID as text, and the body without its `id`, which can be altered by parsing. */
function used(frame: ReturnType<typeof readFrame>) {
  if (!frame) return undefined
  const { id: _, ...body } = frame.body
  return { id: frame.id, body }
}

test.each([
  '{"id":1735689600000123456,"jsonrpc":"2.0","result":true}',
  '{"id":1735689600000123,"jsonrpc":"2.0","result":true}',
  '{"id":7,"method":"irn_publish","params":{"ttl":300}}',
  '{"id":7,"method":"irn_publish","params":{"ttl":1735689600000123456}}',
  '{"id":7, "method":"x"}',
  '{"id":7,"method":"x"}trailing',
  '{"id":7,}',
  '{"id":7}',
  '{"id":1735689600000123456,"message":"\\u0000"}',
  '{"id":07,"method":"x"}',
  '{"id":-7,"method":"x"}',
  '{"id":7.5,"method":"x"}',
  '{"id":7e3,"method":"x"}',
  '{"id":"7","method":"x"}',
  '{"id":7,"id":8}',
  '{"id":7,"id":1735689600000123456}',
  '{"id":7,"\\u0069d":8}',
  '{"id":7,"__proto__":{"id":8},"method":"x"}',
  '{"id":7,"method":"x"',
  '{"id":7,7}',
  '[{"id":7,"method":"x"}]',
  '',
])('reads %s like the general parser', (text) => {
  expect(used(parseClientMessage(text))).toEqual(used(readFrame(text)))
})

test('reads frames with random changes like the general parser', () => {
  const { int: below } = seededRandom(7)
  const letters = '{}[]",: \\0179-eidx'
  for (let turn = 0; turn < 5_000; turn++) {
    let text = `{"id":${'1735689600000123456'.slice(0, 1 + below(19))},"jsonrpc":"2.0","params":{"ttl":${below(2) ? 300 : '"1735689600000123456"'}}}`
    for (let change = below(4); change > 0; change--) {
      const at = below(text.length)
      text = text.slice(0, at) + letters[below(letters.length)] + text.slice(at + below(2))
    }
    expect(used(parseClientMessage(text)), text).toEqual(used(readFrame(text)))
  }
})
