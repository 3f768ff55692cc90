import { type ErrorArgs, type ErrorCode, type ErrorDetails, LatchkeyError } from '../latchkeyError.ts'

/** The code of an error that occurs when a connected account lists transactions, sends, swaps or buys tokens. */
export type AccountErrorCode = Extract<ErrorCode, `${'transactions' | 'send' | 'swap' | 'onramp'}/${string}`>

/**
 * The messages for account errors (section 8 of the specification). They are separate from the other messages, because pages
 * load the other messages before they connect.
 */
export const accountErrorMessages: { readonly [Code in AccountErrorCode]: string } = {
  'transactions/failed': 'Failed to fetch transactions',
  'transactions/no-account': "Transactions can't be fetched without an accountAddress",
  'send/incomplete': 'An amount and receiver address are required',
  'send/no-token': 'A token is required',
  'send/unsupported-chain': 'Unsupported chain',
  'send/changed': 'The account or network changed after the transfer was reviewed',
  'send/would-fail': 'The network would not execute this transfer: {reason}',
  'send/unconfirmed': 'The wallet returned no valid transaction hash. The transaction may have been sent',
  'send/not-pending': 'The transaction is no longer pending',
  'send/not-verified': 'The node returned a transaction other than the one to replace',
  'send/expired': 'The network did not execute the transfer before it expired',
  'swap/unsupported-network': 'Network not supported for Swaps',
  'swap/no-gas-price': 'Network not supported for Gas Price',
  'swap/not-loaded': 'Failed to initialize swap',
  'swap/no-liquidity': 'Insufficient liquidity',
  'swap/insufficient-balance': 'Insufficient balance',
  'swap/insufficient-gas': 'Insufficient {symbol} for network fees',
  'swap/allowance-failed': 'Failed to check allowance',
  'swap/approval-failed': 'Failed to create approval transaction',
  'swap/build-failed': 'Failed to create transaction',
  'swap/mismatch': 'The transaction from the server is not the reviewed swap: {reason}',
  'swap/changed': 'The account or network changed after the swap was reviewed',
  'swap/outdated': 'The price has changed since the swap was reviewed',
  'swap/unconfirmed': 'The wallet did not say whether it sent the transaction',
  'swap/reverted': 'Transaction error',
}

/**
 * Creates an account error.
 *
 * @example
 * throw accountFailure('transactions/failed', undefined, { cause })
 */
export function accountFailure<Code extends AccountErrorCode>(
  code: Code,
  ...[details, options]: ErrorDetails[Code] extends undefined
    ? [details?: undefined, options?: ErrorOptions]
    : [details: ErrorDetails[Code], options?: ErrorOptions]
): LatchkeyError<Code> {
  // TypeScript does not infer that these two arguments are valid for every `AccountErrorCode`.
  const args = [details, { ...options, sentence: accountErrorMessages[code] }] as unknown as ErrorArgs<Code>
  return new LatchkeyError(code, ...args)
}
