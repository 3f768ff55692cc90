/** The messages for replacing a pending transaction. They are loaded when one can be replaced. */
export const replaceMessages = {
  'activity.speedUp': 'Speed up',
  'activity.cancelPending': 'Cancel transaction',
  'activity.cancelled': 'Cancel: {label}',
  'activity.replaceFailed': 'The transaction was not replaced. It may already be confirmed.',
} as const
