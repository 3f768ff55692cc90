/** The messages about the network fee of a transfer, which the form and the review share. */
export const sendFeeMessages = {
  'send.fee': 'Network fee',
  'send.fee.about': 'About {amount}',
  'send.fee.upTo': 'Up to {amount}',
  'send.fee.loading': 'Estimating…',
  'send.fee.unknown': 'Unknown',
  'send.fee.wallet': 'Your wallet shows the fee.',
} as const
