import type { Latchkey, LatchkeyOptions, State } from '@latchkey/core'
import { fakeDirectory, fakeFailure } from '@latchkey/core/testing'
import { type GalleryEntry, statesOf } from './galleryEntry.ts'
import { loginStates } from './loginStates.ts'
import { pairingStates } from './pairingStates.ts'
import {
  address,
  announcedConnectors,
  directoryOf,
  networks,
  twelveNetworks,
  twoFamilies,
  unwieldy,
  withBalance,
  withConnection,
  withConnectors,
  withNetworks,
} from './samples.ts'
import { signInStates } from './signInStates.ts'
import { smartSessionStates } from './smartSessionStates.ts'

const never = new Promise<never>(() => undefined)
const legal: LatchkeyOptions = { termsUrl: 'https://app.example/terms', privacyUrl: 'https://app.example/privacy' }
const server: LatchkeyOptions = { server: 'https://connect.app.example', projectId: 'gallery' }
const down = fakeFailure('http/unreachable', { url: 'https://connect.app.example' })
/** A clock that skips delays of ten seconds and keeps shorter delays. */
const hurried: NonNullable<LatchkeyOptions['clock']> = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms >= 10_000 ? 0 : ms)
    return () => clearTimeout(timer)
  },
}

/** A clock that skips all delays, such as the search debounce. */
const prompt: NonNullable<LatchkeyOptions['clock']> = { ...hurried, after: (_, task) => hurried.after(10_000, task) }

