/** The messages about problems of a swap under review. They are loaded when one of them is needed. */
export const swapReviewNoticeMessages = {
  'swapReview.unverified.title': 'This swap could not be verified',
  'swapReview.unverified.contract':
    'This page does not know the exchange contract. It could take {amount} and pay you nothing.',
  'swapReview.unverified.call':
    'This page cannot read the transaction. It could take {amount} and pay you nothing, or do something else.',
  'swapReview.unverified.confirm': 'I trust this exchange contract.',
  'swapReview.moved.title': 'The price has changed',
  'swapReview.moved.body': 'You would now receive {amount}, and at least {minimum}.',
  'swapReview.moved.accept': 'Accept the new price',
  'swapReview.risk': 'I accept losing about {percent} of the value.',
  'swapReview.unpriced': 'The value of these tokens is unknown. Compare the price elsewhere.',
  'swapReview.unpriced.accept': 'I have compared the price elsewhere.',
  'swapReview.rejected': 'You declined in your wallet. Nothing was sent.',
  'swapReview.notBuilt': 'Could not prepare the transaction.',
  'swapReview.outdated': 'The price was too old and has been updated. Check it again.',
  'swapReview.reverted': 'The network did not execute the approval. You can try again.',
  'swapReview.noWallet': 'This wallet cannot send this transaction.',
  'swapReview.unverified.decimals':
    'The decimal places of a token could not be compared with its contract, so the amounts could be different.',
  'swapReview.unverified.symbol':
    'The symbol of a token does not match its contract, or could not be checked, so it could be a different token.',
  'swapReview.unverified.check': 'I will check the tokens and the amounts in my wallet.',
  'swapReview.rejectedSwap':
    'You declined the swap in your wallet. The exchange can still take {amount}, until you swap or remove its approval.',
  'swapReview.revoke': 'Remove approval',
  'swapReview.revoke.label': 'Remove the approval of {token}',
} as const
