/** The messages of the notices in the form for sending tokens. They are loaded with the notices. */
export const sendNoticeMessages = {
  'send.checksum.title': 'This address may contain a mistake',
  'send.checksum.body':
    'Its upper and lower case letters do not match its checksum. Compare it with the original, or copy it again.',
  'send.checksum.accept': 'Use it anyway',
  'send.fee.missing': 'Sending needs about {fee} for the network fee. You have {balance}.',
  'send.receive': 'Receive {coin}',
  'send.tokens.failed': 'Could not load your tokens.',
  'send.interrupted.title': 'Was this transfer sent?',
  'send.interrupted.body':
    'Your wallet received a request to send {amount} to {recipient}, but did not report the result. Check your account’s activity before you send it again.',
  'send.interrupted.dismiss': 'I have checked',
  'send.error.invalid': 'This is not an address or name on {network}.',
  'send.error.unknownName': 'No address was found for {name} on {network}.',
  'send.error.lookup': 'Could not look up {name}.',
  'send.error.amount': 'Enter an amount of {token} greater than 0.',
  'send.error.funds': 'You have {amount}.',
  'send.fee.maxUnknown': 'The maximum is unknown until the network fee has been estimated.',
  'send.pasteFailed': 'Could not read the clipboard. Paste with your keyboard.',
  'send.switchNetwork': 'Choose another network',
} as const
