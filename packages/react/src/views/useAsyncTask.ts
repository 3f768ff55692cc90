import { isLatchkeyError, type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { useEffect, useRef, useState } from 'react'

/** The state of an asynchronous task. */
export type TaskState =
  | { readonly status: 'waiting' }
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly error: LatchkeyError }

/**
 * Runs `task` when the view mounts and on each `retry()`. Unmounting the view aborts the task. The task starts in a microtask,
 * because React Strict Mode mounts components twice and a wallet must receive only a single request.
 */
export function useAsyncTask(
  task: (signal: AbortSignal) => Promise<unknown>,
  { disabled = false }: { disabled?: boolean } = {},
): {
  readonly state: TaskState
  /** The number of the current attempt, starting at 1. */
  readonly attempt: number
  retry(): void
} {
  const [attempt, setAttempt] = useState(1)
  const [state, setState] = useState<TaskState>({ status: 'waiting' })
  const latest = useRef(task)
  useEffect(() => {
    latest.current = task
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry
  useEffect(() => {
    if (disabled) return
    const controller = new AbortController()
    setState({ status: 'waiting' })
    Promise.resolve()
      .then(() => (controller.signal.aborted ? undefined : latest.current(controller.signal)))
      .then(
        () => {
          if (!controller.signal.aborted) setState({ status: 'done' })
        },
        (error: unknown) => {
          if (controller.signal.aborted) return
          setState({ status: 'failed', error: isLatchkeyError(error) ? error : toLatchkeyError(error) })
        },
      )
    return () => controller.abort()
  }, [attempt, disabled])

  return { state, attempt, retry: () => setAttempt((now) => now + 1) }
}
