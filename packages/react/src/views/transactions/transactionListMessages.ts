/** The messages of the list of all transactions. They are loaded with it. */
export const transactionListMessages = {
  'activity.empty.body': 'Transactions of this account on {network} are listed here.',
  'activity.moreFailed': 'Could not load more activity.',
  'activity.partial': 'Payments in {symbol} might be missing, because this network’s node only finds token transfers.',
  'activity.spam.one': '{count} suspicious transaction is hidden',
  'activity.spam.other': '{count} suspicious transactions are hidden',
  'activity.spam.show': 'Show',
  'activity.spam.hide': 'Hide',
  'activity.spam.warning': 'Do not use addresses or links from suspicious transactions. Anyone can send them to you.',
} as const
