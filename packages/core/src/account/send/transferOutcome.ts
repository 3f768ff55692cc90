import type { AccountId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import type { StorageEntry } from '../../storage/storageEntry.ts'
import type { PendingTransaction } from '../pendingTransactionTypes.ts'
import type { Portfolio } from '../portfolioTypes.ts'
import { nativeTokenId } from '../refreshAfterTransaction.ts'
import type { RecentRecipients, SentTransfer } from './recentRecipients.ts'
import type { SendDraft, SendInputs } from './sendDraft.ts'
import type { SendReview, SendState, SendTransfer } from './sendTypes.ts'

/** The outcome of the last transfer, starting with the request to the wallet. */
export interface TransferOutcome {
  /** Sets the outcome, and stores it until the account's activity shows it. */
  set(transfer: SendTransfer): void
  /**
   * Sets the outcome that the wallet reported. As soon as the transfer is requested, other tabs see that it may have been sent,
   * until it is certain that it was not.
   */
  report(transfer: SendTransfer, requestedAt: number): void
  /** Updates the outcome from the transactions that the page sent. */
  update(): void
}

/** Creates the outcome. It is part of the form's state. */
export function createTransferOutcome({
  draft,
  recent,
  portfolio,
  clock,
  inputs,
  outcome,
  transactions,
  account,
  dropped,
  publish,
}: {
  readonly draft: Pick<StorageEntry<SendDraft>, 'set'>
  readonly recent: RecentRecipients
  readonly portfolio: Pick<Portfolio, 'refresh'>
  readonly clock: Pick<Clock, 'now'>
  inputs(): SendInputs
  /** Returns the outcome in the state. */
  outcome(): SendTransfer
  /** Returns the transactions that the page sent. */
  transactions(): readonly PendingTransaction[]
  /** Returns the active account. */
  account(): AccountId | undefined
  /** Called before the outcome is set to `failed` because the network did not execute the transfer. */
  dropped(review: SendReview): void
  publish(change: Pick<SendState, 'transfer'> | Pick<SendState, 'recent'>): void
}): TransferOutcome {
  function set(transfer: SendTransfer): void {
    if (transfer.status === 'requested' || transfer.status === 'unknown')
      draft.set({ inputs: inputs(), sent: { review: transfer.review, at: clock.now() } })
    else if (transfer.status === 'pending')
      draft.set({ inputs: inputs(), sent: { review: transfer.review, at: transfer.at, hash: transfer.hash } })
    else draft.set({ inputs: inputs() })
    publish({ transfer })
  }
  const remember = (review: SendReview, sent: { readonly at: number; readonly hash: string | undefined }): void =>
    recent.add({ ...sentTransfer(review), name: review.name, at: sent.at, hash: sent.hash })

  return {
    set,
    report(transfer, requestedAt) {
      if (transfer.status === 'requested') remember(transfer.review, { at: requestedAt, hash: undefined })
      else if (transfer.status === 'failed' || transfer.status === 'pending')
        recent.withdraw({ ...sentTransfer(transfer.review), at: requestedAt })
      if (transfer.status === 'pending') remember(transfer.review, transfer)
      set(transfer)
    },
    update() {
      const transfer = outcome()
      const all = transactions()
      const found = 'hash' in transfer ? all.find(({ hash }) => hash === transfer.hash) : undefined
      if (recent.settle(all)) publish({ recent: recent.of(account()) })
      if (!found || transfer.status !== 'pending' || found.status === 'pending') return
      const { review } = transfer
      // The wallet might have sent the same transfer again with a higher fee.
      if (found.status === 'replaced') set({ status: 'unknown', review, at: transfer.at })
      else if (found.status === 'dropped') {
        dropped(review)
        set({ status: 'failed', review, error: accountFailure('send/expired') })
      } else set({ ...transfer, status: found.status === 'done' ? 'done' : 'reverted' })
      const { chain, token } = review
      void portfolio.refresh({ force: [nativeTokenId(chain), ...(token.address === undefined ? [] : [token.id])] })
    },
  }
}

/** Returns the values that identify a reviewed transfer among those that were sent from this browser. */
export function sentTransfer({ account, chain, to, token, amount }: SendReview): SentTransfer {
  return { account, chain, address: to, token: token.id, amount }
}
