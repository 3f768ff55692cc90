import type { ChainId } from '@latchkey/protocol/caip'

/** A network's display name and native currency. An unknown network is named after its CAIP-2 reference. */
export interface NetworkName {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  /** Whether the network is a test network, whose assets have no value. */
  readonly isTest: boolean
}

const eth = 'ETH'
/** The networks listed in `spec/frame.md` 3.7 that are still online, and our own test chains, by EVM chain ID. */
const evm: Readonly<Record<string, readonly [name: string, symbol: string]>> = {
  1: ['Ethereum', eth],
  10: ['OP Mainnet', eth],
  56: ['BNB Smart Chain', 'BNB'],
  97: ['BNB Testnet', 'tBNB'],
  100: ['Gnosis', 'xDAI'],
  137: ['Polygon', 'POL'],
  280: ['zkSync Testnet', eth],
  324: ['zkSync Era', eth],
  999: ['Zora Testnet', eth],
  8453: ['Base', eth],
  42161: ['Arbitrum One', eth],
  42220: ['Celo', 'CELO'],
  43113: ['Avalanche Fuji', 'AVAX'],
  43114: ['Avalanche', 'AVAX'],
  84532: ['Base Sepolia', eth],
  421613: ['Arbitrum Goerli', eth],
  7777777: ['Zora', eth],
  11155111: ['Sepolia', eth],
  1313161554: ['Aurora', eth],
  1313161555: ['Aurora Testnet', eth],
  31337: ['Local chain 31337', eth],
  31338: ['Local chain 31338', eth],
}
const tests: readonly string[] = [
  ...['97', '280', '999', '43113', '84532', '421613', '11155111', '1313161555'],
  ...['31337', '31338'],
]
const solana: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'Solana Mainnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 'Solana Testnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1: 'Solana Devnet',
  BakeryLoca1So1anaNetwork11111111: 'Local Solana',
}

/** Returns the display name of `chain`. It never comes from the page, because a page could call its own network Ethereum. */
export function networkName(chain: ChainId): NetworkName {
  const at = chain.indexOf(':')
  const reference = chain.slice(at + 1)
  if (chain.slice(0, at) === 'solana') {
    const name = Object.hasOwn(solana, reference) ? solana[reference] : undefined
    return {
      name: name ?? `Solana network ${reference}`,
      symbol: 'SOL',
      decimals: 9,
      // A Solana transaction does not specify its network, so no network can safely be called a test network.
      isTest: false,
    }
  }
  const [name, symbol] = (Object.hasOwn(evm, reference) ? evm[reference] : undefined) ?? []
  return {
    name: name ?? `Network ${reference}`,
    symbol: symbol ?? 'coins',
    decimals: 18,
    isTest: tests.includes(reference),
  }
}
