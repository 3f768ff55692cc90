import { toUtf8 } from '@latchkey/protocol/bytes'
import type { Bytes } from './cryptoEnvironment.ts'
import type { UnlockKey } from './keyWrapping.ts'

/** Returns the WebAuthn PRF input. It is the same for every wallet, so that PRF can be evaluated before the wallet is known. */
export function passkeyPrfInput(): Bytes {
  return toUtf8('latchkey/v1/passkey') as Bytes
}

/**
 * Creates a passkey's unlock key from its credential ID in base64url and its 32-byte PRF output for `passkeyPrfInput()`.
 *
 * @throws {RangeError} if the output is not 32 bytes long.
 */
export function passkeyUnlockKey(credentialId: string, output: Bytes): UnlockKey {
  if (output.length !== 32) throw new RangeError('A passkey secret must have 32 bytes.')
  return { kind: 'passkey', id: credentialId, secret: async () => output.slice() }
}
