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
  ['Transaction was sent, but not enough confirmations were received', true],
  ['insufficient confirmations', true],
  ['could not read the receipt: execution reverted', true],
  ['Transaction has been reverted by the EVM: {"blockHash":"0x1","status":false}', true],
  ['Failed to broadcast: insufficient peers', true],
  ['Broadcast failed: unsupported response', true],
  ['the method eth_getTransactionReceipt is not supported', true],
  ['the method eth_getTransactionByHash does not exist: invalid params', true],
  ['insufficient resources', true],
  ['net::ERR_BLOCKED_BY_CLIENT', true],
  ['The response was blocked by CORS policy', true],
  ['Transaction was not mined within 50 blocks: invalid input', true],
  ['The transaction was submitted, but it is not supported to wait for it', true],
  ['AlreadyKnown: invalid sender', true],
  ['execution reverted', false],
  ['INSUFFICIENT_OUTPUT_AMOUNT', false],
  ['Insufficient SOL balance', false],
  ['You do not have enough ETH: not enough ETH for the fee', false],
  ['MetaMask is locked', false],
  ['insufficient funds for gas * price + value', false],
  ['intrinsic gas too low', false],
  ['ERC20: transfer amount exceeds balance', false],
  ['Invalid amount.', false],
])('after the failure "%s", whether the transaction may have been sent: %s', (message, expected) => {
  expect(mayHaveBeenSent(new LatchkeyError('wallet/failed', { message }))).toBe(expected)
})
