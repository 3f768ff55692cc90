import type { Clock } from '@latchkey/protocol/clock'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Adapter, TransferFee } from '../../adapter.ts'
import { delay } from '../../lib/delay.ts'
import type { QueryResult } from '../../lib/queryResult.ts'
import type { PortfolioSubject } from '../portfolio.ts'
import type { Token } from '../portfolioTypes.ts'

/** The transfer whose fee is estimated. */
export interface FeeQuestion {
  readonly subject: PortfolioSubject
  readonly token: Token
  /** The recipient. If not set, the fee of a transfer to the account itself is estimated. */
  readonly to: string | undefined
  /** The amount in base units. If not set, half of the balance is used, because fees hardly depend on the amount. */
  readonly amount: bigint | undefined
}

/** The time without input after which the fee is estimated, in milliseconds. */
const pauseMs = 300

/** Estimates the fee of the transfer in the form. */
export interface FeeEstimate {
  /** Estimates the fee, unless the transfer is still the same. */
  ask(question: FeeQuestion | undefined): void
  /** Estimates the fee of the last transfer again. */
  again(): void
  stop(): void
}

/** Creates the estimate. `put` receives the fee when it changes. */
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
  let last: FeeQuestion | undefined

  const estimate = async (question: FeeQuestion, signal: AbortSignal, pause: number): Promise<void> => {
    await delay({ clock, ms: pause, signal })
    if (signal.aborted) return
    const { subject, token, to, amount } = question
    const { account, network, session } = subject
    const adapter = adapters.find(({ namespace }) => namespace === network.chainNamespace)
    if (!adapter?.transferFee) return put(() => ({ status: 'idle' }))
    try {
      const value = await adapter.transferFee({
        account,
        to: to ?? account.slice(account.lastIndexOf(':') + 1),
        amount: amount ?? token.amount / 2n,
        ...(token.address !== undefined && { token: token.address, decimals: token.decimals }),
        network,
        signal,
        ...(session && { session }),
        ...(fetch && { fetch }),
      })
      if (!signal.aborted) put(() => ({ status: 'ready', value }))
    } catch (error) {
      if (signal.aborted) return
      // Only report that the transfer would fail if it is the one in the form.
      const isComplete = to !== undefined && amount !== undefined
      put(() => (isComplete ? { status: 'failed', error: toLatchkeyError(error) } : { status: 'idle' }))
    }
  }

  const start = (question: FeeQuestion, pause: number): void => {
    current.abort()
    current = new AbortController()
    // The last fee stays visible while the amount changes, but not for another token, network or account.
    put(({ value }) => (value ? { status: 'loading', value } : { status: 'loading' }))
    void estimate(question, current.signal, pause)
  }

  return {
    ask(question) {
      const next = question ? keyOf(question) : ''
      if (next === key) return
      const isSameKind = question !== undefined && last !== undefined && kindOf(question) === kindOf(last)
      key = next
      last = question
      if (!isSameKind) put(() => ({ status: 'idle' }))
      if (question) start(question, pauseMs)
      else current.abort()
    },
    again() {
      if (last) start(last, 0)
    },
    stop: () => current.abort(),
  }
}

function kindOf({ subject, token }: FeeQuestion): string {
  const { account, network, session } = subject
  return [account, network.caipNetworkId, session?.details?.type, token.id].join(' ')
}

function keyOf(question: FeeQuestion): string {
  return [kindOf(question), question.to, question.amount].join(' ')
}
