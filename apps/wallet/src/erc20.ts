import { createPublicClient, decodeFunctionData, erc20Abi } from 'viem'
import { type Ask, type Network, viemChain, viemTransport } from './networks.ts'

/** An ERC-20 call that transfers tokens or approves a spender. */
export interface TokenCall {
  readonly does: 'send' | 'allow'
  /** The recipient or the spender. */
  readonly who: `0x${string}`
  /** The amount in the token's smallest unit. */
  readonly amount: bigint
}

/** A token's symbol and decimals, as reported by its contract. These values are not verified. */
export interface TokenNames {
  readonly symbol: string
  readonly decimals: number
}

/** The smallest allowance that the wallet treats as unlimited. */
export const unlimitedAllowance: bigint = 2n ** 255n

/** Decodes `data` as a token call. Returns `undefined` for any other call and for calldata with trailing bytes. */
export function readTokenCall(data: `0x${string}` | undefined): TokenCall | undefined {
  // The length of a selector, an address and an amount.
  if (data?.length !== 2 + 2 * (4 + 32 + 32)) return undefined
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    if (functionName !== 'transfer' && functionName !== 'approve') return undefined
    const [who, amount] = args
    return { does: functionName === 'transfer' ? 'send' : 'allow', who, amount }
  } catch {
    return undefined
  }
}

/** Reads the symbol and decimals of a token. Resolves to `undefined` if the call fails or the values are implausible. */
export async function tokenNames(
  address: `0x${string}`,
  { network, ask }: { readonly network: Network; readonly ask: Ask },
): Promise<TokenNames | undefined> {
  const client = createPublicClient({ chain: viemChain(network), transport: viemTransport(network, ask) })
  try {
    const [symbol, decimals] = await Promise.all([
      client.readContract({ address, abi: erc20Abi, functionName: 'symbol' }),
      client.readContract({ address, abi: erc20Abi, functionName: 'decimals' }),
    ])
    const plain = symbol.replace(/[^\p{L}\p{N}.$+-]/gu, '').slice(0, 12)
    return plain === '' || decimals > 36 ? undefined : { symbol: plain, decimals }
  } catch {
    return undefined
  }
}
