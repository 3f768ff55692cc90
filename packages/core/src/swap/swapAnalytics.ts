import { formatUnits } from '@latchkey/protocol/amount'
import { chainOf } from '@latchkey/protocol/caip'
import type { SwapContext } from './swapContext.ts'
import type { SwapReview } from './swapTypes.ts'

type Tracking = Pick<SwapContext, 'track' | 'isSmartAccount'>

/** Reports that a swap was started or completed. */
export function trackSwap(
  { track, isSmartAccount }: Tracking,
  event: 'INITIATE_SWAP' | 'SWAP_SUCCESS',
  review: SwapReview,
): void {
  track({ event, properties: propertiesOf(review, isSmartAccount()) })
}

/** Reports that a transaction of a swap failed. */
export function trackSwapError(
  { track, isSmartAccount }: Tracking,
  step: 'reset' | 'approve' | 'swap',
  review: SwapReview,
  message: string,
): void {
  const event = step === 'swap' ? 'SWAP_ERROR' : 'SWAP_APPROVAL_ERROR'
  track({ event, properties: { ...propertiesOf(review, isSmartAccount()), message } })
}

function propertiesOf({ account, quote }: SwapReview, isSmartAccount: boolean) {
  const { from, to, amount, received } = quote
  return {
    isSmartAccount,
    network: chainOf(account),
    swapFromToken: from.symbol,
    swapToToken: to.symbol,
    swapFromAmount: formatUnits(amount, from.decimals),
    swapToAmount: formatUnits(received, to.decimals),
  }
}
