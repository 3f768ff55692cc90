import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { MessageKey } from '../../i18n/messages.ts'
import type { LoginTranslator } from './useLoginTranslations.ts'

// The frame sends error messages without codes. These are the messages for which there is a specific translation.
const messageKeys: Readonly<Record<string, MessageKey>> = {
  'Invalid email': 'email.invalid',
  'The mail could not be sent': 'email.notSent',
  'Invalid code': 'otp.wrong',
  'This code has expired': 'otp.expired',
  'The link has expired': 'device.expired',
  'The sign-in was declined': 'login.declined',
}

/** Returns a sentence that explains a login error to the user. */
export function translateLoginError(text: LoginTranslator, error: LatchkeyError): string {
  if (isLatchkeyError(error, 'email/throttled')) return throttledCopy(text, error.details.seconds)
  if (isLatchkeyError(error, 'frame/failed')) {
    const message = error.details.message ?? ''
    const seconds = /^Please try again after (\d+) seconds?$/.exec(message)?.[1]
    if (seconds) return throttledCopy(text, Number(seconds))
    const key = Object.hasOwn(messageKeys, message) ? messageKeys[message] : undefined
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

function throttledCopy(text: LoginTranslator, seconds: number): string {
  return text.plural('email.throttled', seconds)
}
