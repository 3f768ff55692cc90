import { expect, test } from 'vitest'
import type { Network } from '../adapter.ts'
import { directoryChains } from './directoryChains.ts'

const network = (caipNetworkId: Network['caipNetworkId'], testnet = false): Network => ({
  id: caipNetworkId,
  name: caipNetworkId,
  nativeCurrency: { name: 'Coin', symbol: 'C', decimals: 18 },
  rpcUrls: {},
  chainNamespace: caipNetworkId.split(':')[0] as Network['chainNamespace'],
  caipNetworkId,
  testnet,
})

test('test networks are replaced by the main network of their chain family [R7.3]', () => {
  expect(directoryChains([network('eip155:31337', true), network('eip155:31338', true)])).toEqual(['eip155:1'])
  expect(directoryChains([network('eip155:10'), network('eip155:11155420', true)])).toEqual(['eip155:10', 'eip155:1'])
  expect(directoryChains([network('cosmos:local-1', true)])).toEqual(['cosmos:local-1'])
  expect(directoryChains([])).toEqual([])
})
