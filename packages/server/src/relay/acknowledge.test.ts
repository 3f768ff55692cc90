import { expect, test } from 'vitest'
import { acknowledgedId } from './acknowledge.ts'

test('reads the ID of an acknowledgement as text, because it can exceed the range of safe integers', () => {
  expect(acknowledgedId('{"id":1763942400000000123,"jsonrpc":"2.0","result":true}')).toBe('1763942400000000123')
  expect(acknowledgedId(Buffer.from('{"id":0,"jsonrpc":"2.0","result":true}'))).toBe('0')
})

test.each([
  '{"id":01,"jsonrpc":"2.0","result":true}',
  '{"id":"1","jsonrpc":"2.0","result":true}',
  '{"id":1,"jsonrpc":"2.0","result":true,"error":{}}',
  '{"id":1,"jsonrpc":"2.0","result":true} ',
  '{"id":1,"id":2,"jsonrpc":"2.0","result":true}',
  '{"id":1,"jsonrpc":"2.0","error":{}}',
  '{"id":1,"jsonrpc":"2.0","method":"irn_publish"}',
  `{"id":${'1'.repeat(100)},"jsonrpc":"2.0","result":true}`,
])('leaves other frames to the parser: %s', (frame) => {
  expect(acknowledgedId(frame)).toBeUndefined()
})
