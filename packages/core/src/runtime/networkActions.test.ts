import { expect, test } from 'vitest'
import type { Network } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import { createStore } from '../lib/store.ts'
import { createNetworkChanges } from '../networks/addAndRemoveNetworks.ts'
import { createNetworks } from '../networks/networks.ts'
import { fakeAdapter, fakeLatchkey, fakeNetwork } from '../testing/index.ts'
import { createNetworkActions } from './networkActions.ts'

function actionsOf() {
  const known = [fakeNetwork('eip155:1'), fakeNetwork('eip155:10')]
  const { state } = fakeLatchkey({
    state: (initial) => ({ ...initial, networks: { known, active: 'eip155:1', namespace: 'eip155' } }),
  })
  const networksState = createStore<State['networks']>(state.get().networks)
  const adapters = [fakeAdapter({ networks: known })]
  const calls: unknown[] = []
  const actions = createNetworkActions({
    networks: createNetworks({ state: networksState, adapters, store() {} }),
    changes: createNetworkChanges({ state: networksState, adapters }),
    connections: {
      session: () => undefined,
      switchNetwork: async ({ caipNetworkId }: Network) => void calls.push(caipNetworkId),
    },
    state,
    notifications: { alert: ({ code }) => calls.push(code) },
    modal: { show: ({ view }) => calls.push(view) },
  })
  return { ...actions, calls }
}

test('switchNetwork() switches to a network that the host supports, and reports any other network to the developer', async () => {
  const { switchNetwork, calls } = actionsOf()
  await switchNetwork('eip155:10')
  await expect(switchNetwork('eip155:999')).rejects.toMatchObject({ code: 'network/not-found' })
  expect(calls).toEqual(['eip155:10', 'network/not-found'])
})

test('selecting a network opens the view that switches to it, unless the network is already active', () => {
  const { pickNetwork, calls } = actionsOf()
  pickNetwork('eip155:1')
  pickNetwork('eip155:10')
  expect(calls).toEqual(['SwitchNetwork'])
})

test('network() returns the active network if it belongs to the namespace, and otherwise the namespace’s first network, if any', () => {
  const { network } = actionsOf()
  expect(network()?.caipNetworkId).toBe('eip155:1')
  expect(network('eip155')?.caipNetworkId).toBe('eip155:1')
  expect(network('solana')).toBeUndefined()
})
