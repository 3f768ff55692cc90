import { useContext, useMemo } from 'react'
import { buttonMessages } from './buttonMessages.ts'
import { type Fill, fill } from './sentence.ts'
import { TextContext } from './textContext.ts'

/** The name of a button's sentence. */
export type ButtonKey = keyof typeof buttonMessages

/** Says a button's words. */
export type ButtonText = <Key extends ButtonKey>(key: Key, ...blanks: Fill<(typeof buttonMessages)[Key]>) => string

/** The words of the buttons in the page, without the catalogue behind them. */
export function useButtonText(): ButtonText {
  const words = useContext(TextContext)
  return useMemo<ButtonText>(
    () =>
      (key, ...[blanks]) =>
        fill(words.messages[key] ?? buttonMessages[key], blanks as Readonly<Record<string, string>> | undefined),
    [words],
  )
}
