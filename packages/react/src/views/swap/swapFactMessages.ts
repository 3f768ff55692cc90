/** The messages of the details of a quote. They are loaded with them. */
export const swapFactMessages = {
  'swap.impact': 'Price impact',
  'swap.unknown': 'Unknown',
  'swap.minimum': 'Minimum received',
  'swap.minimum.note': 'If the price moves by more than 1%, the swap fails and you keep your tokens.',
  'swap.fee': 'Fee of this app',
  'swap.fee.none': 'None',
  'swap.network': 'Network fee',
} as const
