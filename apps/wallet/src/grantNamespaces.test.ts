import { expect, test } from 'vitest'
import { grantNamespaces } from './grantNamespaces.ts'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'

const account = { evm: { address: '0x1' }, solana: { address: 's' } } as unknown as Account
const mainnet: Network = {
  id: 'eip155:1',
  name: 'Ethereum',
  rpcUrl: 'https://rpc.example',
  currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
}
const requested = (chains: readonly string[]) => ({ eip155: { chains, methods: ['personal_sign'], events: [] } })

test.each<[requested: string, chains: readonly string[], networks: readonly Network[], sentence: string]>([
  ['an unsupported network', ['eip155:5'], [mainnet], 'The page uses eip155:5, but this wallet supports Ethereum.'],
  [
    'many unsupported networks',
    ['eip155:5', 'eip155:6', 'eip155:7', 'eip155:8', 'eip155:9'],
    [mainnet],
    'The page uses eip155:5, eip155:6, eip155:7, eip155:8 and others, but this wallet supports Ethereum.',
  ],
  ['no networks', [], [mainnet], 'The page did not request any networks.'],
  [
    'a network from a wallet that has no networks',
    ['eip155:1'],
    [],
    'The page uses eip155:1, but this wallet supports no networks.',
  ],
])('a page that requests %s is refused with a user-facing reason', (_, chains, networks, sentence) => {
  const grant = grantNamespaces(
    { requiredNamespaces: {}, optionalNamespaces: requested(chains) },
    { account, networks },
  )
  expect(grant).toMatchObject({ because: sentence })
})
