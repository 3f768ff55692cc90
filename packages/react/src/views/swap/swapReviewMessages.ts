/** The messages of SwapPreview, which are loaded with it. */
export const swapReviewMessages = {
  'swapReview.label': 'Swap {from} for {to}',
  'swapReview.approval': 'Approve {token}',
  'swapReview.reset': 'Reset the approval of {token}',
  'swapReview.confirm': 'Swap',
  'swapReview.preparing': 'Preparing…',
  'swapReview.back': 'Back',
  'swapReview.network': 'Network',
  'swapReview.contract': 'Exchange contract',
  'swapReview.step.reset':
    'This takes three confirmations: {token} requires that an earlier approval is reset first, then you approve, then you swap.',
  'swapReview.step.approve': 'First, you allow the exchange to take exactly {amount}. Then you confirm the swap.',
} as const
