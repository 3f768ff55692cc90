import type { ChainId } from '@latchkey/protocol/caip'
import { hexToBigInt, isHex } from 'viem'
import type { ChainRpcClient } from './chainRpcClient.ts'

/** Returns the network's current gas fees. */
export async function feesNow(
  rpc: ChainRpcClient,
  chain: ChainId,
): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint; legacy: boolean }> {
  const block = await rpc<{ baseFeePerGas?: unknown } | null>(chain, 'eth_getBlockByNumber', ['latest', false])
  const base = block?.baseFeePerGas
  if (!isHex(base)) {
    const price = await rpc<unknown>(chain, 'eth_gasPrice', [])
    const maxFeePerGas = isHex(price) ? hexToBigInt(price) : 0n
    return { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas, legacy: true }
  }
  const tip = await rpc<unknown>(chain, 'eth_maxPriorityFeePerGas', []).catch(() => undefined)
  const maxPriorityFeePerGas = isHex(tip) ? hexToBigInt(tip) : 1_000_000_000n
  // The maximum covers about four blocks in a row in which the base fee rises by one eighth, the largest possible increase.
  return {
    maxFeePerGas: (hexToBigInt(base) * 16n) / 10n + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
    legacy: false,
  }
}
