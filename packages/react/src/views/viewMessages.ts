/**
 * The messages of the views other than Connect, loaded as one chunk once Connect is displayed. Messages that only a few pages
 * need are in separate files, for example `login/loginMessages.ts`.
 */
export const viewMessages = {
  'connectWallets.title': 'Choose a wallet',

  'allWallets.title': 'All wallets',
  'allWallets.search': 'Search wallets',
  'allWallets.clear': 'Clear search',
  'allWallets.count.one': '{count} wallet',
  'allWallets.count.other': '{count} wallets',
  'allWallets.loading': 'Loading wallets…',
  'allWallets.none.title': 'No wallet found',
  'allWallets.none.body': 'Nothing matches “{search}”. Check the spelling or try a shorter word.',
  'allWallets.empty': 'This app lists no wallets.',
  'allWallets.failed': 'Could not load the wallets',
  'allWallets.moreFailed': 'Could not load more wallets.',

  'connecting.declined.title': 'You declined',
  'connecting.declined.body': '{wallet} shared nothing with this app.',
  'connecting.silent.title': '{wallet} is not responding',
  'connecting.silent.body': 'Unlock {wallet} or restart it, then try again.',
  'connecting.busy.title': 'A request is already open',
  'connecting.busy.body': 'Open {wallet} and finish the request there, then try again.',
  'connecting.missing.title': '{wallet} was not found',
  'connecting.failed.title': 'Connection failed',
  'connecting.already.title': 'Already connected',
  'connecting.already.body': '{wallet} is connected to this app.',
  'connecting.get': 'Get {wallet}',
  'connecting.account': 'View account',

  'whatIsANetwork.title': 'What is a network?',

  'account.title': 'Account',
  'account.copied': 'Address copied',
  'account.explorer': 'View on {explorer}',
  'account.receive': 'Receive',
  'account.network': 'Network',
  'account.disconnect': 'Disconnect',
  'account.disconnecting': 'Disconnecting…',
  'account.disconnectFailed': 'Could not disconnect. Try again.',
  'account.none.title': 'No wallet connected',
  'account.none.body': 'Connect one to see your account here.',

  'wallets.add': 'Connect another wallet',

  'receive.title': 'Receive',
  'receive.qr': 'QR code of your address, which is also shown below.',
  'receive.copy': 'Copy address',
  'receive.copied': 'Copied',
  'receive.copyFailed': 'Could not copy. The address is selected: copy it manually.',
  'receive.warning': 'Send only assets on {network} to this address. Anything else may be lost.',

  'reason.offline': 'You are offline. Check your connection, then try again.',
  'reason.unreachable': 'The server did not respond.',
  'reason.refused': 'The server rejected this app.',
  'reason.malformed': 'The server sent an invalid response.',
  'reason.timeout': 'The request timed out.',
  'reason.wallet': 'The wallet reported: {message}',
} as const
