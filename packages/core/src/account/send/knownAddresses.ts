import { type AccountId, addressOf } from '@latchkey/protocol/caip'
import type { HistoryTransaction } from '@latchkey/protocol/http/chain'
import { isSameAddress } from '@latchkey/protocol/recipientAddress'

/** The addresses in an account's history. */
export interface KnownAddresses {
  /** The addresses to which the account has sent something. */
  readonly sent: readonly string[]
  /** All addresses, including those in spam. They prove nothing: anybody can put an address into a history. */
  readonly seen: readonly string[]
}

/**
 * Returns the addresses in a history. Transfers of nothing, of unlisted tokens and those marked as spam can be caused by others in
 * the account's name, so their recipients do not count as sent to.
 */
export function knownAddresses(transactions: readonly HistoryTransaction[], account: AccountId): KnownAddresses {
  const own = addressOf(account)
  const sent = new Set<string>()
  const seen = new Set<string>()
  for (const { metadata, transfers } of transactions) {
    const { sentFrom, sentTo, status, operationType } = metadata
    for (const address of [sentFrom, sentTo]) if (address !== '' && !isSameAddress(address, own)) seen.add(address)
    const isOwnTransfer =
      operationType === 'send' &&
      status === 'confirmed' &&
      isSameAddress(sentFrom, own) &&
      transfers.some(
        ({ direction, quantity, isSpam, isUnlisted }) =>
          direction === 'out' && isSpam !== true && isUnlisted !== true && /[1-9]/.test(quantity.numeric),
      )
    if (isOwnTransfer && sentTo !== '' && !isSameAddress(sentTo, own)) sent.add(sentTo)
  }
  return { sent: [...sent], seen: [...seen] }
}
