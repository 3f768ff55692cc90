import { type AccountId, accountId, type ChainId, namespaceOf } from '@latchkey/protocol/caip'

/** Returns `account` in a form that can be compared. EVM addresses are converted to lowercase. */
export function comparable(account: AccountId): string {
  return namespaceOf(account) === 'eip155' ? account.toLowerCase() : account
}

/** Whether session data belongs to this account on this chain. */
export function isSessionOf(
  data: { readonly chainId: ChainId; readonly accountAddress: string },
  account: AccountId,
): boolean {
  return comparable(accountId(data.chainId, data.accountAddress)) === comparable(account)
}

/** Whether `account` and `other` are the same account on the same chain. */
export function isSameAccount(account: AccountId, other: AccountId): boolean {
  return comparable(account) === comparable(other)
}
