import { type AccountId, accountId, type ChainId, namespaceOf } from '@latchkey/protocol/caip'

/** Returns `account` in a form that can be compared: EVM addresses in lower case, others unchanged. */
export function comparable(account: AccountId): string {
  return namespaceOf(account) === 'eip155' ? account.toLowerCase() : account
}

/** Whether `data` belongs to exactly this account on this chain. */
export function isSessionOf(
  data: { readonly chainId: ChainId; readonly accountAddress: string },
  account: AccountId,
): boolean {
  return comparable(accountId(data.chainId, data.accountAddress)) === comparable(account)
}

/** Whether both are the same account on the same chain. */
export function isSameAccount(account: AccountId, other: AccountId): boolean {
  return comparable(account) === comparable(other)
}
