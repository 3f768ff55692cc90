/** The messages for receiving assets. They are loaded with the first view that needs them. */
export const receiveMessages = {
  'receive.networks.title': 'Compatible networks',
  'receive.smart':
    'This is a smart account. Send only assets on {network} to it, or on another network where it exists.',
  'receive.smartNone': 'Your smart account does not exist on {network}. Assets sent to it there may be lost.',
} as const
