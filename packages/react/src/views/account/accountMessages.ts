/** The messages for the account's tokens and actions. They are loaded with the account view. */
export const accountMessages = {
  'account.actions': 'Actions',
  'account.buy': 'Buy',
  'account.swap': 'Swap',
  'account.send': 'Send',
  'account.total': 'Total value',
  'account.lists': 'Tokens and activity',
  'account.tokens': 'Tokens',
  'account.activity': 'Activity',
  'account.tokensLoading': 'Loading tokens…',
  'account.tokensEmpty': 'This account owns no tokens on {network}.',
  'account.tokensFailed': 'Token balances are not available',
  'account.tokensOld': 'These balances were loaded earlier and might be out of date.',
  'account.tokensWait': 'You can try again in 30 seconds.',
  'account.tokensAll': 'Show all {count} tokens',
  'account.tokensLess': 'Show less',
  'account.hidden.one': '{count} hidden token',
  'account.hidden.other': '{count} hidden tokens',
  'account.hidden.hide': 'Hide unlisted tokens',
  'account.hidden.warning':
    'Anyone can send you these tokens. Names and logos can imitate known tokens, and links in them can be scams.',
} as const
