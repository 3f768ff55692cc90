import type { Clock } from '@latchkey/protocol/clock'
import { socialsAnswerMs } from '@latchkey/protocol/specificationConstants'
import type { State } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import { type Store, slice } from '../lib/store.ts'

/** The social logins that the embedded wallet offers. */
export interface WalletSocials {
  /**
   * Requests the list when the connect view first opens. If there is no response in time, all social logins are assumed to be
   * available.
   */
  start(): void
  /** Sets the list that the embedded wallet reports, which takes precedence over the server's list. */
  set(socials: readonly string[]): void
  stop(): void
}

/** Creates the list of social logins. Manages `socials` in the `wallets` slice. */
export function createWalletSocials(dependencies: {
  readonly state: Store<State>
  /** Whether the modal is rendered inline in the page. */
  readonly embedded: boolean
  /** Requests the list from the server. */
  request(): Promise<readonly string[] | undefined>
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
}): WalletSocials {
  const { state, clock, log } = dependencies
  const wallets = slice(state, 'wallets')
  let stopWaiting = (): void => {}
  let unsubscribe = (): void => {}
  let stopped = false

  const isDisplayed = (): boolean => {
    const { open, stack } = state.get().modal
    return (open || dependencies.embedded) && /^Connect(Socials)?$/.test(stack.at(-1)?.view ?? '')
  }
  const set = (socials: readonly string[]): void => {
    // Do not change the connect view while it is displayed. It shows the new list the next time it opens.
    const update = () => {
      if (wallets.get().socials !== 'loading' && isDisplayed()) return
      stopWaiting()
      wallets.set({ ...wallets.get(), socials })
    }
    stopWaiting()
    stopWaiting = state.subscribe(update)
    update()
  }
  const requestOnDisplay = (): void => {
    if (!isDisplayed()) return
    unsubscribe()
    const giveUp = () => {
      if (wallets.get().socials === 'loading') wallets.set({ ...wallets.get(), socials: undefined })
    }
    const cancel = clock.after(socialsAnswerMs, giveUp)
    dependencies
      .request()
      .then((socials) => {
        const isReported = typeof wallets.get().socials === 'object'
        if (socials && !isReported && !stopped) set(socials)
      })
      .catch(logLoadFailure(log, 'wallets'))
      .finally(() => {
        cancel()
        giveUp()
      })
  }

  return {
    start() {
      unsubscribe = state.subscribe(requestOnDisplay)
      requestOnDisplay()
    },
    set,
    stop() {
      stopped = true
      stopWaiting()
      unsubscribe()
    },
  }
}
