import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import type { State } from '../latchkeyTypes.ts'
import { createStore } from '../lib/store.ts'
import { fakeConnector, fakeSession } from '../testing/index.ts'
import { createConnectionSlice } from './connectionSlice.ts'
import type { LiveSession } from './liveSession.ts'

function liveSession(id: string, type: 'ANNOUNCED' | 'AUTH' = 'ANNOUNCED'): LiveSession {
  const session = fakeSession(fakeConnector({ id, type }), { chain: 'eip155:1', addresses: [`0x${id}`] })
  return { session, off() {}, accounts: session.accounts, chain: session.chain, health: 'ok' }
}

function slice(sessions: readonly LiveSession[], listed?: 'eip155:1') {
  const state = createStore<State['connections']>({ byNamespace: {}, others: [] })
  const activated: string[] = []
  const made = createConnectionSlice({
    state,
    live: new Map([['eip155', sessions]]),
    networks: { activate: (chain) => activated.push(chain), first: () => 'eip155:99', listed: () => listed },
    accountTypes: () => ({ eip155: 'smartAccount' }),
    active: () => 'eip155',
  })
  return { ...made, state, activated }
}

test('the first live session becomes its namespace’s connection, and the rest are listed as other connections', () => {
  const { update, state } = slice([liveSession('a'), liveSession('b')])
  update('eip155')
  expect(state.get()).toMatchObject({
    byNamespace: { eip155: { status: 'connected', connectorId: 'a', accounts: ['eip155:1:0xa'], chain: 'eip155:1' } },
    others: [{ namespace: 'eip155', connectorId: 'b', accounts: ['eip155:1:0xb'] }],
  })
})

test('the embedded wallet’s connection includes account types, but other wallets’ connections do not', () => {
  const [embedded, extension] = [slice([liveSession('a', 'AUTH')]), slice([liveSession('a')])]
  embedded.update('eip155')
  extension.update('eip155')
  expect(embedded.get('eip155')).toMatchObject({ details: { preferredAccountTypes: { eip155: 'smartAccount' } } })
  expect(extension.get('eip155')).toMatchObject({ details: undefined })
})

test('if a namespace has no session, its state is set to disconnected with the error, and one of the host’s networks becomes active', () => {
  const { update, get, activated } = slice([], 'eip155:1')
  const error = new LatchkeyError('request/aborted')
  update('eip155', error)
  expect(get('eip155')).toEqual({ status: 'disconnected', error })
  expect(activated).toEqual(['eip155:1'])
  expect(get('solana')).toEqual({ status: 'disconnected' })
})
