import type { Clock } from '@latchkey/protocol/clock'
import type { Responder } from '@latchkey/walletconnect'
import { errorText } from './errorText.ts'

/** The state of a pairing that was started from a link. */
export type PairingState =
  | { readonly at: 'none' }
  /** Connecting to the relay, or waiting for the page's request. */
  | { readonly at: 'waiting' }
  | { readonly at: 'failed'; readonly because: string }

/** Pairs with pages, and waits for each page's first request. */
export interface Pairing {
  /** Joins the pairing that `uri` identifies. The pairing fails if the page sends no request in time. */
  join(uri: string): Promise<void>
  /** Resets the state to `none` once the page has sent its request or the user has dismissed the error. */
  end(): void
  fail(because: string): void
  /** Cancels the timeout. */
  stop(): void
}

/** How long to wait for a page to send a request after pairing. */
const pairingTimeoutMs = 20_000

/** Creates a pairing in the state `none`. Calls `changed` with each new state. */
export function createPairing({
  responder,
  clock,
  changed,
}: {
  readonly responder: Pick<Responder, 'pair'>
  readonly clock: Clock
  readonly changed: (state: PairingState) => void
}): Pairing {
  let state: PairingState = { at: 'none' }
  let cancelTimeout = (): void => {}

  const set = (next: PairingState): void => {
    cancelTimeout()
    state = next
    changed(state)
  }
  const fail = (because: string): void => set({ at: 'failed', because })

  return {
    async join(uri) {
      set({ at: 'waiting' })
      try {
        await responder.pair(uri)
      } catch (error) {
        fail(errorText(error))
        return
      }
      if (state.at !== 'waiting') return
      cancelTimeout = clock.after(pairingTimeoutMs, () => {
        if (state.at === 'waiting')
          fail('The page sent no request. It may be closed. Create a new code there and try again.')
      })
    },
    end: () => set({ at: 'none' }),
    fail,
    stop: () => cancelTimeout(),
  }
}
