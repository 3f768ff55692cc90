/** The messages about the network fee of a transfer, and why it would fail. The form and the review need them. */
export const sendFeeMessages = {
  'send.fee': 'Network fee',
  'send.fee.about': 'About {amount}',
  'send.fee.upTo': 'Up to {amount}',
  'send.fee.loading': 'Estimating…',
  'send.fee.unknown': 'Unknown',
  'send.fee.failed': 'Could not estimate the network fee.',
  'send.fee.wallet': 'Your wallet shows the fee.',
  'send.fail.title': 'This transfer would fail',
  'send.fail.recipient-minimum': 'A new account on {network} has to receive at least {minimum}.',
  'send.fail.sender-minimum':
    'Your account has to keep at least {minimum}, or nothing at all. Change the amount, or select “Max”.',
  'send.fail.not-a-recipient': 'This address is a token account and not a wallet.',
  'send.fail.no-token': 'This token does not exist on {network}.',
  'send.fail.token-refuses': 'The token’s contract does not allow this transfer.',
  'send.fail.decimals': 'The token’s contract does not match your displayed balance. Do not send this token.',
  'send.fail.node': 'The network reported: {reason}',
} as const
