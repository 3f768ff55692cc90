import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { UseLoginReturnType } from './useLogin.ts'
import { useOnUnmount } from './useOnUnmount.ts'

/** Clears `error` when the view unmounts, so that the next view does not show the error. */
export function useClearErrorOnUnmount({ login }: UseLoginReturnType, error: LatchkeyError | undefined): void {
  useOnUnmount(() => {
    if (error && login?.state.get().error === error) login.clearError()
  })
}
