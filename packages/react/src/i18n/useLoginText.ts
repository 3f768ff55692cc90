import { useContext, useMemo } from 'react'
import { loginMessages } from './loginMessages.ts'
import { messages, type WholeSource } from './messages.ts'
import { TextContext } from './textContext.ts'
import { createText, type Text } from './useText.ts'

/** Says sentences, those of logging in among them. */
export type LoginText = Text<WholeSource>

/** `useText` with the sentences of logging in. */
export function useLoginText(): LoginText {
  const words = useContext(TextContext)
  return useMemo(
    () => createText<WholeSource>(words.locale, { ...messages, ...loginMessages, ...words.messages }),
    [words],
  )
}
