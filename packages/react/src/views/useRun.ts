import { isLatchkeyError, type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import { useEffect, useRef, useState } from 'react'

/** What became of a task. */
export type Run =
  | { readonly status: 'waiting' }
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly error: LatchkeyError }

/**
 * Runs `task` when the view appears, and again by `again()`. Leaving aborts it.
 * The task starts in a microtask: React's strict mode mounts twice, and a wallet must be asked once.
 */
export function useRun(
  task: (signal: AbortSignal) => Promise<unknown>,
  { off = false }: { off?: boolean } = {},
): {
  readonly run: Run
  /** 1 for the first time. */
  readonly attempt: number
  again(): void
} {
  const [attempt, setAttempt] = useState(1)
  const [run, setRun] = useState<Run>({ status: 'waiting' })
  const newest = useRef(task)
  useEffect(() => {
    newest.current = task
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is what asks again
  useEffect(() => {
    if (off) return
    const left = new AbortController()
    setRun({ status: 'waiting' })
    Promise.resolve()
      .then(() => (left.signal.aborted ? undefined : newest.current(left.signal)))
      .then(
        () => {
          if (!left.signal.aborted) setRun({ status: 'done' })
        },
        (error: unknown) => {
          if (left.signal.aborted) return
          setRun({ status: 'failed', error: isLatchkeyError(error) ? error : toLatchkeyError(error) })
        },
      )
    return () => left.abort()
  }, [attempt, off])

  return { run, attempt, again: () => setAttempt((now) => now + 1) }
}
