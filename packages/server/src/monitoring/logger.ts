import type { Log } from '../serverDependencies.ts'

/** The log levels, from most to least verbose. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** A log level. */
export type LogLevel = (typeof logLevels)[number]

/**
 * Creates a log that writes one JSON object per line. Entries below `level` are dropped.
 *
 * @example
 * const log = createLog({ level: 'info', write: (line) => process.stderr.write(line) })
 * log('info', 'started', { port: 4100 })
 */
export function createLog({ level, write }: { level: LogLevel; write: (line: string) => void }): Log {
  const from = logLevels.indexOf(level)
  return (at, message, fields = {}) => {
    if (logLevels.indexOf(at) < from) return
    write(`${JSON.stringify({ time: new Date().toISOString(), level: at, message, ...fields })}\n`)
  }
}
