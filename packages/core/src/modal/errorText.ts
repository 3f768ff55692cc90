/**
 * Returns the toast text for `error`. A string is returned unchanged. For an object, the text is the message of its first issue.
 * For an `Error` without issues, it is the error's own message. For any other value, it is 'Unknown error'.
 *
 * @example
 * latchkey.toast('error', errorText(error))
 */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return 'Unknown error'
  const { issues, message } = error as { issues?: unknown; message?: unknown }
  const issue: unknown = Array.isArray(issues) ? issues[0]?.message : undefined
  if (typeof issue === 'string') return issue
  return error instanceof Error && typeof message === 'string' ? message : 'Unknown error'
}
