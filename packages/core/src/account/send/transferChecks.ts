import { sendNamespaces } from '@latchkey/protocol/specificationConstants'
import type { PortfolioSubject } from '../portfolioTypes.ts'
import type { FeeEstimate } from './feeEstimate.ts'
import type { RecipientChecks, TransferToCheck } from './recipientChecks.ts'
import type { SendState } from './sendTypes.ts'

/** The checks of the form's transfer, and the estimate of its fee. */
export interface TransferChecks {
  /** Returns the results, or `undefined` while the transfer is being checked. */
  results(): RecipientChecks | undefined
  /** Starts the checks and the estimate, if their inputs have changed. */
  update(): void
  /** Repeats the checks. */
  retry(): void
  stop(): void
}

/** Creates a `TransferChecks`. Nothing is checked until the recipient is known. */
export function createTransferChecks({
  check,
  fee,
  state,
  subject,
  changed,
}: {
  readonly check: (transfer: TransferToCheck, signal: AbortSignal) => Promise<RecipientChecks>
  readonly fee: Pick<FeeEstimate, 'update'>
  state(): Pick<SendState, 'amount' | 'isMax' | 'recipient' | 'token'>
  /** Returns the active account, with its network and wallet session. */
  subject(): PortfolioSubject | undefined
  /** Called when the results have changed. */
  changed(): void
}): TransferChecks {
  let current:
    | { readonly key: string; readonly controller: AbortController; readonly results?: RecipientChecks }
    | undefined

  const start = (key: string): void => {
    current?.controller.abort()
    const controller = new AbortController()
    current = key === '' ? undefined : { key, controller }
    changed()
    const now = subject()
    const to = state().recipient.address
    if (!current || !now || to === undefined) return
    void check({ to, token: state().token, subject: now }, controller.signal).then((results) => {
      if (controller.signal.aborted) return
      current = { key, controller, results }
      changed()
    })
  }

  return {
    results: () => current?.results,
    update() {
      const now = subject()
      const { recipient, token, amount, isMax } = state()
      const to = recipient.status === 'ready' ? recipient.address : undefined
      const key = now && to ? `${now.account} ${now.network.caipNetworkId} ${to} ${token?.id}` : ''
      if (key !== (current?.key ?? '')) start(key)
      const canEstimate = now && token && token.amount > 0n && sendNamespaces.includes(now.network.chainNamespace)
      const isValid = amount !== undefined && amount > 0n && amount <= (token?.amount ?? 0n)
      // The maximum depends on the fee, so the fee must not depend on the maximum.
      const known = isValid && !(isMax && token?.address === undefined) ? amount : undefined
      fee.update(canEstimate ? { subject: now, token, to, amount: known } : undefined)
    },
    retry() {
      if (current) start(current.key)
    },
    stop: () => current?.controller.abort(),
  }
}
