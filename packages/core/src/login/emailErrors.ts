import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { ErrorPlace } from './loginContext.ts'

/** Returns the trimmed address. Throws if it is not an email address. */
export function parseEmail(typed: string): string {
  const email = typed.trim()
  if (!/^\S+@\S+\.\S+$/.test(email))
    throw new LatchkeyError('input/invalid', { path: 'email', message: 'Invalid email' })
  return email
}

/**
 * Returns where an email error is displayed. An invalid address (matched by message text) and an outage, which lasts longer than a toast, are
 * displayed below the field.
 */
export function emailErrorPlace(error: LatchkeyError): ErrorPlace {
  // Cancelling in the wallet's window is not an error.
  if (error.code === 'user/rejected') return 'nowhere'
  return error.message.includes('Invalid email') || isOutage(error) ? 'field' : 'toast'
}

/** Whether the frame or its server did not respond. */
export function isOutage({ code }: LatchkeyError): boolean {
  return /^(frame\/(unreachable|load-failed|timeout)|wallet\/unreachable)$/.test(code)
}
