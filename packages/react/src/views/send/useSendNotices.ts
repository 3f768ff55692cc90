import type { SendState } from '@latchkey/core'
import { isOldPrice } from '../tokens/amountFormat.ts'
import { type Loaded, useRarePart } from '../useLazyModule.ts'

const load = () => import('./SendNotices.tsx')

/** The notices and error messages of the form for sending tokens. */
export type SendNotices = Awaited<ReturnType<typeof load>>

/**
 * Returns the notices of the form, which are loaded in advance. A failure to load them only counts if one of
 * them could have to be shown. `now` is in epoch milliseconds.
 */
export function useSendNotices(state: SendState, now: number): Loaded<SendNotices> {
  const { step, fee, tokens, transfer, recipient, token } = state
  const areNeeded =
    // As long as the form is empty, nothing in it can be wrong.
    recipient.status !== 'empty' ||
    (step !== 'select-token' && step !== 'add-amount') ||
    transfer.status === 'unknown' ||
    fee.status === 'failed' ||
    tokens.status === 'failed' ||
    (token?.price !== undefined && isOldPrice(token.price.at, now))
  const part = useRarePart(load, areNeeded)
  return { ...part, failed: part.failed && areNeeded }
}
