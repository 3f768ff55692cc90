import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { translateError } from '../translateError.ts'
import type { useSignInTranslations } from './useSignInTranslations.ts'

/** Returns a title and text that explain a sign-in error to the user. */
export function translateSignInError(
  text: ReturnType<typeof useSignInTranslations>,
  { wallet, error }: { readonly wallet: string; readonly error: LatchkeyError },
): { readonly title: string; readonly body: string } {
  switch (error.code) {
    case 'user/rejected':
    case 'sign-in/declined':
      return { title: text('signIn.declined'), body: declinedCopy(text, wallet, error.cause) }
    case 'sign-in/no-smart-accounts':
      return { title: text('signIn.smart'), body: text('signIn.smartBody') }
    case 'sign-in/not-initialised':
      return isServerRefusal(error.cause)
        ? { title: text('signIn.notInitialised'), body: translateError(text, error) }
        : { title: text('signIn.unknown'), body: text('signIn.unknownBody') }
    case 'sign-in/invalid':
    case 'sign-in/refused':
    case 'sign-in/spent':
      return { title: text('signIn.invalid'), body: text('signIn.invalidBody') }
    case 'sign-in/no-node':
      return { title: text('signIn.failed'), body: text('signIn.invalidBody') }
    case 'sign-in/no-client':
    case 'wallet/unsupported':
      return { title: text('signIn.unable'), body: text('signIn.unableBody') }
    default:
      return { title: text('signIn.failed'), body: translateError(text, error) }
  }
}

/** Whether the server rejected this app, as opposed to being unreachable. */
function isServerRefusal(cause: unknown): boolean {
  return isLatchkeyError(cause, 'app/origin-not-allowed') || isLatchkeyError(cause, 'app/no-project')
}

/** Returns the text for a missing signature: the user declined, or the wallet is unresponsive or busy. */
function declinedCopy(text: ReturnType<typeof useSignInTranslations>, wallet: string, cause: unknown): string {
  if (isLatchkeyError(cause, 'wallet/unresponsive')) return text('connecting.silent.body', { wallet })
  if (isLatchkeyError(cause, 'wallet/busy')) return text('connecting.busy.body', { wallet })
  return text('signIn.declinedBody')
}
