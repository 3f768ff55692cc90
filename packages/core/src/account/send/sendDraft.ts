import { parseAccountId, parseChainId } from '@latchkey/protocol/caip'
import * as v from 'valibot'
import type { SendReview } from './sendTypes.ts'

const text = (max: number) => v.pipe(v.string(), v.maxLength(max))
const baseUnits = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}$/),
  v.transform((digits) => BigInt(digits)),
)

const inputs = v.object({
  /** The ID of the token. Empty if none was selected. */
  token: text(300),
  unit: v.picklist(['token', 'fiat']),
  amount: text(100),
  /** Whether the amount is the maximum. */
  isMax: v.boolean(),
  /** The amount in base units, if the text is rounded. */
  exact: v.exactOptional(text(78)),
  recipient: text(300),
})

/** The user's input. */
export type SendInputs = v.InferOutput<typeof inputs>

/** The form before anything is entered. */
export const emptyInputs: SendInputs = { token: 'native', unit: 'token', amount: '', isMax: false, recipient: '' }

const review = v.object({
  account: v.custom<SendReview['account']>((id) => typeof id === 'string' && parseAccountId(id) !== undefined),
  chain: v.custom<SendReview['chain']>((id) => typeof id === 'string' && parseChainId(id) !== undefined),
  token: v.object({
    id: text(300),
    chain: v.custom<SendReview['chain']>((id) => typeof id === 'string' && parseChainId(id) !== undefined),
    address: v.exactOptional(text(128)),
    name: text(60),
    symbol: text(20),
    decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)),
    amount: baseUnits,
  }),
  amount: baseUnits,
  to: text(128),
  name: v.exactOptional(text(255)),
})

/** The schema for a stored form: the inputs, and the transfer that was requested from the wallet. */
export const sendDraft = v.object({
  inputs,
  sent: v.exactOptional(v.object({ review, at: v.number(), hash: v.exactOptional(text(128)) })),
})

/** A stored draft. */
export type SendDraft = v.InferOutput<typeof sendDraft>
