/** The messages for receiving assets. They are loaded with the views that need them. */
export const receiveMessages = {
  'receive.networks.title': 'Compatible networks',
  'receive.networks.smart':
    'Your smart account exists only on these networks. Assets sent to it on any other network may be lost.',
  'receive.networks.own':
    'This address is yours on all of these networks. Assets sent on any other network may be lost.',
  'receive.networks.unknown':
    'This app works on these networks. Your wallet may not support all of them, so check before you receive on another one than {network}.',
  'receive.networks.active': 'Selected network',
  'receive.smart':
    'This is a smart account. Send only assets on {network} to it, or on another network where it exists.',
  'receive.smartNone': 'Your smart account does not exist on {network}. Assets sent to it there may be lost.',
} as const
