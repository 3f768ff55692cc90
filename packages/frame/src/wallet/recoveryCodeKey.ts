import type { CryptoEnvironment, UnlockKey } from '@latchkey/vault'
import type { RecoveryCodeError } from '@latchkey/vault/recoveryKit'

/**
 * Returns the unlock key for a recovery code that the user typed.
 * @throws {RecoveryCodeFormatError} if the code is malformed.
 */
export async function getRecoveryCodeKey(environment: CryptoEnvironment, typed: string): Promise<UnlockKey> {
  const { recoveryCodeUnlockKey, parseRecoveryCode } = await import('@latchkey/vault/recoveryKit')
  const read = parseRecoveryCode(typed)
  if (!('code' in read)) throw new RecoveryCodeFormatError(read)
  return recoveryCodeUnlockKey(environment, read.code)
}

/** Thrown if the recovery code that the user entered is malformed. */
class RecoveryCodeFormatError extends Error {
  readonly codeError: RecoveryCodeError
  constructor(codeError: RecoveryCodeError) {
    super(codeError.error)
    this.codeError = codeError
  }
}
