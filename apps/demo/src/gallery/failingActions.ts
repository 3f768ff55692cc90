import type { Latchkey } from '@latchkey/core'
import { fakeFailure } from '@latchkey/core/testing'

/** Creates a fake `connect()` that rejects with the error `code`. */
export const declines = (
  code:
    | 'user/rejected'
    | 'wallet/unresponsive'
    | 'wallet/busy'
    | 'wallet/not-found'
    | 'network/unsupported'
    | 'wallet/failed',
): Latchkey['connect'] => {
  const failure = {
    'user/rejected': fakeFailure('user/rejected', { request: 'connect' }),
    'wallet/unresponsive': fakeFailure('wallet/unresponsive', { connectorId: 'example.marlin' }),
    'wallet/busy': fakeFailure('wallet/busy', { connectorId: 'example.marlin' }),
    'wallet/not-found': fakeFailure('wallet/not-found', { connectorId: 'example.marlin' }),
    'network/unsupported': fakeFailure('network/unsupported', { chain: 'eip155:5' }),
    'wallet/failed': fakeFailure('wallet/failed', {
      message: 'Internal JSON-RPC error: the keyring is locked by another process.',
    }),
  }[code]
  return async () => {
    throw failure
  }
}

/** Creates a fake `switchNetwork()` that rejects with the error `code`. */
export const fails = (code: Parameters<typeof declines>[0]): Latchkey['switchNetwork'] =>
  declines(code) as unknown as Latchkey['switchNetwork']
