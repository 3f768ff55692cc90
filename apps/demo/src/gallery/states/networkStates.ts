import { fakeFailure } from '@latchkey/core/testing'
import { fails } from '../failingActions.ts'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import { networks, twelveNetworks, withConnection, withNetworks } from '../samples.ts'

const never = new Promise<never>(() => undefined)

/** The network views. */
export const networkStates: readonly GalleryEntry[] = [
  ...statesOf('WhatIsANetwork', undefined, { loaded: {} }, 'Networks'),
  ...statesOf(
    'Networks',
    undefined,
    {
      loaded: { state: withConnection },
      'twelve networks': {
        state: (initialState) => ({
          ...withConnection(initialState),
          networks: { known: twelveNetworks, active: 'eip155:8453', namespace: 'eip155' },
        }),
      },
      'none found': { typed: 'zzz', state: (initialState) => withNetworks(initialState, twelveNetworks) },
      disabled: { canSwitch: false, state: withConnection },
      one: { state: (initialState) => withNetworks(initialState, networks.slice(0, 1)) },
      empty: { state: (initialState) => withNetworks(initialState, []) },
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
      state: (initialState) => ({
        ...withConnection(initialState),
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
]
