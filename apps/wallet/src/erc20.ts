import { createPublicClient, decodeFunctionData, erc20Abi } from 'viem'
import { type Ask, type Network, viemChain, viemTransport } from './networks.ts'

/** A call of a token's contract that moves tokens, or lets somebody else move them (ERC-20). */
export interface TokenCall {
  readonly does: 'send' | 'allow'
  /** Who gets them, or may take them. */
  readonly who: `0x${string}`
  /** In the token's smallest unit. */
  readonly amount: bigint
}

/** What a token's contract calls itself. Its own word. */
export interface TokenNames {
  readonly symbol: string
  readonly decimals: number
}

/** More than any token has: whoever may take so much may take all, for ever. */
export const unlimitedAllowance: bigint = 2n ** 255n

/** Reads `data` as a call that moves tokens; `undefined` for everything else, also where a byte is too many. */
export function readTokenCall(data: `0x${string}` | undefined): TokenCall | undefined {
  // The selector, an address and an amount, and nothing behind them.
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

/** Asks the contract at `address` for its symbol and decimals; `undefined` where it is no token, or nobody answers. */
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
