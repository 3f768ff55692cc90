/** The headings of the list of tokens that can be swapped. They are loaded with it. */
export const swapPickerMessages = {
  'swap.suggested': 'Common tokens',
  'swap.all': 'All tokens',
} as const
