/** Messages that explain wallets and networks. In a separate file, loaded with the first view that needs them. */
export const infoMessages = {
  'whatIsAWallet.title': 'What is a wallet?',
  'whatIsAWallet.login.title': 'A login without passwords',
  'whatIsAWallet.login.body': 'One wallet signs you in to many apps. You say yes each time.',
  'whatIsAWallet.assets.title': 'A home for what you own',
  'whatIsAWallet.assets.body': 'Money, tickets and art: see, send and receive them in one place.',
  'whatIsAWallet.keys.title': 'Only in your hands',
  'whatIsAWallet.keys.body': 'Nobody else can open it. Keep its recovery words on paper, and tell them to no one.',

  'whatIsANetwork.shared.title': 'A shared record',
  'whatIsANetwork.shared.body':
    'A network keeps accounts and payments on many computers, so that no single company can change them.',
  'whatIsANetwork.many.title': 'Many networks, one wallet',
  'whatIsANetwork.many.body':
    'Speed and cost differ from one to the next. What you own on one network stays there until you move it.',
  'whatIsANetwork.choose': 'Choose a network',
} as const
