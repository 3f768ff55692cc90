import { isEmailAddress } from '@latchkey/protocol/emailAddress'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { ErrorPlace } from './loginContext.ts'

/** Returns the trimmed email address. Throws if the input is not an email address. */
export function parseEmail(typed: string): string {
  const email = typed.trim()
  if (!isEmailAddress(email)) throw new LatchkeyError('input/invalid', { path: 'email', message: 'Invalid email' })
  return email
}

/**
 * Returns where an email error is displayed. Errors about invalid addresses, which are recognized by their message, are displayed
 * below the field. Outages, including those of the mail server, are displayed there, too, because they last longer than a toast.
 */
export function emailErrorPlace(error: LatchkeyError): ErrorPlace {
  // The user cancelled in the wallet's window, which is not an error.
  if (error.code === 'user/rejected') return 'nowhere'
  return /Invalid email|mail could not be sent/.test(error.message) || isOutage(error) ? 'field' : 'toast'
}

/** Whether the frame or its server did not respond. */
export function isOutage({ code }: LatchkeyError): boolean {
  return /^(frame\/(unreachable|load-failed|timeout)|wallet\/unreachable)$/.test(code)
}
