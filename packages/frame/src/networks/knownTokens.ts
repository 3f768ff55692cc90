import type { ChainId } from '@latchkey/protocol/caip'

/** Returns the tokens that are looked up on a network by default, identified by the addresses that their issuers publish. */
export function knownTokens(chain: ChainId): readonly string[] {
  return Object.hasOwn(tokens, chain) ? (tokens[chain] ?? []) : []
}

// Circle's USDC, Tether's USDT (or its bridged version) and Sky's DAI. If an issuer publishes no address for a network, the token
// is omitted for that network.
const tokens: Readonly<Record<string, readonly string[]>> = {
  'eip155:1': [
    '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
    '0xdac17f958d2ee523a2206206994597c13d831ec7',
    '0x6b175474e89094c44da98b954eedeac495271d0f',
  ],
  'eip155:10': [
    '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
    '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
    '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
  ],
  'eip155:56': ['0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', '0x55d398326f99059ff775485246999027b3197955'],
  'eip155:137': [
    '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
    '0xc2132d05d31c914a87c6611c10748aeb04b58e8f',
    '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063',
  ],
  'eip155:8453': ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', '0x50c5725949a6f0c72e6c4a641f24049a917db0cb'],
  'eip155:42161': [
    '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
    '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
    '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
  ],
  'eip155:43114': ['0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7'],
}
