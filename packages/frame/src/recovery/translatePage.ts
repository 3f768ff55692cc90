import { direction, matchLanguage } from '@latchkey/i18n/locale'
import { interpolate, type PlaceholderArgs } from '@latchkey/i18n/placeholders'
import { recoveryLocales } from '@latchkey/i18n/recoveryLocales'
import type { KeyErrorCode } from '@latchkey/vault/errors'
import type { RecoveryCodeError } from '@latchkey/vault/recoveryKit'

type EnglishMessages = (typeof recoveryLocales)['en']

/** The key of a message on the recovery page. */
export type RecoveryKey = keyof EnglishMessages

/** Returns a message for the recovery page with its placeholders filled in. */
export type RecoveryTranslator = <Key extends RecoveryKey>(
  key: Key,
  ...values: PlaceholderArgs<EnglishMessages[Key]>
) => string

/**
 * Translates the page into the first supported language among the browser's preferred languages. The page is a single file, so it
 * includes the messages in all languages.
 */
export function translatePage(document: Document, { languages }: Pick<Navigator, 'languages'>): RecoveryTranslator {
  const language = matchLanguage(languages)
  const messages: Readonly<Record<RecoveryKey, string>> = recoveryLocales[language]
  document.documentElement.lang = language
  document.documentElement.dir = direction(language)
  document.title = messages.title
  return (key, ...[values]) => interpolate(messages[key], values)
}

/** Returns the message to display for an invalid recovery code. */
export function recoveryCodeErrorMessage(t: RecoveryTranslator, error: RecoveryCodeError): string {
  if (error.error === 'letter') return t('codeLetter', { letter: error.letter })
  if (error.error === 'length') return t('codeLength', { letters: error.letters })
  return t('codeGroup', { group: error.group })
}

/** The messages to display if the file cannot be opened. */
export const keyErrorMessages: { readonly [Code in KeyErrorCode]?: RecoveryErrorKey } = {
  'wrapper/unknown': 'otherKit',
  'wrapper/does-not-open': 'damaged',
  'vault/malformed': 'notRecoveryFile',
  'vault/too-large': 'notRecoveryFile',
  'vault/too-new': 'tooNew',
  'vault/forged': 'changed',
  'vault/wrong-address': 'changed',
}

type RecoveryErrorKey = 'otherKit' | 'damaged' | 'notRecoveryFile' | 'tooNew' | 'changed'
