import type { CryptoEnvironment, UnlockKey, VaultRecord } from '@latchkey/vault'

/** A recovery kit that is not in use yet. Its code is displayed first. Its file is created once its key opens the wallet. */
export interface NewRecoveryKit {
  /** The formatted recovery code. */
  readonly code: string
  /** The text to encode as a QR code. */
  readonly qr: string
  unlockKey(): Promise<UnlockKey>
  /** Returns the contents of the kit's file, which include the record that the key opens. */
  file(record: VaultRecord, createdAt: number): string
}

/** The name of a recovery kit in the list of keys. */
export const recoveryKitName = 'Recovery kit'

/** Generates a recovery kit with a random code. */
export async function createNewRecoveryKit(environment: CryptoEnvironment): Promise<NewRecoveryKit> {
  const {
    serializeRecoveryKitFile,
    recoveryCodeUnlockKey,
    recoveryCodeQrText,
    formatRecoveryCode,
    generateRecoveryCode,
  } = await import('@latchkey/vault/recoveryKit')
  const code = generateRecoveryCode(environment)
  return {
    code: formatRecoveryCode(code),
    qr: recoveryCodeQrText(code),
    unlockKey: () => recoveryCodeUnlockKey(environment, code),
    file: (record, createdAt) =>
      serializeRecoveryKitFile({ createdAt, pageHash: import.meta.env.RECOVERY_SHA256, record }),
  }
}
