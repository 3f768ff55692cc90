import type { Log } from '../serverDependencies.ts'

/** The process events for uncaught errors. */
export interface ErrorEvents {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
  off(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
}

/**
 * Logs uncaught errors with their code and stack instead of ending the process, so that one request cannot interrupt all others.
 * Returns a function that removes the listeners.
 */
export function logUncaughtErrors({ process, log }: { process: ErrorEvents; log: Log }): () => void {
  let isLogging = false
  const listenerOf = (event: 'uncaughtException' | 'unhandledRejection') => (error: unknown) => {
    const { code, name, stack } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException
    // The process that reads the log has exited. Logging this error would cause it again.
    if (isLogging || code === 'EPIPE' || code === 'EIO') return
    isLogging = true
    try {
      log('error', 'uncaught error', {
        event,
        error: name ?? typeof error,
        ...(code === undefined ? {} : { code: String(code) }),
        ...(stack === undefined ? {} : { stack }),
      })
    } catch {
      // Logging itself failed, so the error cannot be reported.
    } finally {
      isLogging = false
    }
  }
  const listeners = (['uncaughtException', 'unhandledRejection'] as const).map(
    (event) => [event, listenerOf(event)] as const,
  )
  for (const [event, listener] of listeners) process.on(event, listener)
  return () => {
    for (const [event, listener] of listeners) process.off(event, listener)
  }
}
