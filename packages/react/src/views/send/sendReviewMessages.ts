/** The messages of the review of a transfer and its outcome. */
export const sendReviewMessages = {
  'review.title': 'Review send',
  'review.headline': 'Send {amount}',
  'review.to': 'To',
  'review.resolver': 'Resolved by {resolver}',
  'review.from': 'From',
  'review.network': 'Network',
  'review.fee.smart': 'Your wallet shows the exact fee, which can be sponsored.',
  'review.fee.deposit': 'This includes {amount} to open the recipient’s token account.',
  'review.consequence': 'Transfers cannot be undone. Only the owner of this address could send it back.',
  'review.confirm': 'Send',
  'review.back': 'Back',
  'review.checking': 'Checking the recipient…',
  'review.own': 'This is your own address.',
  'review.contract': 'This address belongs to a contract, which might not be able to return what you send.',
  'review.firstTime': 'No earlier transfer to this address was found. Check it with its owner.',
  'review.onlyInHistory':
    'You have not sent to this address from this browser. Only the history from the server contains an earlier transfer to it.',
  'review.unchecked.history': 'Your history could not be checked for similar addresses.',
  'review.unchecked.contract': 'It could not be checked whether this address belongs to a contract.',
} as const
