import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AccountView, State } from '../latchkeyTypes.ts'
import { lazyValue } from '../lib/lazyValue.ts'
import type { Log } from '../lib/log.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import type { Retries } from '../lib/retries.ts'
import type { Store } from '../lib/store.ts'
import { errorText } from '../modal/errorText.ts'
import type { createModalSignIn } from '../modal/modalSignIn.ts'
import type { Notifications } from '../modal/notifications.ts'

type ModalSignIn = ReturnType<typeof createModalSignIn>

/** Loads sign-in at startup. */
export interface SignInLoader {
  /**
   * Starts loading. A failed load is retried. Until loading succeeds, the sign-in status is unknown and the user stays connected.
   */
  start(): void
  /** Resolves to the sign-in module once it is loaded. */
  get(): Promise<ModalSignIn>
  stop(): void
}

/** Creates the sign-in loader. */
export function createSignInLoader(dependencies: {
  /** Loads the sign-in module. `before` is the account when loading started, which might have changed since then. */
  load(before: AccountView): Promise<ModalSignIn>
  account(): AccountView
  readonly state: Store<State['signIn']>
  readonly retries: Retries
  readonly log: Pick<Log, 'error'>
  readonly toast: Notifications['toast']
}): SignInLoader {
  const { state, log } = dependencies
  const signIn = lazyValue(() => dependencies.load(before))
  let before = dependencies.account()
  let cancelRetry = (): void => {}
  let stopped = false

  const load = (failures: number): void => {
    signIn.get().catch((error: unknown) => {
      logLoadFailure(log, 'sign-in')(error)
      if (stopped) return
      state.set({ ...state.get(), status: 'unknown', error: toLatchkeyError(error) })
      cancelRetry = dependencies.retries.schedule({ failures: failures + 1 }, () => load(failures + 1))
      if (failures === 0) dependencies.toast('error', errorText(error))
    })
  }
  return {
    start() {
      before = dependencies.account()
      load(0)
    },
    get: signIn.get,
    stop() {
      stopped = true
      cancelRetry()
      signIn.stop()
    },
  }
}
