/** The messages for the buttons on the page. They are separate from the modal's catalog to keep the initial bundle small. */
export const buttonMessages = {
  'button.connect': 'Connect wallet',
  'button.connecting': 'Connecting…',
  'button.loadFailed': 'Could not load. Try again',
  'button.reconnecting': 'Reconnecting…',
  'button.unreachable': 'Unreachable',
  'button.account': 'Account {name}',
  'button.network': 'Network: {name}',
  'button.selectNetwork': 'Select network',
  'button.unsupportedNetwork': 'Unsupported network',
} as const
