/** The error messages for developers, by code. Users see translated messages instead. */
const messages = {
  'vault/malformed': 'The vault record is not of a format that this frame knows.',
  'vault/too-new': 'The vault record was written by a newer frame.',
  'vault/too-large': 'The vault record is larger than a record can be.',
  'vault/other-user': 'The vault record belongs to another user.',
  'vault/rolled-back': 'The vault record is older than the one this device has seen.',
  'vault/forged': 'The vault record was changed by somebody who does not hold its key.',
  'vault/wrong-address': 'The vault opens, but holds the key of another address.',
  'vault/conflict': 'Another record was saved in the meantime.',
  'vault/locked': 'The vault is locked.',
  'wrapper/unknown': 'The vault has no such key.',
  'wrapper/does-not-open': 'This key does not open the vault.',
  'wrapper/last': 'The last key of a vault cannot be removed.',
  'wrapper/exists': 'The vault has this key already.',
  'wrapper/too-many': 'The vault has as many keys as it can hold.',
  'approval/mismatch': 'The other device showed another key than it had promised.',
  'approval/wrong-words': 'Other words were picked than those of the new device.',
  'approval/refused': 'The other device refused, or somebody began anew.',
  'approval/expired': 'The other device did not answer in time.',
  'approval/malformed': 'The message of the other device is not what was agreed.',
  'passkey/none': 'No passkey answered.',
  'sign/malformed': 'What was to be signed is not what it should be.',
  'sign/wrong-account': 'The account that should sign is not in this vault.',
} as const

/** The code of a key error. */
export type KeyErrorCode = keyof typeof messages

/** An error of the key code. It never contains key material, not even in its cause. */
export class KeyError extends Error {
  override readonly name = 'KeyError'
  readonly code: KeyErrorCode

  constructor(code: KeyErrorCode, detail?: string) {
    super(detail === undefined ? messages[code] : `${messages[code]} (${detail})`)
    this.code = code
  }
}
