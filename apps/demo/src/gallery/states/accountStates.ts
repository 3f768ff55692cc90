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
const several = (quiet: State): State => {
  const now = withConnection(withConnectors(withNetworks(quiet), twoFamilies))
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
      state: (quiet) => withBalance(withConnection(quiet), 1_234_567_890_123_456_789n),
    },
    named: {
      state: (quiet) => {
        const now = withBalance(withConnection(quiet), 1_500_000_000_000_000_000_000_000n)
        return {
          ...now,
          account: { ...now.account, identity: { status: 'ready', value: { name: 'alice.example.eth' } } },
        }
      },
    },
    'long content': {
      state: (quiet) => {
        const now = withBalance(withConnection(quiet), 123_456_789_012_345_678_901_234_567_890n)
        const known = networks.map((one, at) =>
          at === 0 ? { ...one, name: 'A Private Network With a Long Name' } : one,
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
      state: (quiet) => ({
        ...withConnection(quiet),
        account: { balance: { status: 'loading' }, identity: { status: 'loading' } },
      }),
    },
    error: {
      state: (quiet) => ({
        ...withConnection(quiet),
        account: { balance: { status: 'failed', error: down }, identity: { status: 'idle' } },
      }),
    },
    silent: { state: (quiet) => withBalance(withConnection(quiet, { health: 'silent' }), 250_000_000_000_000_000n) },
    unreachable: {
      state(quiet) {
        const now = withConnection(quiet)
        const { eip155 } = now.connections.byNamespace
        if (eip155?.status !== 'connected') return now
        const { health: _, ...kept } = eip155
        const error = fakeFailure('wallet/unreachable', { connectorId: eip155.connectorId })
        return {
          ...now,
          connections: { byNamespace: { eip155: { ...kept, status: 'reconnecting', error } }, others: [] },
        }
      },
    },
    reconnecting: {
      state: (quiet) => ({
        ...withConnectors(withNetworks(quiet)),
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
      state: (quiet) => withBalance(withConnection(quiet), 0n),
    },
    'disconnect failed': {
      press: 'Disconnect',
      disconnect: async () => {
        throw fakeFailure('disconnect/failed', { message: 'no response' })
      },
      state: (quiet) => withBalance(withConnection(quiet), 1n),
    },
    'copy failed': {
      press: 'Copy address',
      noClipboard: true,
      state: (quiet) => withBalance(withConnection(quiet), 42_000_000_000_000_000n),
    },
    disconnected: {},
    slots: {
      state: (quiet) => withBalance(withConnection(quiet), 3_000_000_000_000_000_000n),
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
        state: (quiet) => {
          const now = withConnection(quiet)
          return {
            ...now,
            wallets: { ...now.wallets, recent: [{ id: 'quill', name: 'Quill', rdns: 'example.quill' }] },
          }
        },
      },
      empty: {},
      'long content': {
        state: (quiet) => {
          const now = several(quiet)
          return {
            ...now,
            wallets: {
              ...now.wallets,
              connectors: now.wallets.connectors.map((one) =>
                one.id === 'example.hearth' ? { ...one, name: 'The Unreasonably Long Wallet Name' } : one,
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
