import type { Clock } from '@latchkey/protocol/clock'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Adapter, TransferFee } from '../../adapter.ts'
import { delay } from '../../lib/delay.ts'
import { loading, type QueryResult } from '../../lib/queryResult.ts'
import type { PortfolioSubject, Token } from '../portfolioTypes.ts'

/** The transfer whose fee is estimated. */
export interface TransferToEstimate {
  readonly subject: PortfolioSubject
  readonly token: Token
  /** The recipient. If not set, the fee of a transfer to the account itself is estimated. */
  readonly to: string | undefined
  /** The amount in base units. If not set, half of the balance is used, because fees hardly depend on the amount. */
  readonly amount: bigint | undefined
}

/** How long after the last change the fee is estimated, in milliseconds. */
const pauseMs = 300

/** Estimates the fee of the transfer in the form. */
export interface FeeEstimate {
  /** Estimates the fee if the transfer has changed. */
  update(transfer: TransferToEstimate | undefined): void
  /** Estimates the fee of the last transfer again. */
  repeat(): void
  stop(): void
}

/** Creates a `FeeEstimate`. Calls `put` with each change of the fee. */
export function createFeeEstimate({
  adapters,
  fetch,
  clock,
  put,
}: {
  readonly adapters: readonly Adapter[]
  readonly fetch: typeof globalThis.fetch | undefined
  readonly clock: Clock
  put(change: (now: QueryResult<TransferFee>) => QueryResult<TransferFee>): void
}): FeeEstimate {
  let current = new AbortController()
  let key = ''
  let last: TransferToEstimate | undefined

  const estimate = async (transfer: TransferToEstimate, signal: AbortSignal, pause: number): Promise<void> => {
    await delay({ clock, ms: pause, signal })
    if (signal.aborted) return
    const { subject, token, to, amount } = transfer
    const { account, network, session } = subject
    const adapter = adapters.find(({ namespace }) => namespace === network.chainNamespace)
    if (!adapter?.transferFee) return put(() => ({ status: 'idle' }))
    try {
      const { withheld, ...value } = await adapter.transferFee({
        account,
        to: to ?? account.slice(account.lastIndexOf(':') + 1),
        amount: amount ?? token.amount / 2n,
        ...(token.address !== undefined && { token: token.address, decimals: token.decimals }),
        network,
        signal,
        ...(session && { session }),
        ...(fetch && { fetch }),
      })
      // What the token withholds depends on the amount.
      const isWithheldKnown = amount !== undefined && withheld !== undefined
      if (!signal.aborted) put(() => ({ status: 'ready', value: { ...value, ...(isWithheldKnown && { withheld }) } }))
    } catch (error) {
      if (signal.aborted) return
      // Only report that the transfer would fail if it is the one in the form.
      const isComplete = to !== undefined && amount !== undefined
      put(() => (isComplete ? { status: 'failed', error: toLatchkeyError(error) } : { status: 'idle' }))
    }
  }

  const start = (transfer: TransferToEstimate, pause: number): void => {
    current.abort()
    current = new AbortController()
    void estimate(transfer, current.signal, pause)
  }

  return {
    update(transfer) {
      const next = transfer ? keyOf(transfer) : ''
      if (next === key) return
      const isSameKind = transfer !== undefined && last !== undefined && kindOf(transfer) === kindOf(last)
      key = next
      last = transfer
      if (!isSameKind) put(() => ({ status: 'idle' }))
      if (!transfer) return current.abort()
      // The last fee stays visible while the amount changes, but not for another token, network or account.
      put(loading)
      start(transfer, pauseMs)
    },
    repeat() {
      if (!last) return
      // The transfer is unchanged, so its fee stays valid until the new estimate is known.
      put((now) => (now.status === 'ready' ? now : loading(now)))
      start(last, 0)
    },
    stop: () => current.abort(),
  }
}

function kindOf({ subject, token }: TransferToEstimate): string {
  const { account, network, session } = subject
  return [account, network.caipNetworkId, session?.details?.type, token.id].join(' ')
}

function keyOf(transfer: TransferToEstimate): string {
  return [kindOf(transfer), transfer.to, transfer.amount].join(' ')
}
