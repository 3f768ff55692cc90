import type { ChainId } from '@latchkey/protocol/caip'
import { confusableKey } from '@latchkey/protocol/untrustedNames'

/**
 * The contracts of USDC and USDT, by chain. Anyone can create a token with these symbols, and a server can list it as one of them.
 *
 * @see https://developers.circle.com/stablecoins/usdc-contract-addresses
 * @see https://tether.to/en/supported-protocols
 */
const addresses: Readonly<Record<ChainId, Readonly<Record<string, string>>>> = {
  'eip155:1': {
    USDC: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
    USDT: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  },
  'eip155:10': {
    USDC: '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
    USDT: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
  },
  'eip155:137': {
    USDC: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
    USDT: '0xc2132d05d31c914a87c6611c10748aeb04b58e8f',
  },
  'eip155:42161': {
    USDC: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
    USDT: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
  },
  'eip155:8453': { USDC: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
  'eip155:43114': {
    USDC: '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e',
    USDT: '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7',
  },
}

/** Whether a token has the symbol of a well-known currency on its chain, but another contract. */
export function imitatesKnownToken(
  { chain, address, symbol }: { readonly chain: ChainId; readonly address?: string; readonly symbol: string },
  /** The token that wraps the network's currency, with its symbol, if it is known. */
  wrapped: { readonly symbol: string; readonly address: string } | undefined,
): boolean {
  const key = confusableKey(symbol)
  const known = [
    ...Object.entries(addresses[chain] ?? {}),
    ...(wrapped ? [[wrapped.symbol, wrapped.address] as const] : []),
  ].filter(([name]) => confusableKey(name) === key)
  return known.length > 0 && known.every(([, contract]) => contract !== address?.toLowerCase())
}
