import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from './messages.ts'
import { signInMessages } from './signInMessages.ts'
import { TextContext } from './textContext.ts'
import { createText, type Text } from './useText.ts'

/** `useText` with the sentences of signing in. */
export function useSignInText(): Text<WholeSource> {
  const words = useContext(TextContext)
  return useMemo(
    () => createText<WholeSource>(words.locale, { ...messages, ...signInMessages, ...words.messages }),
    [words],
  )
}
