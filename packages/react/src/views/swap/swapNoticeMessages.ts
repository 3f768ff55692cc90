/** The messages of the notices about a swap. They are loaded when one of them is needed. */
export const swapNoticeMessages = {
  'swap.liquidity.body': 'This amount of these tokens cannot be swapped here. Try a smaller amount or another token.',
  'swap.failed': 'Could not get a price.',
  'swap.mismatch': 'The reported details of this token are inconsistent, so it cannot be swapped here.',
  'swap.unlisted': '{symbol} is on no token list. Anyone can create a token with this name, so check its address.',
  'swap.worse': 'You get about {percent} less than what you pay is worth.',
  'swap.notLoaded': 'Could not load the tokens.',
  'swap.unconfirmed.title': 'A transaction may have been sent',
  'swap.unconfirmed.body': 'Check the activity in your wallet before you swap again.',
  'swap.unconfirmed.confirm': 'I have checked',
} as const
