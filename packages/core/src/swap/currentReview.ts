import { chainOf } from '@latchkey/protocol/caip'
import type { SwapContext } from './swapContext.ts'
import type { SwapQuote, SwapReview } from './swapTypes.ts'

/** Reads and changes the review in the state. */
export interface CurrentReview {
  /** Changes the review, if there is one. */
  patchReview(change: Partial<SwapReview>): void
  /** Whether the review is for the active account and network. */
  isCurrent(review: SwapReview): boolean
  /** Whether `review` is still the one in the state. The user can leave it while the wallet is prompting. */
  isShown(review: SwapReview): boolean
}

/** Creates a `CurrentReview`. */
export function currentReview({ state, patch, now }: Pick<SwapContext, 'state' | 'patch' | 'now'>): CurrentReview {
  return {
    patchReview(change) {
      const { review } = state.get()
      if (review) patch({ review: { ...review, ...change } })
    },
    isCurrent({ account }) {
      const subject = now()
      return subject?.account === account && subject.network.caipNetworkId === chainOf(account)
    },
    isShown({ account, quote }) {
      const { review } = state.get()
      return review?.account === account && isSameRequest(review.quote, quote)
    },
  }
}

function isSameRequest(a: SwapQuote, b: SwapQuote): boolean {
  return a.amount === b.amount && a.from.id === b.from.id && a.to.id === b.to.id
}
