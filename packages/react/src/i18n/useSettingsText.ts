import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from './messages.ts'
import { settingsMessages } from './settingsMessages.ts'
import { TextContext } from './textContext.ts'
import { createText, type Text } from './useText.ts'

/** `useText` with the sentences about signing in and out. */
export function useSettingsText(): Text<WholeSource> {
  const words = useContext(TextContext)
  return useMemo(
    () => createText<WholeSource>(words.locale, { ...messages, ...settingsMessages, ...words.messages }),
    [words],
  )
}
