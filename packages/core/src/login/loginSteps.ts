import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { LoginContext } from './loginContext.ts'
import type { Login, LoginState } from './loginTypes.ts'

/** Runs the steps of a login, and displays which is in progress and why one failed. */
export interface LoginSteps {
  readonly run: LoginContext['run']
  /** Sets how toasts are worded. */
  readonly setErrorFormatter: Login['setErrorFormatter']
  /** Displays that another code was sent. */
  confirmResent(): void
}

/** Creates the runner. After `signal` aborts, no error is displayed. */
export function createLoginSteps(dependencies: {
  readonly toast: LoginContext['toast']
  readonly signal: AbortSignal
  patch(change: Partial<LoginState>): void
}): LoginSteps {
  const { toast, signal, patch } = dependencies
  let format: ((error?: LatchkeyError) => string) | undefined
  let latest = 0

  return {
    async run(step, action, errorPlace = () => 'toast') {
      const turn = ++latest
      patch({ busy: step, error: undefined })
      try {
        return await action()
      } catch (cause) {
        const error = toLatchkeyError(cause)
        const isCancelled = signal.aborted || error.code === 'request/aborted' || error.code === 'frame/aborted'
        const place = isCancelled ? 'nowhere' : errorPlace(error)
        if (place === 'field' || place === 'both') patch({ error })
        if (place === 'toast' || place === 'both') toast('error', format?.(error) ?? error.message)
        throw error
      } finally {
        // Do not reset the step of a newer action.
        if (turn === latest) patch({ busy: undefined })
      }
    },
    setErrorFormatter(formatter) {
      format = formatter
    },
    confirmResent: () => toast('success', format?.() ?? 'Code email resent'),
  }
}
