import type { Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import type { Chain } from 'viem'

/** Converts a viem chain to a network. */
export function networkOf(chain: Chain): Network<'eip155'> {
  return { ...chain, chainNamespace: 'eip155', caipNetworkId: `eip155:${chain.id}` }
}

/** Describes a chain that is not configured, for display only. Includes the names of well-known chains, but no RPC URLs. */
export function describeNetwork(chain: ChainId<'eip155'>): Network<'eip155'> {
  const id = Number(chain.slice('eip155:'.length))
  const [name = 'Unknown Network', symbol = 'ETH', currency = symbol === 'ETH' ? 'Ether' : symbol] = wellKnown[id] ?? []
  return {
    id,
    name,
    nativeCurrency: { name: currency, symbol, decimals: 18 },
    rpcUrls: { default: { http: [] } },
    chainNamespace: 'eip155',
    caipNetworkId: chain,
  }
}

/** The names, currency symbols and currency names of well-known chains, displayed if the chain is not configured. */
const wellKnown: Readonly<Record<number, readonly [name: string, symbol?: string, currency?: string]>> = {
  1: ['Ethereum'],
  10: ['OP Mainnet'],
  56: ['BNB Smart Chain', 'BNB'],
  100: ['Gnosis', 'xDAI'],
  137: ['Polygon', 'POL'],
  324: ['ZKsync Era'],
  8453: ['Base'],
  42161: ['Arbitrum One'],
  42220: ['Celo', 'CELO'],
  43114: ['Avalanche', 'AVAX', 'Avalanche'],
  59144: ['Linea'],
  84532: ['Base Sepolia'],
  17000: ['Holesky'],
  11155111: ['Sepolia'],
  1337: ['Localhost'],
  31337: ['Localhost'],
}
