import type { Log } from './serverPorts.ts'

/** The events of a process for errors that nobody has caught. */
export interface ErrorEvents {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
  off(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
}

/**
 * Logs errors that nobody has caught, with code and stack, in place of ending the process: one request must not take all
 * the others with it. Answers with what takes it back.
 */
export function logUncaughtErrors({ process, log }: { process: ErrorEvents; log: Log }): () => void {
  let isLogging = false
  const listenerOf = (event: 'uncaughtException' | 'unhandledRejection') => (error: unknown) => {
    const { code, name, stack } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException
    // Whoever reads the log is gone: a line about it would be the next such error.
    if (isLogging || code === 'EPIPE' || code === 'EIO') return
    isLogging = true
    try {
      log('error', 'an error was not caught', {
        event,
        error: name ?? typeof error,
        ...(code === undefined ? {} : { code: String(code) }),
        ...(stack === undefined ? {} : { stack }),
      })
    } catch {
      // Nobody is left to be told.
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
