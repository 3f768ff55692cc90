/** The messages about why a transfer would fail, or why its fee is unknown. They are loaded when one of them is needed. */
export const sendFailureMessages = {
  'send.fee.failed': 'Could not estimate the network fee.',
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
