import type { Network } from '../adapter.ts'

const sol = { name: 'Solana', symbol: 'SOL', decimals: 9 } as const
const btc = { name: 'Bitcoin', symbol: 'BTC', decimals: 8 } as const
const solanaImage = { imageId: 'a1b58899-f671-4276-6a5e-56ca5bd59700' } as const
const bitcoinImage = { imageId: '0b4838db-0161-4ffe-022d-532bf03dba00' } as const

/** Solana Mainnet. */
export const solana: Network<'solana'> = solanaNetwork('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solana', {
  url: 'https://api.mainnet-beta.solana.com',
  testnet: false,
})

/** Solana Devnet. */
export const solanaDevnet: Network<'solana'> = solanaNetwork('EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'Solana Devnet', {
  url: 'https://api.devnet.solana.com',
  testnet: true,
})

/** Solana Testnet. */
export const solanaTestnet: Network<'solana'> = solanaNetwork('4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', 'Solana Testnet', {
  url: 'https://api.testnet.solana.com',
  testnet: true,
})

/** Bitcoin Mainnet. */
export const bitcoin: Network<'bip122'> = bitcoinNetwork('000000000019d6689c085ae165831e93', 'Bitcoin', false)

/** Bitcoin Testnet. */
export const bitcoinTestnet: Network<'bip122'> = bitcoinNetwork(
  '000000000933ea01ad0ee984209779ba',
  'Bitcoin Testnet',
  true,
)

function solanaNetwork(
  id: string,
  name: string,
  { url, testnet }: { url: string; testnet: boolean },
): Network<'solana'> {
  return {
    id,
    name,
    network: name.toLowerCase().replaceAll(' ', '-'),
    nativeCurrency: sol,
    rpcUrls: { default: { http: [url] } },
    blockExplorers: { default: { name: 'Solscan', url: 'https://solscan.io' } },
    testnet,
    chainNamespace: 'solana',
    caipNetworkId: `solana:${id}`,
    assets: solanaImage,
  }
}

function bitcoinNetwork(id: string, name: string, testnet: boolean): Network<'bip122'> {
  const base = testnet ? 'https://mempool.space/testnet' : 'https://mempool.space'
  return {
    id,
    name,
    network: name.toLowerCase().replaceAll(' ', '-'),
    nativeCurrency: btc,
    rpcUrls: { default: { http: [`${base}/api`] } },
    blockExplorers: { default: { name: 'mempool.space', url: base } },
    testnet,
    chainNamespace: 'bip122',
    caipNetworkId: `bip122:${id}`,
    assets: bitcoinImage,
  }
}
