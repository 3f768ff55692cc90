import { useContext, useMemo } from 'react'
import { keyMessages } from './keyMessages.ts'
import { messages, type WholeSource } from './messages.ts'
import { TextContext } from './textContext.ts'
import { createText, type Text } from './useText.ts'

/** `useText` with the sentences of keys. */
export function useKeyText(): Text<WholeSource> {
  const words = useContext(TextContext)
  return useMemo(
    () => createText<WholeSource>(words.locale, { ...messages, ...keyMessages, ...words.messages }),
    [words],
  )
}
