import { expect, test } from 'vitest'
import type { Connector, Session } from '../adapter.ts'
import type { ConnectionState } from '../latchkeyTypes.ts'
import { createRecords } from '../storage/storageSchema.ts'
import { fakeLatchkey, memoryStorage } from '../testing/index.ts'
import { createConnectionActions } from './connectionActions.ts'

const connectorOf = (id: string, type: Connector['type']): Connector =>
  ({ id, name: id, type, namespace: 'eip155' }) as Connector

function actionsOf(connector: Connector, now?: ConnectionState) {
  const storage = memoryStorage()
  const records = createRecords({ storage: () => storage, log: { warn() {} } })
  const { state } = fakeLatchkey({
    state: (initial) => ({ ...initial, connections: { byNamespace: now ? { eip155: now } : {}, others: [] } }),
  })
  const calls: string[] = []
  const disconnecting: string[] = []
  const actions = createConnectionActions({
    connections: {
      async connect({ connector }) {
        calls.push(`connect ${connector.id}`)
        return {} as Session
      },
      async disconnect() {
        calls.push('disconnect')
        throw new Error('Failed to disconnect')
      },
    },
    registry: {
      find: (id) => (id === connector.id ? connector : undefined),
      some: (matches) => matches(connector),
      filter: (namespace) => calls.push(`filter ${namespace}`),
    },
    records,
    state,
    pairing: async () => ({
      async connect({ namespace }) {
        calls.push(`pair ${namespace}`)
        return {} as Session
      },
    }),
    disconnecting: (account) => disconnecting.push(account),
  })
  return { ...actions, records, calls, disconnecting }
}

test('a remote wallet is paired; any other connector connects directly', async () => {
  const remote = actionsOf(connectorOf('walletConnect', 'WALLET_CONNECT'))
  await remote.connect({ connectorId: 'walletConnect' })
  expect(remote.calls).toEqual(['pair eip155'])
  const extension = actionsOf(connectorOf('io.a', 'ANNOUNCED'))
  await extension.connect({ connectorId: 'io.a' })
  await extension.connectNamespace('io.a', { namespace: 'eip155' })
  expect(extension.calls).toEqual(['connect io.a', 'connect io.a'])
  await expect(extension.connect({ connectorId: 'io.b' })).rejects.toMatchObject({ code: 'wallet/not-found' })
  await expect(extension.connectNamespace(undefined, { namespace: 'eip155' })).rejects.toMatchObject({
    code: 'wallet/not-found',
  })
})

test('disconnecting during an outage removes the stored login, unless a different connector is specified', async () => {
  const restoring: ConnectionState = { status: 'reconnecting', connectorId: 'ID_AUTH', accounts: [], chain: undefined }
  const { disconnect, records, calls } = actionsOf(connectorOf('ID_AUTH', 'AUTH'), restoring)
  records.email.set('ada@shop.example')
  await disconnect({ connectorId: 'io.a' }).catch(() => {})
  expect(records.email.get()).toBe('ada@shop.example')
  await expect(disconnect()).rejects.toThrow('Failed to disconnect')
  expect(records.email.get()).toBeUndefined()
  expect(calls.at(-1)).toBe('filter undefined')
})

test('the app link of a remote wallet is removed once the wallet is no longer connected', async () => {
  const connector = connectorOf('walletConnect', 'WALLET_CONNECT')
  const link = { href: 'pocket://', name: 'Pocket' }
  const connected = actionsOf(connector, {
    status: 'connected',
    connectorId: 'walletConnect',
    accounts: ['eip155:1:0xab'],
    chain: 'eip155:1',
    health: 'ok',
  })
  connected.records.deepLink.set(link)
  await connected.disconnect({ namespace: 'solana' }).catch(() => {})
  expect(connected.records.deepLink.get()).toEqual(link)
  const ended = actionsOf(connector)
  ended.records.deepLink.set(link)
  await ended.disconnect().catch(() => {})
  expect(ended.records.deepLink.get()).toBeUndefined()
})

test.each([
  [undefined, true],
  [{ namespace: 'eip155' }, true],
  [{ connectorId: 'io.a' }, true],
  [{ namespace: 'solana' }, false],
  [{ connectorId: 'io.b' }, false],
] as const)(
  'disconnect(%o) reports the account of a connection only if it ends that connection',
  async (params, ends) => {
    const account = 'eip155:10:0xab'
    const common = { connectorId: 'io.a', accounts: [account], chain: 'eip155:10' } as const
    for (const now of [
      { status: 'connected', health: 'ok', ...common },
      { status: 'reconnecting', ...common },
    ] as const) {
      const { disconnect, disconnecting } = actionsOf(connectorOf('io.a', 'ANNOUNCED'), now)
      await disconnect(params).catch(() => {})
      expect(disconnecting).toEqual(ends ? [account] : [])
    }
  },
)
