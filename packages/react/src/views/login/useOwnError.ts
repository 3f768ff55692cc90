import type { LatchkeyError } from '@latchkey/protocol/errors'
import { useLeaving } from './useLeaving.ts'
import type { LoginNow } from './useLogin.ts'

/** Takes `error` along when its view goes: what was wrong with a code is no news under another view's field. */
export function useOwnError({ login }: LoginNow, error: LatchkeyError | undefined): void {
  useLeaving(() => {
    if (error && login?.state.get().error === error) login.clearError()
  })
}
