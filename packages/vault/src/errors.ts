import { CodedError } from '@latchkey/protocol/codedError'

/** The error messages for developers, keyed by error code. Users see translated messages instead. */
const messages = {
  'vault/malformed': 'The vault record has an unknown format.',
  'vault/too-new': 'The vault record was written by a newer frame.',
  'vault/too-large': 'The vault record is too large.',
  'vault/other-user': 'The vault record belongs to another user.',
  'vault/rolled-back': 'The vault record is older than the last one this device saw.',
  'vault/forged': 'The vault record was modified by someone who does not have its key.',
  'vault/wrong-address': 'The vault was opened, but contains the key of a different address.',
  'vault/conflict': 'Another record was saved in the meantime.',
  'vault/locked': 'The vault is locked.',
  'wrapper/unknown': 'The vault has no such key.',
  'wrapper/does-not-open': 'This key does not open the vault.',
  'wrapper/last': 'The last key of a vault cannot be removed.',
  'wrapper/exists': 'The vault already has this key.',
  'wrapper/too-many': 'The vault has the maximum number of keys.',
  'approval/mismatch': 'The other device sent a different key than it committed to.',
  'approval/wrong-words': 'The selected words do not match those of the new device.',
  'approval/refused': 'The other device declined, or a new request replaced this one.',
  'approval/expired': 'The other device did not respond in time.',
  'approval/malformed': 'The message from the other device is not valid.',
  'passkey/none': 'No passkey was used.',
  'sign/malformed': 'The data to sign is not valid.',
  'sign/wrong-account': 'The account to sign with is not in this vault.',
} as const

/** The code of a `KeyError`. */
export type KeyErrorCode = keyof typeof messages

/** An error thrown by the vault. It never contains key material, not even in its cause. */
export class KeyError extends CodedError<KeyErrorCode> {
  /** The name of the class. */
  override readonly name = 'KeyError'

  constructor(code: KeyErrorCode, detail?: string) {
    super(code, detail === undefined ? messages[code] : `${messages[code]} (${detail})`)
  }
}
