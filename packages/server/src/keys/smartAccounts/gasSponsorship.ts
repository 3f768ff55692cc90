import { originAllowed } from '@latchkey/protocol/origins'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import type { ActionLimits } from '../../rateLimits/actionLimits.ts'
import type { Embedders } from '../http/embedderOrigins.ts'
import type { SmartAccountUpstreams } from '../keysDependencies.ts'

const dayMs = 24 * 60 * 60_000

/** Decides which user operations the operator pays gas for. */
export interface GasSponsorship {
  /** Resolves to whether the operator sponsors the users of a page. */
  allowsPage(page: string): Promise<boolean>
  /** Returns whether a user operation's maximum cost can be calculated and is within the limit. */
  allowsCost(operation: unknown): boolean
  /**
   * Counts a sponsored operation. Rejects with `limit/reached` if a daily limit is exceeded: per account, per network of the
   * client, or in total.
   */
  count(payer: { readonly account: string; readonly network: string | null }): Promise<void>
}

/** Creates the sponsorship policy from the operator's limits. */
export function createGasSponsorship({
  smart,
  limits,
  embedders,
}: {
  smart: SmartAccountUpstreams
  limits: ActionLimits
  embedders: Embedders
}): GasSponsorship {
  return {
    // `page` can be spoofed, because it is reported by the frame, which runs on the user's machine. The limit per account bounds
    // the cost.
    async allowsPage(page) {
      if (!(await embedders.may(page))) return false
      const { sponsorOrigins } = smart
      if (sponsorOrigins.length === 0) return true
      // Local pages can embed the wallet without being registered, but fees on a local page are sponsored only if the operator
      // lists the page.
      const isUnnamed = originAllowed(page, ['none.invalid'])
      return isUnnamed ? sponsorOrigins.includes(page) : originAllowed(page, sponsorOrigins)
    },
    allowsCost(operation) {
      const cost = costOf(operation)
      return cost !== undefined && cost <= smart.sponsorMaxCostWei
    },
    count({ account, network }) {
      return limits.spend(
        { action: 'sponsored', key: account, max: smart.sponsorDailyPerAccount, windowMs: dayMs },
        { action: 'sponsored-from', key: network, max: smart.sponsorDailyPerAddress, windowMs: dayMs },
        { action: 'sponsored-in-all', max: smart.sponsorDailyTotal, windowMs: dayMs },
      )
    },
  }
}

const gas = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{1,32}$/i),
  v.transform((text) => BigInt(text)),
)
const costs = v.object({
  callGasLimit: gas,
  verificationGasLimit: gas,
  preVerificationGas: gas,
  paymasterVerificationGasLimit: v.nullish(gas),
  paymasterPostOpGasLimit: v.nullish(gas),
  maxFeePerGas: gas,
})

/** Returns the maximum cost of a user operation in wei, or `undefined` if its gas fields are missing or invalid. */
function costOf(operation: unknown): bigint | undefined {
  const found = read(costs, operation)
  if (!found) return undefined
  const { maxFeePerGas, ...limits } = found
  return maxFeePerGas * Object.values(limits).reduce<bigint>((sum, item) => sum + (item ?? 0n), 0n)
}

const finalStub = v.object({ result: v.object({ isFinal: v.literal(true) }) })

/** Returns whether a response marks its stub data as final. Final stub data is already signed (ERC-7677). */
export function isFinalStub(response: unknown): boolean {
  return v.is(finalStub, response)
}
