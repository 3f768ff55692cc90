import type { LatchkeyOptions } from '@latchkey/core'
import { fakeDirectory, fakeFailure } from '@latchkey/core/testing'
import { declines } from '../failingActions.ts'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import {
  announcedConnectors,
  directoryOf,
  twoFamilies,
  unwieldy,
  withConnection,
  withConnectors,
  withNetworks,
} from '../samples.ts'

const never = new Promise<never>(() => undefined)
const legal: LatchkeyOptions = { termsUrl: 'https://app.example/terms', privacyUrl: 'https://app.example/privacy' }
const server: LatchkeyOptions = { server: 'https://connect.app.example', projectId: 'gallery' }
const down = fakeFailure('http/unreachable', { url: 'https://connect.app.example' })
/** A clock that skips delays of ten seconds or more. */
const hurried: NonNullable<LatchkeyOptions['clock']> = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms >= 10_000 ? 0 : ms)
    return () => clearTimeout(timer)
  },
}
/** A clock that skips all delays, such as the search debounce. */
const prompt: NonNullable<LatchkeyOptions['clock']> = { ...hurried, after: (_, task) => hurried.after(10_000, task) }
const bigDirectory = () => fakeDirectory({ wallets: directoryOf(512) })
const marlin = { connectorId: 'example.marlin', namespace: 'eip155' } as const

/** The views for choosing and connecting a wallet. */
export const connectStates: readonly GalleryEntry[] = [
  ...statesOf('Connect', undefined, {
    loaded: { options: { ...server, ...legal }, directory: bigDirectory() },
    recent: {
      options: server,
      directory: bigDirectory(),
      state: (initialState) => {
        const now = withConnectors(withNetworks(initialState))
        return {
          ...now,
          wallets: { ...now.wallets, recent: [{ id: 'marlin', name: 'Marlin', rdns: 'example.marlin' }] },
        }
      },
    },
    'no server': {},
    'no wallet': { options: legal, state: (initialState) => withNetworks(initialState) },
    loading: { state: (initialState) => ({ ...withNetworks(initialState), ready: false }) },
    'long content': {
      options: { ...server, customWallets: directoryOf(2) },
      directory: bigDirectory(),
      state: (initialState) => withConnectors(withNetworks(initialState), unwieldy),
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
      state: (initialState) => withNetworks(initialState),
    },
    error: {
      options: server,
      directory: fakeDirectory({ wallets: [], fails: down }),
      state: (initialState) => withNetworks(initialState),
    },
    'error on the next page': {
      options: server,
      directory: fakeDirectory({ wallets: directoryOf(90), pageSize: 6, failsLater: down }),
    },
    offline: {
      options: server,
      offline: true,
      directory: fakeDirectory({ wallets: [], fails: down }),
      state: (initialState) => withNetworks(initialState),
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
      state: (initialState) =>
        withConnectors(
          withNetworks(initialState),
          announcedConnectors.map((connector) => ({ ...connector, homepage: 'https://wallet.example/' })),
        ),
    },
    'wrong network': { connect: declines('network/unsupported') },
    error: { connect: declines('wallet/failed') },
    connected: { state: (initialState) => withConnection(initialState) },
    'long content': {
      connect: () => never,
      state: (initialState) =>
        withConnectors(
          withNetworks(initialState),
          unwieldy
            .map((connector, at) => (at === 0 ? { ...connector, id: marlin.connectorId } : connector))
            .slice(0, 4),
        ),
    },
  }),
  ...statesOf(
    'ConnectingMultiChain',
    { name: 'Lantern' },
    { loaded: { state: (initialState) => withConnectors(withNetworks(initialState), twoFamilies) }, gone: {} },
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
]
