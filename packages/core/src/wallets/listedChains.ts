import type { ChainId } from '@latchkey/protocol/caip'
import type { Network } from '../adapter.ts'

/** The main network of a family: what wallets that work with the family are listed for. */
const mainOf: Readonly<Record<string, ChainId>> = {
  eip155: 'eip155:1',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  bip122: 'bip122:000000000019d6689c085ae165831e93',
}

/**
 * The chains to ask the directory for. No wallet is listed for a test network or for a chain of one machine, though nearly
 * all take one: in its place stands the main network of its family.
 */
export function listedChains(networks: readonly Network[]): readonly ChainId[] {
  return [
    ...new Set(
      networks.map(({ testnet, chainNamespace, caipNetworkId }) =>
        testnet ? (mainOf[chainNamespace] ?? caipNetworkId) : caipNetworkId,
      ),
    ),
  ]
}
