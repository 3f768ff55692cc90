import type { Log } from './serverPorts.ts'

/** The levels of the log, the quietest last. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** A level of the log. */
export type LogLevel = (typeof logLevels)[number]

/** A log that writes one JSON object per line. */
export function createLog({ level, write }: { level: LogLevel; write: (line: string) => void }): Log {
  const from = logLevels.indexOf(level)
  return (at, message, fields = {}) => {
    if (logLevels.indexOf(at) < from) return
    write(`${JSON.stringify({ time: new Date().toISOString(), level: at, message, ...fields })}\n`)
  }
}
