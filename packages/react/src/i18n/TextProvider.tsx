import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { type Locale, localeFiles, matchLocale } from './locales.ts'
import type { Messages } from './messages.ts'
import { TextContext, type Words } from './textContext.ts'

/** What a host says about words. */
export interface TextProviderProps {
  /** `auto` follows the page's `lang`, then the browser. [en] */
  readonly locale?: Locale | 'auto' | undefined
  /** Sentences of the host's own, by key; a whole catalogue here needs no loading and is server-rendered. [none] */
  readonly messages?: Partial<Messages> | undefined
  readonly children?: ReactNode
}

/** Gives everything below it a language. A catalogue other than English arrives in its own chunk. */
export function TextProvider({ locale = 'en', messages, children }: TextProviderProps): ReactNode {
  // `auto` is decided after hydration: a server does not know the page's language.
  const [wanted, setWanted] = useState<Locale>(locale === 'auto' ? 'en' : locale)
  const [loaded, setLoaded] = useState<{ locale: Locale; messages: Messages }>()

  useEffect(() => {
    const now = locale === 'auto' ? matchLocale([document.documentElement.lang, ...navigator.languages]) : locale
    setWanted(now)
    if (now === 'en') return
    let left = false
    localeFiles[now]().then(
      (catalogue) => {
        if (!left) setLoaded({ locale: now, messages: catalogue })
      },
      // The chunk did not come: English goes on being readable.
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [locale])

  const words = useMemo<Words>(
    () => ({ locale: wanted, messages: { ...(loaded?.locale === wanted ? loaded.messages : {}), ...messages } }),
    [wanted, loaded, messages],
  )
  return <TextContext.Provider value={words}>{children}</TextContext.Provider>
}
