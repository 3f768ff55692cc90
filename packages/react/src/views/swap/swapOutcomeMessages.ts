/** The messages about the progress and the outcome of a swap. They are loaded once its first transaction was confirmed. */
export const swapOutcomeMessages = {
  'swapReview.confirming.title': 'Confirm in your wallet',
  'swapReview.confirming.body': 'Check that your wallet shows the same amounts.',
  'swapReview.leave': 'Stop waiting',
  'swapReview.pending.reset': 'Resetting the approval…',
  'swapReview.pending.approve': 'Approving {token}…',
  'swapReview.pending.swap': 'Swapping…',
  'swapReview.pending.body': 'The transaction was sent. This can take a minute.',
  'swapReview.done.title': 'Swap complete',
  'swapReview.done.body': 'Your balances are being updated.',
  'swapReview.failed.title': 'Swap failed',
  'swapReview.failed.body': 'The network did not execute the swap. You keep your tokens, but paid the network fee.',
  'swapReview.stopped.title': 'Nothing was sent',
  'swapReview.changed': 'The account or network has changed. Review the swap again.',
  'swapReview.mismatch': 'The server sent a transaction that is not this swap. It was not passed to your wallet.',
  'swapReview.close': 'Done',
} as const
