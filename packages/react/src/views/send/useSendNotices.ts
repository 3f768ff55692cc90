import type { SendState } from '@latchkey/core'
import { isOldPrice } from '../tokens/amountFormat.ts'
import { type Loaded, useRarePart } from '../useLazyModule.ts'

const load = () => import('./SendNotices.tsx')

/** The notices and error messages of the form for sending tokens. */
export type SendNotices = Awaited<ReturnType<typeof load>>

/**
 * Returns the notices of the form, which are loaded in advance. A failure to load them is only reported if the form might need
 * one of them. `now` is in epoch milliseconds.
 */
export function useSendNotices(state: SendState, now: number): Loaded<SendNotices> {
  const { step, fee, tokens, transfer, recipient, token } = state
  const areNeeded =
    // An empty form has no errors.
    recipient.status !== 'empty' ||
    (step !== 'select-token' && step !== 'add-amount') ||
    transfer.status === 'unknown' ||
    fee.status === 'failed' ||
    tokens.status === 'failed' ||
    (token?.price !== undefined && isOldPrice(token.price.at, now))
  const part = useRarePart(load, areNeeded)
  return { ...part, failed: part.failed && areNeeded }
}
