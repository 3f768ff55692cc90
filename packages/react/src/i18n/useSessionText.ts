import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from './messages.ts'
import { sessionMessages } from './sessionMessages.ts'
import { TextContext } from './textContext.ts'
import { createText, type Text } from './useText.ts'

/** `useText` with the sentences of smart sessions. */
export function useSessionText(): Text<WholeSource> {
  const words = useContext(TextContext)
  return useMemo(
    () => createText<WholeSource>(words.locale, { ...messages, ...sessionMessages, ...words.messages }),
    [words],
  )
}
