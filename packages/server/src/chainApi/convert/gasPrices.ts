import type { GasPriceAnswer } from '@latchkey/protocol/http/chainApi'
import * as v from 'valibot'
import { type CallNode, unavailable } from '../nodeBatch.ts'

/** The number of blocks whose tips are considered. */
const blocks = 20
/** The percentiles of the tips, by gas used, for `standard`, `fast` and `instant`. */
const percentiles = [10, 50, 90]
/** The maximum factor by which the base fee rises from one block to the next, in thousandths (EIP-1559). */
const baseFeeFactor = 1125n
/** The factors for chains without a fee history, in hundredths. */
const legacyFactors = [100n, 115n, 130n] as const
/** The maximum plausible price. Larger values are errors of the node. */
const maxPrice = 10n ** 18n

const price = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{1,30}$/),
  v.transform((text) => BigInt(text)),
  v.maxValue(maxPrice),
)
const feeHistory = v.object({
  baseFeePerGas: v.pipe(v.array(price), v.minLength(1), v.maxLength(blocks + 1)),
  reward: v.pipe(v.array(v.pipe(v.array(price), v.length(percentiles.length))), v.minLength(1), v.maxLength(blocks)),
})

/**
 * Reads the gas prices of an EVM chain, in wei. A price is the next block's base fee, with room for the maximum rise in one
 * block, plus the mean tip of the last blocks. On chains without a fee history or base fees, it is a multiple of
 * `eth_gasPrice`.
 *
 * @throws {HttpError} 503 if the node does not respond with prices.
 */
export async function readGasPrices(
  callNode: CallNode,
  chainId: string,
  signal: AbortSignal,
): Promise<GasPriceAnswer & { readonly fast: string; readonly instant: string }> {
  const [history, legacy] = await callNode(
    chainId,
    [
      { method: 'eth_feeHistory', params: [`0x${blocks.toString(16)}`, 'latest', percentiles] },
      { method: 'eth_gasPrice', params: [] },
    ],
    signal,
  )
  const fees = v.safeParse(feeHistory, history)
  // Chains without EIP-1559 report base fees of 0.
  const base = fees.success ? (fees.output.baseFeePerGas.at(-1) ?? 0n) : 0n
  if (fees.success && base > 0n) {
    const { reward } = fees.output
    const tips = percentiles.map(
      (_, at) => reward.reduce((sum, tipsOfBlock) => sum + (tipsOfBlock[at] ?? 0n), 0n) / BigInt(reward.length),
    )
    const highest = (base * baseFeeFactor) / 1000n
    return written(tips.map((tip) => highest + tip))
  }
  const parsed = v.safeParse(price, legacy)
  if (!parsed.success) throw unavailable()
  return written(legacyFactors.map((factor) => (parsed.output * factor) / 100n))
}

function written(prices: readonly bigint[]): { standard: string; fast: string; instant: string } {
  const [standard = 0n, fast = standard, instant = fast] = prices
  return { standard: String(standard), fast: String(fast), instant: String(instant) }
}
