import type { State } from '@latchkey/core'
import { fakeFailure } from '@latchkey/core/testing'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import {
  address,
  networks,
  twoFamilies,
  withBalance,
  withConnection,
  withConnectors,
  withNetworks,
} from '../samples.ts'

const never = new Promise<never>(() => undefined)
const down = fakeFailure('http/unreachable', { url: 'https://connect.app.example' })
const several = (initialState: State): State => {
  const now = withConnection(withConnectors(withNetworks(initialState), twoFamilies))
  return {
    ...now,
    wallets: { ...now.wallets, connectors: twoFamilies },
    connections: {
      ...now.connections,
      others: [
        {
          namespace: 'eip155',
          connectorId: 'example.hearth',
          accounts: ['eip155:1:0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C'],
        },
        {
          namespace: 'solana',
          connectorId: 'example.lantern',
          accounts: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'],
        },
      ],
    },
  }
}

/** The account views. */
export const accountStates: readonly GalleryEntry[] = [
  ...statesOf('Account', undefined, {
    loaded: {
      options: { multiWallet: true },
      state: (initialState) => withBalance(withConnection(initialState), 1_234_567_890_123_456_789n),
    },
    named: {
      state: (initialState) => {
        const now = withBalance(withConnection(initialState), 1_500_000_000_000_000_000_000_000n)
        return {
          ...now,
          account: { ...now.account, identity: { status: 'ready', value: { name: 'alice.example.eth' } } },
        }
      },
    },
    'long content': {
      state: (initialState) => {
        const now = withBalance(withConnection(initialState), 123_456_789_012_345_678_901_234_567_890n)
        const known = networks.map((network, at) =>
          at === 0 ? { ...network, name: 'A Private Network With a Long Name' } : network,
        )
        return {
          ...now,
          networks: { ...now.networks, known },
          account: {
            ...now.account,
            identity: { status: 'ready', value: { name: 'a-very-long-name-that-goes-on.and-on.example.eth' } },
          },
        }
      },
    },
    loading: {
      state: (initialState) => ({
        ...withConnection(initialState),
        account: { balance: { status: 'loading' }, identity: { status: 'loading' } },
      }),
    },
    error: {
      state: (initialState) => ({
        ...withConnection(initialState),
        account: { balance: { status: 'failed', error: down }, identity: { status: 'idle' } },
      }),
    },
    silent: {
      state: (initialState) =>
        withBalance(withConnection(initialState, { health: 'silent' }), 250_000_000_000_000_000n),
    },
    unreachable: {
      state(initialState) {
        const now = withConnection(initialState)
        const { eip155 } = now.connections.byNamespace
        if (eip155?.status !== 'connected') return now
        const { health: _, ...connection } = eip155
        const error = fakeFailure('wallet/unreachable', { connectorId: eip155.connectorId })
        return {
          ...now,
          connections: { byNamespace: { eip155: { ...connection, status: 'reconnecting', error } }, others: [] },
        }
      },
    },
    reconnecting: {
      state: (initialState) => ({
        ...withConnectors(withNetworks(initialState)),
        connections: {
          byNamespace: {
            eip155: {
              status: 'reconnecting',
              connectorId: 'example.marlin',
              accounts: [`eip155:1:${address}`],
              chain: 'eip155:1',
            },
          },
          others: [],
        },
      }),
    },
    disconnecting: {
      press: 'Disconnect',
      disconnect: () => never,
      state: (initialState) => withBalance(withConnection(initialState), 0n),
    },
    'disconnect failed': {
      press: 'Disconnect',
      disconnect: async () => {
        throw fakeFailure('disconnect/failed', { message: 'no response' })
      },
      state: (initialState) => withBalance(withConnection(initialState), 1n),
    },
    'copy failed': {
      press: 'Copy address',
      noClipboard: true,
      state: (initialState) => withBalance(withConnection(initialState), 42_000_000_000_000_000n),
    },
    disconnected: {},
    slots: {
      state: (initialState) => withBalance(withConnection(initialState), 3_000_000_000_000_000_000n),
      slots: {
        accountRows: [{ key: 'orders', label: 'My orders', detail: 'Two on their way', onClick: () => undefined }],
        accountGroups: [
          {
            key: 'club',
            label: 'Club',
            rows: [{ key: 'points', label: 'Points', detail: '1,240', href: 'https://app.example/points' }],
          },
        ],
      },
    },
  }),
  ...statesOf(
    'ProfileWallets',
    undefined,
    {
      one: { state: withConnection },
      many: { state: several },
      recent: {
        state: (initialState) => {
          const now = withConnection(initialState)
          return {
            ...now,
            wallets: { ...now.wallets, recent: [{ id: 'quill', name: 'Quill', rdns: 'example.quill' }] },
          }
        },
      },
      empty: {},
      'long content': {
        state: (initialState) => {
          const now = several(initialState)
          return {
            ...now,
            wallets: {
              ...now.wallets,
              connectors: now.wallets.connectors.map((connector) =>
                connector.id === 'example.hearth'
                  ? { ...connector, name: 'The Unreasonably Long Wallet Name' }
                  : connector,
              ),
            },
          }
        },
      },
    },
    'Account',
  ),
  ...statesOf(
    'WalletReceive',
    undefined,
    {
      loaded: { state: withConnection },
      copied: { state: withConnection, press: 'Copy address' },
      'copy failed': { state: withConnection, press: 'Copy address', noClipboard: true },
      disconnected: {},
    },
    'Account',
  ),
]
