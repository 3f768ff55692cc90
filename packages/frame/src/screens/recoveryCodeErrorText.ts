import { type MessageKey, t } from '../texts/translations.ts'

/**
 * Returns the message for a rejected recovery code. For a typo, the message explains the typo. Otherwise, the message is that
 * the code is for another wallet or has been replaced.
 */
export function recoveryCodeErrorText(error: unknown): string {
  const codeError = typeof error === 'object' && error !== null && 'codeError' in error ? error.codeError : undefined
  if (typeof codeError !== 'object' || codeError === null || !('error' in codeError)) return t('kitWrong')
  const sentences: Readonly<Record<string, MessageKey>> = {
    length: 'kitLength',
    letter: 'kitLetter',
    group: 'kitGroup',
  }
  const word = sentences[String(codeError.error)]
  return word ? t(word, codeError as unknown as Record<string, string | number>) : t('kitWrong')
}
