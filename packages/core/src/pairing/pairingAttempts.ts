import type { Clock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { maxPairingRounds, minPairingLifeMs, retryGapMs } from '@latchkey/protocol/specificationConstants'
import type { PairingUri } from '../adapter.ts'
import { createStore, type ReadableStore } from '../lib/store.ts'
import type { PairingState } from './pairingTypes.ts'

const initialState: PairingState = { status: 'idle', offer: undefined, error: undefined }

/** The offers that are displayed in turn until a wallet responds, and the state of the pairing. */
export interface PairingAttempts {
  readonly state: ReadableStore<PairingState>
  /** Requests the next offer. Wallets can still respond to earlier offers. */
  begin(): void
  /** Requests an offer and resets the number of offers displayed so far. */
  restart(): void
  /** Requests a new offer, at most once per second. */
  renew(): void
  /** Whether an offer has been requested or is waiting for a wallet, or the wallet that responded is being connected. */
  isPending(): boolean
  /** Whether the current offer is valid for more than ten seconds. A wallet needs that long to respond. */
  isUsable(): boolean
  /** Marks the pairing as connected. The next pairing needs a new offer. */
  finish(): void
  /** Cancels all offers and returns to the initial state. */
  reset(): void
  /** Cancels all offers and reports `error`. */
  fail(error: LatchkeyError): void
}

/** Creates the pairing offers. No offer is requested yet. */
export function createPairingAttempts<Answer>(dependencies: {
  readonly clock: Clock
  /** Offers a pairing and waits for a wallet to respond. */
  pair(params: { readonly signal: AbortSignal; onUri(offer: PairingUri): void }): Promise<Answer>
  /** Connects the wallet that responded. If the promise rejects, the wallet's session is ended. */
  paired(answer: Answer): Promise<void>
  /** Ends the wallet's session. */
  disconnect(answer: Answer): Promise<void>
  /** Whether a view displays the offer. */
  isViewed(): boolean
  /** Called after a failure. `isDisplayed` is false if the pairing was cancelled, or if it expired while no view showed it. */
  failed(error: LatchkeyError, params: { readonly isDisplayed: boolean }): void
}): PairingAttempts {
  const { clock } = dependencies
  const store = createStore<PairingState>(initialState)
  /** The attempts to which a wallet can still respond. `newest` is the latest of them. */
  const attempts = new Set<AbortController>()
  let newest: AbortController | undefined
  let rounds = 0
  let lastStart = Number.NEGATIVE_INFINITY
  let cancelTimer = (): void => {}

  const endAllBut = (current: AbortController | undefined): void => {
    cancelTimer()
    for (const attempt of attempts) if (attempt !== current) attempt.abort(new LatchkeyError('request/aborted'))
    attempts.clear()
    newest = current
  }
  const begin = (): void => {
    const attempt = new AbortController()
    attempts.add(attempt)
    newest = attempt
    lastStart = clock.now()
    rounds += 1
    cancelTimer()
    store.set({ status: 'preparing', offer: undefined, error: undefined })
    run(attempt).then(
      () => attempts.delete(attempt),
      (error: unknown) => {
        attempts.delete(attempt)
        if (newest === attempt) fail(toLatchkeyError(error))
      },
    )
  }
  const run = async (attempt: AbortController): Promise<void> => {
    const { signal } = attempt
    const answer = await dependencies.pair({
      signal,
      onUri(offer) {
        if (newest !== attempt || signal.aborted) return
        store.set({ status: 'offered', offer, error: undefined })
        cancelTimer = clock.after(Math.max(0, offer.expiresAt - clock.now() - minPairingLifeMs), replaceOffer)
      },
    })
    if (!attempts.has(attempt)) return dependencies.disconnect(answer)
    endAllBut(attempt)
    store.set({ status: 'entering', offer: undefined, error: undefined })
    try {
      await dependencies.paired(answer)
      rounds = 0
    } catch (error) {
      await dependencies.disconnect(answer).catch(() => {})
      throw error
    }
  }
  /** Replaces an offer that is about to expire. A wallet that has just scanned the old offer can still approve it. */
  const replaceOffer = (): void => {
    if (!dependencies.isViewed()) store.set({ ...store.get(), offer: undefined })
    else if (rounds < maxPairingRounds) begin()
    else fail(failure('pairing/expired'))
  }
  const fail = (error: LatchkeyError): void => {
    endAllBut(undefined)
    const isDisplayed =
      error.code !== 'request/aborted' && (error.code !== 'pairing/expired' || dependencies.isViewed())
    store.set(isDisplayed ? { status: 'failed', offer: undefined, error } : initialState)
    dependencies.failed(error, { isDisplayed })
  }

  return {
    state: store,
    begin,
    restart() {
      rounds = 0
      begin()
    },
    renew() {
      const { status } = store.get()
      if (status === 'preparing' || status === 'entering') return
      // Limits the wait if the system clock was set back.
      const wait = Math.min(retryGapMs, lastStart + retryGapMs - clock.now())
      rounds = 0
      if (wait <= 0) begin()
      // A code that was just created does not need to be renewed. After a failure, show immediately that a retry is pending.
      else if (status === 'failed') {
        store.set({ status: 'preparing', offer: undefined, error: undefined })
        cancelTimer = clock.after(wait, begin)
      }
    },
    isPending: () => newest !== undefined,
    isUsable() {
      const { offer } = store.get()
      return offer !== undefined && offer.expiresAt - clock.now() > minPairingLifeMs
    },
    finish() {
      newest = undefined
      if (!dependencies.isViewed()) store.set(initialState)
    },
    reset() {
      endAllBut(undefined)
      rounds = 0
      store.set(initialState)
    },
    fail,
  }
}
