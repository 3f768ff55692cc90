import type { ErrorDetails, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { ViewTranslator } from './viewTranslator.ts'

/** Returns a sentence that explains an error to the user. A message from a wallet is included, but truncated. */
export function translateError(text: ViewTranslator, error: LatchkeyError): string {
  if (error.code.startsWith('http/') && globalThis.navigator?.onLine === false) return text('reason.offline')
  if (error.code === 'wallet/failed') {
    // The code determines the details. `isLatchkeyError` would load the error class with the views.
    const message = (error.details as ErrorDetails['wallet/failed']).message.trim()
    if (message === '') return text('reason.unknown')
    return text('reason.wallet', { message: message.length > 160 ? `${message.slice(0, 160)}…` : message })
  }
  switch (error.code) {
    case 'http/unreachable':
      return text('reason.unreachable')
    case 'http/malformed':
      return text('reason.malformed')
    case 'http/failed':
    case 'app/origin-not-allowed':
    case 'app/no-project':
      return text('reason.refused')
    case 'request/timeout':
    case 'wallet/unresponsive':
      return text('reason.timeout')
    default:
      return text('reason.unknown')
  }
}
