import type { LatchkeyError } from '@latchkey/protocol/errors'
import type { UseLoginReturnType } from './useLogin.ts'
import { useOnUnmount } from './useOnUnmount.ts'

/** Takes `error` along when its view goes: what was wrong with a code is no news under another view's field. */
export function useClearErrorOnUnmount({ login }: UseLoginReturnType, error: LatchkeyError | undefined): void {
  useOnUnmount(() => {
    if (error && login?.state.get().error === error) login.clearError()
  })
}
