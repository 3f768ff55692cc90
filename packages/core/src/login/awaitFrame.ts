import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { EmbeddedWalletClient } from '../adapter.ts'
import type { Store } from '../lib/store.ts'
import type { LoginState } from './loginTypes.ts'

/** The time after which the user is notified that the frame is slow to load. The connector measures this time. */
const frameNoticeMs = 5_000

/** Resolves when the frame is ready. If loading is slow, sets `state.error` until the frame is ready. */
export async function awaitFrame(
  wallet: Pick<EmbeddedWalletClient, 'initialised'>,
  { state, signal }: { readonly state: Store<LoginState>; readonly signal: AbortSignal },
): Promise<void> {
  const late = failure('frame/unreachable', { afterMs: frameNoticeMs })
  const clear = () => {
    const now = state.get()
    if (now.error === late) state.set({ ...now, error: undefined })
  }
  try {
    await wallet.initialised(signal, () => {
      if (!signal.aborted) state.set({ ...state.get(), error: late })
    })
  } finally {
    // Clear the error even if loading fails, because the caller reports the final error.
    clear()
  }
}