const declines = (
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
const fails = (code: Parameters<typeof declines>[0]) => declines(code) as unknown as Latchkey['switchNetwork']

const bigDirectory = () => fakeDirectory({ wallets: directoryOf(512) })
const marlin = { connectorId: 'example.marlin', namespace: 'eip155' } as const
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

/** Every view in every state. Used by the screenshot, axe and translation checks. */
export const galleryStates: readonly GalleryEntry[] = [
  ...statesOf('Connect', undefined, {
    loaded: { options: { ...server, ...legal }, directory: bigDirectory() },
    recent: {
      options: server,
      directory: bigDirectory(),
      state: (quiet) => {
        const now = withConnectors(withNetworks(quiet))
        return {
          ...now,
          wallets: { ...now.wallets, recent: [{ id: 'marlin', name: 'Marlin', rdns: 'example.marlin' }] },
        }
      },
    },
    'no server': {},
    'no wallet': { options: legal, state: (quiet) => withNetworks(quiet) },
    loading: { state: (quiet) => ({ ...withNetworks(quiet), ready: false }) },
    'long content': {
      options: { ...server, customWallets: directoryOf(2) },
      directory: bigDirectory(),
      state: (quiet) => withConnectors(withNetworks(quiet), unwieldy),
    },
    'directory down': { options: server, directory: fakeDirectory({ wallets: [], fails: down }) },
    disabled: { options: { ...server, ...legal, features: { legalCheckbox: true } }, directory: bigDirectory() },
    collapsed: { options: { ...legal, features: { collapseWallets: true } } },
    slots: {
      slots: {
        connectRows: [{ key: 'guest', label: 'Continue as a guest', onClick: () => undefined }],
        connectGroups: [
          {
            key: 'help',
            label: 'Help',
            rows: [{ key: 'faq', label: 'Questions and answers', href: 'https://app.example/faq' }],
          },
        ],
        disclaimer: 'Bakery never sees your keys.',
      },
    },
  }),
  ...statesOf('ConnectWallets', undefined, {
    loaded: { options: { ...server, ...legal }, directory: bigDirectory() },
    disabled: { options: { ...legal, features: { legalCheckbox: true } } },
  }),
  ...statesOf('AllWallets', undefined, {
    loaded: { options: server, directory: bigDirectory() },
    loading: {
      options: server,
      directory: fakeDirectory({ wallets: [], silent: true }),
      state: (quiet) => withNetworks(quiet),
    },
    error: {
      options: server,
      directory: fakeDirectory({ wallets: [], fails: down }),
      state: (quiet) => withNetworks(quiet),
    },
    'error on the next page': {
      options: server,
      directory: fakeDirectory({ wallets: directoryOf(90), pageSize: 6, failsLater: down }),
    },
    offline: {
      options: server,
      offline: true,
      directory: fakeDirectory({ wallets: [], fails: down }),
      state: (quiet) => withNetworks(quiet),
    },
    search: { options: { ...server, clock: prompt }, directory: bigDirectory(), typed: 'amb' },
    'none found': { options: { ...server, clock: prompt }, directory: bigDirectory(), typed: 'no match' },
    'no server': {},
    disabled: { options: { ...server, ...legal, features: { legalCheckbox: true } }, directory: bigDirectory() },
  }),
  ...statesOf('ConnectingExternal', marlin, {
    waiting: { connect: () => never },
    slow: { connect: () => never, options: { clock: hurried } },
    declined: { connect: declines('user/rejected') },
    'no response': { connect: declines('wallet/unresponsive') },
    busy: { connect: declines('wallet/busy') },
    'not installed': {
      connect: declines('wallet/not-found'),
      state: (quiet) =>
        withConnectors(
          withNetworks(quiet),
          announcedConnectors.map((one) => ({ ...one, homepage: 'https://wallet.example/' })),
        ),
    },
    'wrong network': { connect: declines('network/unsupported') },
    error: { connect: declines('wallet/failed') },
    connected: { state: (quiet) => withConnection(quiet) },
    'long content': {
      connect: () => never,
      state: (quiet) =>
        withConnectors(
          withNetworks(quiet),
          unwieldy.map((one, at) => (at === 0 ? { ...one, id: marlin.connectorId } : one)).slice(0, 4),
        ),
    },
  }),
  ...statesOf(
    'ConnectingMultiChain',
    { name: 'Lantern' },
    { loaded: { state: (quiet) => withConnectors(withNetworks(quiet), twoFamilies) }, gone: {} },
  ),
  ...statesOf(
    'Downloads',
    {
      wallet: {
        ...(directoryOf(2)[1] as NonNullable<ReturnType<typeof directoryOf>[number]>),
        webapp_link: 'https://wallet.example/app',
      },
    },
    { loaded: { options: server, directory: bigDirectory() } },
  ),
  ...statesOf('Downloads', { wallet: { id: 'none', name: 'A Wallet Without Any Links at All' } }, { empty: {} }),
  ...statesOf('GetWallet', undefined, {
    loaded: { options: server, directory: bigDirectory() },
    loading: { options: server, directory: fakeDirectory({ wallets: [], silent: true }) },
    'no server': {},
  }),
  ...statesOf('WhatIsAWallet', undefined, { loaded: {} }),
  ...statesOf('WhatIsANetwork', undefined, { loaded: {} }, 'Networks'),
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
    'Networks',
    undefined,
    {
      loaded: { state: withConnection },
      'twelve networks': {
        state: (quiet) => ({
          ...withConnection(quiet),
          networks: { known: twelveNetworks, active: 'eip155:8453', namespace: 'eip155' },
        }),
      },
      'none found': { typed: 'zzz', state: (quiet) => withNetworks(quiet, twelveNetworks) },
      disabled: { canSwitch: false, state: withConnection },
      one: { state: (quiet) => withNetworks(quiet, networks.slice(0, 1)) },
      empty: { state: (quiet) => withNetworks(quiet, []) },
    },
    'Account',
  ),
  ...statesOf(
    'SwitchNetwork',
    { network: 'eip155:8453' },
    {
      waiting: { state: withConnection, switchNetwork: () => never },
      declined: { state: withConnection, switchNetwork: fails('user/rejected') },
      unsupported: { state: withConnection, switchNetwork: fails('network/unsupported') },
      'no response': { state: withConnection, switchNetwork: fails('wallet/unresponsive') },
      busy: { state: withConnection, switchNetwork: fails('wallet/busy') },
      error: { state: withConnection, switchNetwork: fails('wallet/failed') },
    },
    'Networks',
  ),
  ...statesOf('SwitchActiveChain', { namespace: 'solana' }, { loaded: { state: withConnection } }, 'Networks'),
  ...statesOf('UnsupportedChain', undefined, {
    loaded: { state: withConnection },
    'twelve networks': {
      state: (quiet) => ({
        ...withConnection(quiet),
        networks: { known: twelveNetworks, active: 'eip155:5', namespace: 'eip155' },
      }),
    },
    disconnecting: { press: 'Disconnect', disconnect: () => never, state: withConnection },
    'disconnect failed': {
      press: 'Disconnect',
      disconnect: async () => {
        throw fakeFailure('disconnect/failed', { message: 'no response' })
      },
      state: withConnection,
    },
  }),
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
  ...pairingStates,
  ...loginStates,
  ...smartSessionStates,
  ...signInStates,
]
