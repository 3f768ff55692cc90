import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/errors'
import type { MessageKey } from '../../i18n/messages.ts'
import type { LoginText } from '../../i18n/useLoginText.ts'

// The frame sends no codes but sentences; these are the ones that a visitor can do something about.
const known: Readonly<Record<string, MessageKey>> = {
  'Invalid email': 'email.invalid',
  'The mail could not be sent': 'email.notSent',
  'Invalid code': 'otp.wrong',
  'This code has expired': 'otp.expired',
  'The link has expired': 'device.expired',
  'The sign-in was declined': 'login.declined',
}

/** Why logging in did not go on, in one sentence for the visitor. */
export function loginReason(text: LoginText, error: LatchkeyError): string {
  if (isLatchkeyError(error, 'email/throttled')) return throttled(text, error.details.seconds)
  if (isLatchkeyError(error, 'frame/failed')) {
    const said = error.details.message ?? ''
    const seconds = /^Please try again after (\d+) seconds$/.exec(said)?.[1]
    if (seconds) return throttled(text, Number(seconds))
    const key = Object.hasOwn(known, said) ? known[said] : undefined
    return text((key ?? 'login.failed') as 'login.failed')
  }
  switch (error.code) {
    case 'input/invalid':
      return text('email.invalid')
    case 'user/rejected':
      return text('login.declined')
    case 'social/popup-blocked':
      return text('social.blocked')
    case 'frame/load-failed':
    case 'frame/unreachable':
    case 'http/unreachable':
    case 'wallet/unreachable':
      return text('login.unreachable')
    case 'frame/timeout':
    case 'request/timeout':
      return text('login.silent')
    default:
      return text('login.failed')
  }
}

function throttled(text: LoginText, seconds: number): string {
  return text('email.throttled', { seconds: text.number(seconds) })
}
