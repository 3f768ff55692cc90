import { defaultLogLevel, logBufferBytes } from '@latchkey/protocol/logDefaults'

/** The severity of a log entry. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** A log entry. */
export interface LogEntry {
  /** The time of the entry, in epoch milliseconds. */
  readonly at: number
  /** The severity. The buffer also contains entries below the log level. */
  readonly level: Exclude<LogLevel, 'silent'>
  /** The message, truncated to 10,000 characters. */
  readonly text: string
  /** The error as `name: message`, or any other value as text. Truncated to 10,000 characters. */
  readonly cause?: string
}

/** A log that stores entries in a bounded buffer, and prints those at or above the log level to the console. */
export interface Log {
  /** Logs a detail for debugging. `cause` is an error or any other value, and is stored as text. */
  debug(text: string, cause?: unknown): void
  /** Logs a normal but notable event. */
  info(text: string, cause?: unknown): void
  /** Logs a problem that Latchkey handled itself. */
  warn(text: string, cause?: unknown): void
  /** Logs a failure, and reports it to the operator's analytics if enabled. */
  error(text: string, cause?: unknown): void
  /** Returns the buffered entries, with the oldest first. */
  entries(): readonly LogEntry[]
}

const ranks: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

/** Creates a log that drops its oldest entries when the buffer is full. The console's minimum `level` defaults to `error`. */
export function createLog(params: {
  now(): number
  level?: LogLevel | undefined
  print?: Pick<Console, LogEntry['level']> | undefined
  onError?(text: string, cause: unknown): void
}): Log {
  const { level = defaultLogLevel, print = console } = params
  const lines: LogEntry[] = []
  let bytes = 0

  const at = (rank: LogEntry['level']) => (text: string, cause?: unknown) => {
    const line = entry(params.now(), rank, text, cause)
    lines.push(line)
    bytes += sizeOf(line)
    while (bytes > logBufferBytes && lines.length > 1) bytes -= sizeOf(lines.shift() as LogEntry)
    if (ranks.indexOf(rank) >= ranks.indexOf(level))
      print[rank](`[latchkey] ${text}`, ...(cause === undefined ? [] : [cause]))
    if (rank === 'error') params.onError?.(text, cause)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), entries: () => [...lines] }
}

function entry(at: number, level: LogEntry['level'], text: string, cause: unknown): LogEntry {
  // A single entry must not fill the whole buffer.
  const line = { at, level, text: text.slice(0, 10_000) }
  if (cause === undefined) return line
  return {
    ...line,
    cause: (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).slice(0, 10_000),
  }
}

function sizeOf(line: LogEntry): number {
  // A character takes two bytes.
  return 2 * (line.text.length + (line.cause?.length ?? 0)) + 64
}
