import type { KeyErrorCode } from '@latchkey/vault/errors'
import type { RecoveryCodeError } from '@latchkey/vault/recoveryKit'

/** Returns the message displayed for an invalid recovery code. */
export function recoveryCodeErrorMessage(error: RecoveryCodeError): string {
  if (error.error === 'letter') return `Recovery codes never contain “${error.letter}”. Check that character.`
  if (error.error === 'length')
    return `A recovery code has 8 groups of 5 characters. You entered ${error.letters} characters.`
  return `There is a typo in group ${error.group} of the code. Check it again.`
}

/** The messages displayed if the file cannot be opened. */
export const keyErrorMessages: { readonly [Code in KeyErrorCode]?: string } = {
  'wrapper/unknown':
    'This code belongs to a different recovery kit than this file, or the kit has been replaced by a newer one.',
  'wrapper/does-not-open': 'This code does not open this file. The file may be damaged.',
  'vault/malformed': 'This is not a recovery file.',
  'vault/too-large': 'This is not a recovery file.',
  'vault/too-new': 'This file is newer than this page. Use the page that came with it.',
  'vault/forged': 'This file was changed after it was created. Use another copy.',
  'vault/wrong-address': 'This file was changed after it was created. Use another copy.',
}
