/** The messages that explain wallets and networks. They are loaded separately, with the first view that needs them. */
export const infoMessages = {
  'whatIsAWallet.title': 'What is a wallet?',
  'whatIsAWallet.login.title': 'A login without passwords',
  'whatIsAWallet.login.body': 'One wallet signs you in to many apps. You approve each time.',
  'whatIsAWallet.assets.title': 'A home for what you own',
  'whatIsAWallet.assets.body': 'Money, tickets and art: see, send and receive them in one place.',
  'whatIsAWallet.keys.title': 'Only you have the keys',
  'whatIsAWallet.keys.body': 'Nobody else can open it. Write its recovery words on paper and never share them.',

  'whatIsANetwork.shared.title': 'A shared record',
  'whatIsANetwork.shared.body':
    'A network keeps accounts and payments on many computers, so that no single company can change them.',
  'whatIsANetwork.many.title': 'Many networks, one wallet',
  'whatIsANetwork.many.body':
    'Speed and cost differ between networks. What you own on one stays there until you move it.',
  'whatIsANetwork.choose': 'Choose a network',
} as const
