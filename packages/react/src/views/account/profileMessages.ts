/** The messages of the list of connected wallets. They are loaded with it. */
export const profileMessages = {
  'wallets.title': 'Your wallets',
  'wallets.connected': 'Connected',
  'wallets.recent': 'Recently used',
  'wallets.active': 'Active',
  'wallets.switchTo': 'Switch to {wallet}',
  'wallets.disconnect': 'Disconnect {wallet}',
  'wallets.disconnectAll': 'Disconnect all',
  'wallets.switched': 'Now using {wallet}',
  'wallets.gone': '{wallet} disconnected',
} as const
