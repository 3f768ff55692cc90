import type { SwapContext } from './swapContext.ts'
import type { SwapReview } from './swapTypes.ts'

/** How long a swap that was sent stays reserved, in milliseconds. */
const repeatMs = 600_000

/** The reservation of a swap, so that two tabs do not send the same one. */
export interface SwapReservation {
  /**
   * Reserves the swap. Resolves to `false` if another tab has reserved it, unless the user has checked that it was not sent
   * there.
   */
  take(review: SwapReview): Promise<boolean>
  /**
   * Keeps the reservation for ten minutes after the swap was sent, because the same swap might still be under review in another
   * tab.
   */
  keep(): void
  /** Ends the reservation. */
  end(): void
  /** Makes the next `take()` ignore the reservations of other tabs. */
  ignoreOthers(): void
}

/** Creates a `SwapReservation`. A tab reserves at most one swap. */
export function createSwapReservation({ reserve, clock }: Pick<SwapContext, 'reserve' | 'clock'>): SwapReservation {
  let held: { readonly name: string; readonly release: () => void } | undefined
  let cancelEnd = (): void => {}
  let ignoresOthers = false

  function end(): void {
    cancelEnd()
    held?.release()
    held = undefined
  }

  return {
    async take({ account, quote: { from, to, amount } }) {
      const name = ['latchkey swap', account.toLowerCase(), from.id, to.id, amount].join(' ')
      const ignores = ignoresOthers
      ignoresOthers = false
      cancelEnd()
      if (held?.name === name) return true
      end()
      const release = await reserve(name)
      if (release) held = { name, release }
      return release !== undefined || ignores
    },
    keep() {
      cancelEnd = clock.after(repeatMs, end)
    },
    end,
    ignoreOthers() {
      ignoresOthers = true
    },
  }
}
