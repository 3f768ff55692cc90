import type { ChainId } from '@latchkey/protocol/caip'
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { maxDecimals } from './contractFacts.ts'
import { sanitizeText, untrusted } from './untrustedText.ts'

/** A token's metadata as reported by its contract, which can be spoofed. */
export interface TokenMetadata {
  readonly symbol: string
  readonly decimals: number
}

const abi = parseAbi(['function symbol() view returns (string)', 'function decimals() view returns (uint8)'])

/**
 * Fetches metadata for the first ten `tokens` and returns it keyed by lowercase address. Tokens with invalid metadata are
 * omitted.
 */
export async function fetchTokenMetadata(
  rpc: ChainRpcClient,
  chain: ChainId,
  tokens: readonly string[],
): Promise<Readonly<Record<string, TokenMetadata>>> {
  const addresses = [...new Set(tokens.map((token) => token.toLowerCase()))].slice(0, 10)
  const facts = await Promise.all(
    addresses.map(async (token) => {
      const call = async (functionName: 'symbol' | 'decimals') => {
        const data = encodeFunctionData({ abi, functionName })
        const result = await rpc<Hex>(chain, 'eth_call', [{ to: token, data }, 'latest'])
        return decodeFunctionResult({ abi, functionName, data: result })
      }
      const [symbol, decimals] = await Promise.all([call('symbol'), call('decimals')]).catch(() => [])
      const found =
        typeof symbol === 'string' && typeof decimals === 'number' && decimals <= maxDecimals
          ? { symbol: sanitizeText(untrusted(symbol), { maxLength: 20 }).text, decimals }
          : undefined
      return [token, found] as const
    }),
  )
  return Object.fromEntries(facts.flatMap(([token, found]) => (found ? [[token, found]] : [])))
}
