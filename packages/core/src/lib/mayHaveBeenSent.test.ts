import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { mayHaveBeenSent } from './mayHaveBeenSent.ts'

test.each([
  ['already known', true],
  ['nonce too low', true],
  ['replacement transaction underpriced', true],
  ['The request timed out', true],
  ['execution reverted', false],
])('after the failure "%s", a transaction may have been sent: %s', (message, expected) => {
  expect(mayHaveBeenSent(new LatchkeyError('wallet/failed', { message }))).toBe(expected)
})
