import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { describe, expect, test } from 'vitest'
import { toWalletError, wantsChainAdded, wasRejected } from './walletErrors.ts'

const about = { request: 'personal_sign', connectorId: 'io.wallet' }

describe('converting wallet errors', () => {
  const loop: { message: string; cause?: unknown } = { message: 'round' }
  loop.cause = loop
  const hostile = Object.defineProperty({}, 'code', {
    get: () => {
      throw new Error('gotcha')
    },
  })

  test.each<[string, unknown, string]>([
    ['a rejection with the EIP-1193 code', { code: 4001, message: 'no' }, 'user/rejected'],
    ['a rejection with the code as a string', { code: '4001', message: 'no' }, 'user/rejected'],
    [
      'a rejection from ethers',
      { code: 'ACTION_REJECTED', message: 'user rejected action', info: { error: { code: 4001 } } },
      'user/rejected',
    ],
    ['the code ACTION_REJECTED without a message', { code: 'ACTION_REJECTED' }, 'user/rejected'],
    ['our own code for a rejection', { code: 'user/rejected' }, 'user/rejected'],
    ['a rejection message with the code -32000', { code: -32000, message: 'User rejected' }, 'user/rejected'],
    ['a rejection message with a different code', { code: 4200, message: 'User rejected' }, 'wallet/unsupported'],
    ['a rejection nested in info', { code: 'UNKNOWN_ERROR', info: { error: { code: 4001 } } }, 'user/rejected'],
    [
      'a rejection nested in data',
      { code: -32603, message: 'Internal', data: { originalError: { code: 4001 } } },
      'user/rejected',
    ],
    [
      'a rejection message with the code -32603',
      { code: -32603, message: 'MetaMask Tx Signature: User denied transaction signature.' },
      'user/rejected',
    ],
    ['the message "Cancelled"', new Error('Cancelled'), 'user/rejected'],
    ['a rejection as a plain string', 'User rejected the request.', 'user/rejected'],
    ['the message "Request rejected by user"', { message: 'Request rejected by user' }, 'user/rejected'],
    ['a pending prompt', { code: -32002, message: 'Already processing eth_requestAccounts' }, 'wallet/busy'],
    // Nodes use the same codes for errors that occur after the request was sent.
    [
      'a user operation that the bundler already has',
      { code: -32000, message: 'replacement user operation rejected: already known' },
      'wallet/failed',
    ],
    ['a timeout with the code of a pending prompt', { code: -32002, message: 'request timed out' }, 'wallet/failed'],
    [
      'a missing method for the receipt',
      {
        code: -32603,
        message: 'Internal error',
        data: { code: -32601, message: 'eth_getTransactionReceipt not found' },
      },
      'wallet/failed',
    ],
    ['an unauthorized error', { code: 4100, message: 'Unauthorized' }, 'wallet/not-authorized'],
    ['an unsupported method', { code: 4200, message: 'no such thing' }, 'wallet/unsupported'],
    ['a method that is not found', { code: -32601, message: 'no such method' }, 'wallet/unsupported'],
    ['a disconnected provider', { code: 4900, message: 'gone' }, 'wallet/unresponsive'],
    ['an abort', new DOMException('stop', 'AbortError'), 'request/aborted'],
    ['any other error', new Error('boom'), 'wallet/failed'],
    ['undefined', undefined, 'wallet/failed'],
    ['a circular error', loop, 'wallet/failed'],
    ['an error that throws when read', hostile, 'wallet/failed'],
    [
      'a different message with the code -32603',
      { code: -32603, message: 'insufficient funds for gas' },
      'wallet/failed',
    ],
  ])('converts %s', (_, thrown, code) => {
    expect(toWalletError(thrown, about)).toMatchObject({ name: 'LatchkeyError', code })
  })

  test.each<[string, unknown]>([
    ['an object with one of our codes', { code: 'wallet/failed', details: null, message: 'boom' }],
    ['an object with our abort code', { code: 'request/aborted', details: undefined, message: 'boom' }],
    ['a code that is not a string', { code: { toString: () => 'wallet/busy' }, details: {}, message: 'boom' }],
    [
      'an object that throws on inspection',
      new Proxy(
        {},
        {
          has: () => {
            throw new Error('gotcha')
          },
          getPrototypeOf: () => {
            throw new Error('gotcha')
          },
        },
      ),
    ],
  ])('does not accept %s from a wallet as a LatchkeyError', (_, thrown) => {
    const error = toWalletError(thrown, about)
    expect(error).toBeInstanceOf(LatchkeyError)
    expect(error).toMatchObject({ code: 'wallet/failed', details: { message: expect.any(String) } })
  })

  test('returns a LatchkeyError unchanged', () => {
    const ours = new LatchkeyError('wallet/busy', { connectorId: 'x' })
    expect(toWalletError(ours, about)).toBe(ours)
  })

  test.each<[string, string]>([
    ['\u202eyenom ruoy dnes\u2066', 'yenom ruoy dnes'],
    ['two\n\n\nlines\u0000', 'two lines'],
    ['\u200b\u2028', 'It gave no reason.'],
    ['x'.repeat(10_000), 'x'.repeat(500)],
  ])('removes control characters from wallet messages: %o', (message, shown) => {
    expect(toWalletError({ message }, about)).toMatchObject({ details: { message: shown } })
  })

  test('sets the original error as the cause', () => {
    const thrown = { code: 4001 }
    expect(toWalletError(thrown, about).cause).toBe(thrown)
  })
})

describe('detecting a chain that must be added', () => {
  test.each<[string, unknown, boolean]>([
    ['is true for the code 4902', { code: 4902 }, true],
    ['is true for a nested code 4902', { code: -32603, data: { originalError: { code: 4902 } } }, true],
    ['is true for the code 5000', { code: 5000 }, true],
    ['is true for the code 32603', { code: 32603 }, true],
    ['is true for a message about an unrecognized chain', { message: 'Unrecognized chain ID "0x7a69"' }, true],
    ['is false for a rejection', { code: 4001 }, false],
    ['is false for a rejection with the code -32603', { code: -32603, message: 'User rejected the request.' }, false],
    ['is false for an unsupported method', { code: 4200 }, false],
    ['is false for any other message', { message: 'insufficient funds for gas' }, false],
  ])('%s', (_, thrown, adds) => {
    expect(wantsChainAdded(thrown)).toBe(adds)
  })

  test('an unrecognized chain is not a rejection', () => {
    expect(wasRejected({ code: 4902 })).toBe(false)
  })
})
