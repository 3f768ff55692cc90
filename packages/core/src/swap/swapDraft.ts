import * as v from 'valibot'

/** The user's input in the form. It is kept when the page is reloaded. */
export interface SwapDraft {
  readonly amount: string
  /** The IDs of the tokens by chain (CAIP-2). */
  readonly tokens: Readonly<Record<string, { readonly from?: string | undefined; readonly to?: string | undefined }>>
  /** Set while the wallet has a request and the page does not know whether the transaction was sent. */
  readonly unconfirmed?: boolean | undefined
}

const id = v.pipe(v.string(), v.maxLength(200))

/** The schema of a stored draft. */
export const swapDraftSchema: v.GenericSchema<unknown, SwapDraft> = v.object({
  amount: v.pipe(v.string(), v.maxLength(120)),
  tokens: v.record(id, v.object({ from: v.optional(id), to: v.optional(id) })),
  unconfirmed: v.optional(v.boolean()),
})

/** The maximum number of chains whose tokens are kept. */
const maxChains = 20

/** Returns the draft with the tokens of a chain, which becomes the most recent chain. */
export function withDraftTokens(
  draft: SwapDraft,
  chain: string,
  tokens: { readonly from?: string | undefined; readonly to?: string | undefined },
): SwapDraft {
  const others = Object.entries(draft.tokens).filter(([other]) => other !== chain)
  return { ...draft, tokens: Object.fromEntries([...others, [chain, tokens] as const].slice(-maxChains)) }
}
