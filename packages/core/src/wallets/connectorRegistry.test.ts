import type { Namespace } from '@latchkey/protocol/caip'
import { expect, test } from 'vitest'
import type { Connector } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import { createStore } from '../lib/store.ts'
import { createConnectorRegistry } from './connectorRegistry.ts'

const connectorOf = (namespace: Namespace, name = 'Pocket'): Connector =>
  ({ id: 'pocket', name, type: 'ANNOUNCED', namespace }) as Connector

function registryOf(activeNamespace: Namespace | undefined) {
  const wallets = createStore<State['wallets']>({ connectors: [], filter: undefined, recent: [], excluded: [] })
  const registry = createConnectorRegistry({
    wallets,
    namespaces: ['eip155', 'solana', 'bip122'],
    activeNamespace: () => activeNamespace,
    mobile: () => false,
    listsAllWallets: true,
  })
  return { registry, wallets }
}

test('find() searches the requested namespace, or else the filtered namespace, then the active one, and then all others', () => {
  const { registry } = registryOf('solana')
  for (const namespace of ['eip155', 'solana', 'bip122'] as const) registry.add(connectorOf(namespace))
  expect(registry.find('pocket')?.namespace).toBe('solana')
  registry.filter('bip122')
  expect(registry.find('pocket')?.namespace).toBe('bip122')
  expect(registry.find('pocket', 'eip155')?.namespace).toBe('eip155')
  expect(registry.find('pocket', 'cosmos')).toBeUndefined()
  expect(registry.has('eip155', 'other')).toBe(false)
  const { registry: idle } = registryOf(undefined)
  idle.add(connectorOf('bip122'))
  expect(idle.find('pocket')?.namespace).toBe('bip122')
})

test('shown() returns the same array until the wallets change, and a connector that is added again is replaced', () => {
  const { registry, wallets } = registryOf('eip155')
  registry.add(connectorOf('eip155'))
  const rows = registry.shown()
  expect(registry.shown()).toBe(rows)
  registry.add(connectorOf('eip155', 'Pocket 2'))
  expect(registry.shown().map(({ name }) => name)).toEqual(['Pocket 2'])
  expect(wallets.get().connectors).toEqual([{ id: 'pocket', name: 'Pocket 2', type: 'ANNOUNCED', namespace: 'eip155' }])
})
