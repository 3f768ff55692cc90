/** The messages of the serious warnings about a transfer. They are loaded when one of them is needed. */
export const sendWarningMessages = {
  'review.acknowledge': 'I have checked the whole address and still want to send.',
  'review.acknowledgeAmount': 'I will check the token and the amount in my wallet before I confirm there.',
  'review.acknowledgeWithheld': 'I accept that the recipient can receive less than I send.',
  'review.withheld':
    'The token withholds up to {withheld} of this transfer. The recipient receives at least {received}.',
  'review.unchecked.withheld':
    'It could not be determined how much of this transfer the token withholds. The recipient could receive less.',
  'review.lookAlike.title': 'This address resembles another one',
  'review.lookAlike.sent':
    'You have sent to the other address, but not to this one. Someone could have created it to deceive you.',
  'review.lookAlike.own': 'It is almost your own address, but it is not. Someone could have created it to deceive you.',
  'review.lookAlike.seen': 'One of the two could have been created to deceive you. Check the original source.',
  'review.lookAlike.this': 'This recipient',
  'review.lookAlike.other.sent': 'Earlier recipient',
  'review.lookAlike.other.own': 'Your address',
  'review.lookAlike.other.seen': 'In your history',
  'review.lookAlike.marked': 'Different characters are marked.',
  'review.nameChanged.title': 'This name has a new address',
  'review.nameChanged.body':
    'You have sent to the same name at another address before. Check the new address with its owner.',
  'review.checksum': 'The letters of this address do not match its checksum. It may contain a mistake.',
  'review.zero.title': 'Nobody owns this address',
  'review.zero.body': 'Everything that you send to it is lost.',
  'review.tokenContract.title': 'This is the address of a token’s contract',
  'review.tokenContract.body': 'What is sent to the contract of a token is usually lost.',
  'review.repeat.title': 'You may have sent this already',
  'review.repeat.body': 'You requested the same transfer before. Check your account’s activity first.',
  'review.unchecked.decimals':
    'The number of this token’s decimal places could not be checked, so your wallet could send a different amount.',
  'review.unchecked.symbol':
    'The token’s symbol could not be compared with its contract, so your wallet could send a different token.',
  'review.symbol.title': 'This is not the token that is displayed',
  'review.symbol.body': 'Its contract calls it {symbol}, so it cannot be sent here.',
  'review.similarSymbol': 'The token’s contract calls it {symbol}. Check that this is the token that you want to send.',
  'review.contractElsewhere':
    'This address belongs to a contract on {network}, but not on this network. Its owner might not be able to use what you send.',
} as const
