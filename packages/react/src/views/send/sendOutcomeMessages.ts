/** The messages about the progress and the outcome of a transfer. They are loaded once it was confirmed. */
export const sendOutcomeMessages = {
  'review.requested.title': 'Confirm in your wallet',
  'review.requested.body': 'Check that your wallet shows the same amount and address.',
  'review.pending.title': 'Sending {amount}',
  'review.pending.body': 'The network has not confirmed the transfer yet. You can close this window.',
  'review.slow.title': 'This takes longer than usual',
  'review.slow.body': 'The network may be busy. Check the transfer in the explorer before you send it again.',
  'review.done.title': '{amount} sent',
  'review.done.body': 'The network has confirmed the transfer.',
  'review.reverted.title': 'The transfer failed',
  'review.reverted.body': 'The network did not execute it. Only the network fee was charged.',
  'review.declined.title': 'You declined',
  'review.declined.body': 'Nothing was sent.',
  'review.failed.title': 'The transfer was not sent',
  'review.expired.body': 'It expired before the network executed it. Nothing was sent, and no fee was charged.',
  'review.unknown.title': 'This transfer may have been sent',
  'review.unknown.body':
    'It is not known whether your wallet sent it. Check your account’s activity before you send it again.',
  'review.activity': 'View activity',
  'review.close': 'Done',
  'review.edit': 'Edit transfer',
  'review.explorer': 'View on {explorer}',
} as const
