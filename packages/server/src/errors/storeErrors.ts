import { causesOf, codeOf } from './errorLogFields.ts'

// The SQLSTATE classes for connection exceptions, insufficient resources (including a full disk), operator intervention (such as
// a shutdown or a statement timeout) and system errors, and the code for read-only transactions.
const sqlStates = /^(08|53|57|58)[0-9A-Z]{3}$|^25006$/
const errnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
])
// Errors that the PostgreSQL and Redis clients identify only by message.
const messagePattern =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|timeout expired|Client has encountered a connection error|The client is closed|Socket closed unexpectedly|OOM command not allowed|LOADING |No space left on device)/
const errorNames = new Set([
  'StoreUnavailableError',
  'ClientClosedError',
  'ClientOfflineError',
  'ConnectionTimeoutError',
  'DisconnectsClientError',
  'SocketClosedUnexpectedlyError',
  'SocketTimeoutError',
])

/** Whether an error means that a store is unavailable or rejects writes, and that a retry could succeed later. */
export function isStoreUnavailable(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    if (!(cause instanceof Error)) return false
    const code = codeOf(cause)
    if (code !== undefined && (sqlStates.test(code) || errnos.has(code))) return true
    // A missing Unix socket of a local server has the same code as a missing file.
    if (code === 'ENOENT' && (cause as NodeJS.ErrnoException).syscall === 'connect') return true
    return errorNames.has(cause.name) || messagePattern.test(cause.message)
  })
}

/** Whether an error means that a disk or a disk quota is full. */
export function isDiskError(error: unknown): boolean {
  return causesOf(error).some((cause) => ['53100', 'ENOSPC', 'EDQUOT'].includes(codeOf(cause) ?? ''))
}
