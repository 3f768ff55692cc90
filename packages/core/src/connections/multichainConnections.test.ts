import { expect, test } from 'vitest'
import type { ConnectorType } from '../adapter.ts'
import { fakeConnector, fakeSession } from '../testing/index.ts'
import type { LiveSession } from './liveSession.ts'
import { withMultichainConnections } from './multichainConnections.ts'

const liveSession = (namespace: 'eip155' | 'solana', id: string, type: ConnectorType): LiveSession => {
  const connector = fakeConnector({ namespace, id, type })
  const session = fakeSession(connector, { chain: `${namespace}:1`, addresses: ['0xa'] })
  return { session, off() {}, accounts: session.accounts, chain: session.chain, health: 'ok' }
}

test.each([
  ['WALLET_CONNECT', 2],
  ['AUTH', 2],
  ['ANNOUNCED', 1],
] as const)(
  'if a %s session matches, the result contains %i of the two sessions that have its connector ID',
  (type, count) => {
    const [evm, solana] = [liveSession('eip155', 'one', type), liveSession('solana', 'one', type)]
    const other = liveSession('solana', 'other', type)
    const found = withMultichainConnections([evm, solana, other], ({ namespace }) => namespace === 'eip155')
    expect(found).toEqual([evm, solana, other].slice(0, count))
  },
)
