import { Refusal, sentenceFor } from '../refusal.ts'
import { say } from './words.ts'

/** Why a passkey did not do what it was asked for. Browsers give one name to "no", "none here" and "too late". */
export function passkeyWords(error: unknown): string {
  if (error instanceof Refusal) return sentenceFor(error)
  const name = error instanceof Error ? error.name : ''
  return say(
    name === 'InvalidStateError' ? 'passkeyThere' : name === 'NotAllowedError' ? 'passkeyNone' : 'passkeyFailed',
  )
}
