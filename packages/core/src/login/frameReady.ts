import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { EmbeddedWalletClient } from '../adapter.ts'
import type { Store } from '../lib/store.ts'
import type { LoginState } from './loginTypes.ts'

/** Time before the user is notified that the frame is slow to load. Measured by the connector. */
const frameNoticeMs = 5_000

/** Resolves when the frame is ready. If this takes long, `state.error` is set while waiting continues. */
export async function frameReady(
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
    // The caller that requested the action reports the final error.
    clear()
  }
}
