import { type AccountId, accountId, type ChainId, namespaceOf } from '@latchkey/protocol/caip'

/** `account` as it is compared: EVM addresses in lower case, others letter for letter. */
export function comparable(account: AccountId): string {
  return namespaceOf(account) === 'eip155' ? account.toLowerCase() : account
}

/** Whether `data` is about exactly that account on exactly that chain. */
export function isSessionOf(
  data: { readonly chainId: ChainId; readonly accountAddress: string },
  account: AccountId,
): boolean {
  return comparable(accountId(data.chainId, data.accountAddress)) === comparable(account)
}
