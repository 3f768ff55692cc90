import type { Namespace } from '@latchkey/protocol/caip'
import { describe, expect, test } from 'vitest'
import type { ConnectionState } from '../latchkeyTypes.ts'
import { createRecords } from '../storage/storageSchema.ts'
import { fakeConnector, fakeSession, memoryStorage } from '../testing/index.ts'
import type { LiveSession } from './liveSession.ts'
import { clearConnected, readChain, readConnections, storeConnections } from './storedConnections.ts'

function page(entries: Readonly<Record<string, string>> = {}) {
  const storage = memoryStorage(entries)
  const records = createRecords({ storage: () => storage, log: { warn() {} } })
  return { storage, records }
}

function liveSession(id: string, addresses: readonly [string, ...string[]] = ['0xa']): LiveSession {
  const session = fakeSession(fakeConnector({ id }), { chain: 'eip155:1', addresses })
  return { session, off() {}, accounts: session.accounts, chain: session.chain, health: 'ok' }
}

const namespaces = ['eip155', 'solana'] as const
const connected: ConnectionState = {
  status: 'connected',
  connectorId: 'io.s',
  accounts: ['solana:1:s'],
  chain: 'solana:1',
  health: 'ok',
}

function store(sessions: readonly LiveSession[], more: Partial<Parameters<typeof storeConnections>[0]> = {}) {
  const { storage, records } = page({
    '@latchkey/connection_status': 'connected',
    '@latchkey/connected_namespaces': 'solana,eip155',
    '@latchkey/connections': JSON.stringify({ eip155: [{ connectorId: 'io.late', accounts: [{ address: '0xb' }] }] }),
  })
  storeConnections({
    namespace: 'eip155',
    sessions,
    namespaces,
    stateOf: (namespace: Namespace) => (namespace === 'solana' ? connected : { status: 'disconnected' }),
    isRestoring: () => false,
    records,
    ...more,
  })
  return storage.all()
}

describe('storing a namespace', () => {
  test('keeps the order of the connected namespaces, and removes duplicate addresses', () => {
    const entries = store([liveSession('io.a', ['0xA', '0xa', '0xb'])])
    expect(entries).toMatchObject({
      '@latchkey/connection_status': 'connected',
      '@latchkey/connected_namespaces': 'solana,eip155',
      '@latchkey/eip155:connected_connector_id': 'io.a',
    })
    expect(JSON.parse(entries['@latchkey/connections'] ?? '')).toEqual({
      eip155: [{ connectorId: 'io.a', accounts: [{ address: '0xa' }, { address: '0xb' }], caipNetwork: 'eip155:1' }],
    })
  })

  test('keeps stored connections that are still being restored, and removes all others', () => {
    const late = { connectorId: 'io.late', accounts: [{ address: '0xb' }] }
    const restoring = store([liveSession('io.a')], { isRestoring: (_, id) => id === 'io.late' })
    expect(JSON.parse(restoring['@latchkey/connections'] ?? '').eip155).toMatchObject([{ connectorId: 'io.a' }, late])
    expect(JSON.parse(store([])['@latchkey/connections'] ?? '').eip155).toEqual([])
  })

  test('stores the status `disconnected` if no namespace is connected', () => {
    const entries = store([], { stateOf: () => ({ status: 'disconnected' }) })
    expect(entries).toMatchObject({ '@latchkey/connection_status': 'disconnected' })
    expect(entries['@latchkey/connected_namespaces']).toBeUndefined()
  })

  test('changes nothing while the namespace’s active connection is being restored', () => {
    const stateOf = (): ConnectionState => ({
      status: 'reconnecting',
      connectorId: 'io.a',
      accounts: [],
      chain: undefined,
    })
    expect(store([], { stateOf })['@latchkey/connections']).toContain('io.late')
  })
})

describe('reading stored connections', () => {
  const entries = {
    '@latchkey/connection_status': 'connected',
    '@latchkey/eip155:connected_connector_id': 'io.b',
    '@latchkey/connections': JSON.stringify({
      eip155: [
        { connectorId: 'io.a', accounts: [{ address: '0xa' }], caipNetwork: 'eip155:10' },
        { connectorId: 'io.b', accounts: [{ address: '0xb' }], caipNetwork: 'eip155:1' },
      ],
    }),
  }
  const params = { namespaces, networks: { first: () => undefined }, reconnect: true, multiWallet: false }

  test('returns the active connector with its accounts, followed by the other connectors if multiWallet is true', () => {
    const { records } = page(entries)
    const active = { namespace: 'eip155', connectorId: 'io.b', chain: 'eip155:1', accounts: ['eip155:1:0xb'] }
    expect(readConnections({ ...params, records })).toEqual([{ ...active, connectorIds: ['io.b'] }])
    expect(readConnections({ ...params, records, multiWallet: true })).toEqual([
      { ...active, connectorIds: ['io.b', 'io.a'] },
    ])
  })

  test('returns nothing if reconnect is false or the connections have been cleared', () => {
    const { storage, records } = page(entries)
    expect(readConnections({ ...params, records, reconnect: false })).toEqual([])
    clearConnected(namespaces, records)
    expect(storage.all()).not.toHaveProperty(['@latchkey/eip155:connected_connector_id'])
    expect(readConnections({ ...params, records })).toEqual([])
  })

  test('returns a connector’s stored chain only if the host supports the chain', () => {
    const { records } = page(entries)
    const networks = { supports: (chain: string) => chain === 'eip155:10' }
    expect(readChain(fakeConnector({ id: 'io.a' }), { records, networks })).toBe('eip155:10')
    expect(readChain(fakeConnector({ id: 'io.b' }), { records, networks })).toBeUndefined()
  })
})
