import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { UseLoginReturnType } from './useLogin.ts'
import { useOnUnmount } from './useOnUnmount.ts'

/** Clears `error` when the view unmounts, so that another view does not show it. */
export function useClearErrorOnUnmount({ login }: UseLoginReturnType, error: LatchkeyError | undefined): void {
  useOnUnmount(() => {
    if (error && login?.state.get().error === error) login.clearError()
  })
}
