import type { ChainId } from '@latchkey/protocol/caip'

/** The contracts of an exchange. */
export interface SwapExchange {
  /** The address of SwapRouter02 of Uniswap V3, or of a router with the same functions. */
  readonly router: string
  /** The address of the token that wraps the network's currency, such as WETH. */
  readonly wrappedNative: string
}

const router = '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45'

/**
 * Uniswap's deployments of SwapRouter02. The other networks with swaps have no deployment. Other routers of Uniswap are not
 * listed, because the page cannot decode their calldata.
 *
 * @see https://docs.uniswap.org/contracts/v3/reference/deployments
 */
const uniswap: Readonly<Record<ChainId, SwapExchange>> = {
  'eip155:1': { router, wrappedNative: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2' },
  'eip155:10': { router, wrappedNative: '0x4200000000000000000000000000000000000006' },
  'eip155:137': { router, wrappedNative: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270' },
  'eip155:42161': { router, wrappedNative: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1' },
  'eip155:56': {
    router: '0xb971ef87ede563556b2ed4b1c0b0019111dd85d2',
    wrappedNative: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
  },
  'eip155:324': {
    router: '0x99c56385dabce3e81d8499d0b8d0257abc07e8a3',
    wrappedNative: '0x5aea5775959fbc2557cc8789bc1bf90a239d9a91',
  },
  'eip155:8453': {
    router: '0x2626664c2603336e57b271c5c0b26f421741e481',
    wrappedNative: '0x4200000000000000000000000000000000000006',
  },
  'eip155:43114': {
    router: '0xbb00ff08d01d300023c629e8ffffcb65a5a578ce',
    wrappedNative: '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7',
  },
}

/**
 * Returns the exchanges on a chain whose contracts are trusted: Uniswap's, and the host's. The server cannot add any, because a
 * malicious server could add a contract that keeps the tokens.
 */
export function trustedExchanges(
  chain: ChainId,
  host: Readonly<Record<ChainId, SwapExchange>> | undefined,
): readonly SwapExchange[] {
  return [uniswap[chain], host?.[chain]].flatMap((exchange) => exchange ?? [])
}
