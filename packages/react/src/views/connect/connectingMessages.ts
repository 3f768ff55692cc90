/** The messages for connecting a wallet that only the views in this folder need. They are loaded with the first of them. */
export const connectingMessages = {
  'connecting.waiting.title': 'Continue in {wallet}',
  'connecting.waiting.body': 'Accept the request in {wallet} to connect.',
  'connecting.slow': 'Nothing there? The {wallet} window may be behind this one.',
  'connecting.missing.body': 'Install or enable it in this browser, then try again.',
  'connecting.network.title': 'Wrong network',
  'connecting.network.body':
    '{wallet} is on a network that this app does not support. Change it in {wallet}, then try again.',
  'multiChain.title': 'Choose a network',
  'multiChain.body': '{wallet} works with several kinds of networks. Which one do you want to use?',
} as const
