/** The messages of the list of networks on which an address can receive assets. They are loaded with it. */
export const compatibleNetworksMessages = {
  'receive.networks.smart':
    'Your smart account exists only on these networks. Assets sent to it on any other network may be lost.',
  'receive.networks.own':
    'This address is yours on all of these networks. Assets sent on any other network may be lost.',
  'receive.networks.unknown':
    'This app works on these networks. Your wallet may not support all of them, so check before you receive on a network other than {network}.',
  'receive.networks.active': 'Selected network',
} as const
