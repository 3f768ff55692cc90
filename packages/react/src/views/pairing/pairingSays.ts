import type { LatchkeyError } from '@latchkey/protocol/errors'
import type { usePairingText } from '../../i18n/usePairingText.ts'
import { reason } from '../reason.ts'

/** What went wrong with a pairing, for the visitor: what, and what to do. Without `wallet` it is "your wallet". */
export function pairingSays(
  text: ReturnType<typeof usePairingText>,
  { wallet, error }: { readonly wallet: string | undefined; readonly error: LatchkeyError },
): Said {
  if (wallet !== undefined) return says(text, { wallet, error })
  const { title, body } = says(text, { wallet: text('common.yourWallet'), error })
  // "your wallet" stands first in some of them.
  return { title: capital(title), body: capital(body) }
}

interface Said {
  readonly title: string
  readonly body: string
}

function says(
  text: ReturnType<typeof usePairingText>,
  { wallet, error }: { readonly wallet: string; readonly error: LatchkeyError },
): Said {
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
      return { title: text('connecting.failed.title'), body: reason(text, error) }
  }
}

function capital(sentence: string): string {
  const [first = ''] = sentence
  return first.toUpperCase() + sentence.slice(first.length)
}
