import { interpolate, type PlaceholderArgs } from '@latchkey/i18n/placeholders'
import { useContext, useMemo } from 'react'
import { buttonMessages } from './buttonMessages.ts'
import { TranslationsContext } from './TranslationsContext.ts'

/** The key of a button message. */
export type ButtonKey = keyof typeof buttonMessages

/** A function that translates a button message. */
export type ButtonTranslator = <Key extends ButtonKey>(
  key: Key,
  ...blanks: PlaceholderArgs<(typeof buttonMessages)[Key]>
) => string

/** Returns a translator for the button messages, which does not need the modal's catalog. */
export function useButtonTranslations(): ButtonTranslator {
  const translations = useContext(TranslationsContext)
  return useMemo<ButtonTranslator>(
    () =>
      (key, ...[blanks]) =>
        interpolate(
          translations.messages[key] ?? buttonMessages[key],
          blanks as Readonly<Record<string, string>> | undefined,
        ),
    [translations],
  )
}
