import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import { onrampProviderNames } from '@latchkey/protocol/http/chainApi'
import * as v from 'valibot'
import type { OnrampPurchase } from './onrampTypes.ts'

const short = v.pipe(v.string(), v.maxLength(100))

/** The schema for a stored draft. */
export const onrampDraftSchema = v.object({
  amount: short,
  currency: v.optional(short),
  symbol: v.optional(short),
  purchase: v.optional(
    v.object({
      provider: v.picklist(onrampProviderNames),
      account: v.custom<AccountId>((value) => typeof value === 'string' && value.length < 200),
      chain: v.custom<ChainId>((value) => typeof value === 'string' && value.length < 60),
      symbol: short,
      amount: short,
      currency: short,
      startedAt: v.number(),
      known: v.optional(v.pipe(v.array(short), v.maxLength(50))),
    }),
  ),
})

/** The user's input and the purchase in progress. They are kept when the page is reloaded. */
export type OnrampDraft = v.InferOutput<typeof onrampDraftSchema>

/** A stored purchase. `known` contains the IDs of earlier purchases, if they were read. */
export type DraftPurchase = NonNullable<OnrampDraft['purchase']>

/** The statuses of a purchase that can still arrive. */
export const pendingStatuses: readonly OnrampPurchase['status'][] = ['blocked', 'waiting', 'paid', 'slow']

/** Returns the data to store about a purchase, or `undefined` if the purchase is not in progress. */
export function draftPurchaseOf(
  purchase: OnrampPurchase | undefined,
  known: readonly string[] | undefined,
): DraftPurchase | undefined {
  if (!purchase || !pendingStatuses.includes(purchase.status)) return undefined
  const { provider, account, chain, symbol, amount, currency, startedAt } = purchase
  const stored = { provider, account, chain, symbol, amount, currency, startedAt }
  return known ? { ...stored, known: known.slice(0, 50) } : stored
}
