import { failure, relayFailure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'

/** Converts a relay's reason for refusing a connection to an error. */
export function refusalError(reason: string): LatchkeyError {
  const code = relayFailure(reason)
  if (code === 'relay/session-expired' || code === 'relay/invalid-key') return failure(code)
  if (code === 'app/origin-not-allowed') return new LatchkeyError(code, { origin: globalThis.location?.origin ?? '' })
  return failure('relay/refused', { message: reason })
}
