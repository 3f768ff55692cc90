/** The messages for token rows and prices. They are loaded with the first view that lists tokens. */
export const tokenMessages = {
  'tokens.noPrice': 'No price',
  'tokens.oldPrice': 'Price from {age}',
  'tokens.price': 'Price from {age} ({source})',
  'tokens.source.stablecoin': 'stablecoins are valued at 1 USD',
  'tokens.source.external': 'the app’s price service',
  'tokens.source.wallet': 'your wallet',
  'tokens.unlisted': 'Unlisted',
  'tokens.spam': 'Likely spam',
  'tokens.ago.sec': 'just now',
  'tokens.ago.min': '{count} min ago',
  'tokens.ago.hr': '{count} hr ago',
  'tokens.ago.d': '{count} d ago',
  'tokens.ago.mo': '{count} mo ago',
  'tokens.ago.yr': '{count} yr ago',
} as const
