import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { LoginContext } from './loginContext.ts'
import type { Login, LoginState } from './loginTypes.ts'

/** Runs login steps. Sets which step is in progress, and displays errors. */
export interface LoginSteps {
  readonly run: LoginContext['run']
  /** Sets the function that returns the text of toasts. */
  readonly setErrorFormatter: Login['setErrorFormatter']
  /** Displays a message that confirms that another code was sent. */
  confirmResent(): void
}

/** Creates the runner for login steps. No errors are displayed after `signal` aborts. */
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
        // Do not reset the step if a newer action has started.
        if (turn === latest) patch({ busy: undefined })
      }
    },
    setErrorFormatter(formatter) {
      format = formatter
    },
    confirmResent: () => toast('success', format?.() ?? 'Code email resent'),
  }
}
