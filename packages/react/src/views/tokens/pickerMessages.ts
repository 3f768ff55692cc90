/** The messages of the list in which a token is chosen. */
export const pickerMessages = {
  'picker.title': 'Select token',
  'picker.search': 'Name, symbol or address',
  'picker.clear': 'Clear search',
  'picker.yours': 'Your tokens',
  'picker.hidden': 'Hidden tokens',
  'picker.hiddenNote': 'These tokens are on no token list or look like spam. Do not trust their names.',
  'picker.show': 'Show hidden tokens',
  'picker.none.title': 'No token found',
  'picker.none.body': 'Nothing matches “{search}”.',
  'picker.empty.title': 'No tokens yet',
  'picker.empty.body': 'This account has no tokens on {network}.',
  'picker.contract.none': 'There is no token at this address on {network}.',
  'picker.contract.failed': 'Could not read this token.',
  'picker.failed': 'Could not load your tokens.',
} as const
