import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { mayHaveBeenSent } from './mayHaveBeenSent.ts'

test.each([
  ['already known', true],
  ['nonce too low', true],
  ['replacement transaction underpriced', true],
  ['The request timed out', true],
  ['Internal JSON-RPC error.', true],
  ['Failed to fetch', true],
  ['Invalid JSON RPC response', true],
  ['It gave no reason.', true],
  ['execution reverted', false],
  ['insufficient funds for gas * price + value', false],
  ['intrinsic gas too low', false],
  ['ERC20: transfer amount exceeds balance', false],
  ['Invalid amount.', false],
])('after the failure "%s", a transaction may have been sent: %s', (message, expected) => {
  expect(mayHaveBeenSent(new LatchkeyError('wallet/failed', { message }))).toBe(expected)
})
