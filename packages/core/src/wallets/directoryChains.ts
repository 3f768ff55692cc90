import type { ChainId } from '@latchkey/protocol/caip'
import type { Network } from '../adapter.ts'

/** The main network of each family, under which the directory lists the family's wallets. */
const mainOf: Readonly<Record<string, ChainId>> = {
  // #region generated: families (npm run generate)
  eip155: 'eip155:1',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  bip122: 'bip122:000000000019d6689c085ae165831e93',
  // #endregion
}

/**
 * Returns the chains to request from the directory. The directory does not list wallets for test networks and local chains,
 * although most wallets support them, so the main network of the chain family is used instead.
 */
export function directoryChains(networks: readonly Network[]): readonly ChainId[] {
  return [
    ...new Set(
      networks.map(({ testnet, chainNamespace, caipNetworkId }) =>
        testnet ? (mainOf[chainNamespace] ?? caipNetworkId) : caipNetworkId,
      ),
    ),
  ]
}
