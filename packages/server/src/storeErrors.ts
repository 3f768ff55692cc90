import { causesOf, codeOf } from './errorLogFields.ts'

// SQLSTATE: connection exceptions, too few resources (a full disk among them), an operator's intervention (shutting down,
// a statement that took too long), errors of the system below, and a server that became read-only.
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
// What the clients of PostgreSQL and Redis say in words alone.
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

/** Whether an error says that a store does not answer or takes nothing, so that the same request may succeed later. */
export function isStoreUnavailable(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    if (!(cause instanceof Error)) return false
    const code = codeOf(cause)
    if (code !== undefined && (sqlStates.test(code) || errnos.has(code))) return true
    // The socket of a server on this machine that is gone; a missing file is another matter.
    if (code === 'ENOENT' && (cause as NodeJS.ErrnoException).syscall === 'connect') return true
    return errorNames.has(cause.name) || messagePattern.test(cause.message)
  })
}

/** Whether an error says that a disk has no room left, or a quota of it is used up. */
export function isDiskError(error: unknown): boolean {
  return causesOf(error).some((cause) => ['53100', 'ENOSPC', 'EDQUOT'].includes(codeOf(cause) ?? ''))
}
