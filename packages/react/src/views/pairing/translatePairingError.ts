import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { translateError } from '../translateError.ts'
import type { usePairingTranslations } from './usePairingTranslations.ts'

/** Returns a title and text that explain a pairing error to the user. Without a `wallet`, they refer to "your wallet". */
export function translatePairingError(
  text: ReturnType<typeof usePairingTranslations>,
  { wallet, error }: { readonly wallet: string | undefined; readonly error: LatchkeyError },
): TranslatedError {
  if (wallet !== undefined) return copyFor(text, { wallet, error })
  const { title, body } = copyFor(text, { wallet: text('common.yourWallet'), error })
  // Some messages start with "your wallet", which must be capitalized there.
  return { title: capitalize(title), body: capitalize(body) }
}

interface TranslatedError {
  readonly title: string
  readonly body: string
}

function copyFor(
  text: ReturnType<typeof usePairingTranslations>,
  { wallet, error }: { readonly wallet: string; readonly error: LatchkeyError },
): TranslatedError {
  switch (error.code) {
    case 'user/rejected':
      return { title: text('connecting.declined.title'), body: text('connecting.declined.body', { wallet }) }
    case 'pairing/expired':
      return { title: text('pairing.expired'), body: text('pairing.expiredBody') }
    case 'relay/unreachable':
    case 'relay/failed':
      return { title: text('pairing.relay'), body: text('pairing.relayBody') }
    case 'relay/session-expired':
      return { title: text('pairing.clock'), body: text('pairing.clockBody') }
    case 'relay/invalid-key':
    case 'relay/refused':
    case 'app/origin-not-allowed':
      return { title: text('pairing.refused'), body: text('pairing.refusedBody') }
    case 'session/invalid':
      return { title: text('pairing.unusable', { wallet }), body: text('pairing.unusableBody') }
    case 'sign-in/invalid':
      return { title: text('pairing.signIn'), body: text('pairing.signInBody') }
    default:
      return { title: text('connecting.failed.title'), body: translateError(text, error) }
  }
}

function capitalize(sentence: string): string {
  const [first = ''] = sentence
  return first.toUpperCase() + sentence.slice(first.length)
}
