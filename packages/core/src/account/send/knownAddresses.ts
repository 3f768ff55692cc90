import { type AccountId, addressOf } from '@latchkey/protocol/caip'
import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { isSameAddress } from '@latchkey/protocol/recipientAddress'

/** The addresses in an account's history. */
export interface KnownAddresses {
  /** The addresses to which the account has sent something. */
  readonly sent: readonly string[]
  /** All addresses, including those in spam. Do not trust them, because anyone can add an address to a history. */
  readonly seen: readonly string[]
  /** Whether a part of the history could not be read. */
  readonly isPartial?: true
}

/**
 * Returns the addresses in a history. The recipients of zero-value transfers, of unlisted tokens and of spam are not in `sent`,
 * because anyone can create such transfers with the account as the sender.
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
