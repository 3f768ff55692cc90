import { useContext, useMemo } from 'react'
import { messages, type WholeSource } from './messages.ts'
import { pairingMessages } from './pairingMessages.ts'
import { TextContext } from './textContext.ts'
import { createText, type Text } from './useText.ts'

/** `useText` with the sentences of pairing. */
export function usePairingText(): Text<WholeSource> {
  const words = useContext(TextContext)
  return useMemo(
    () => createText<WholeSource>(words.locale, { ...messages, ...pairingMessages, ...words.messages }),
    [words],
  )
}
