import type { Language } from '@latchkey/i18n/languages'
import { matchLanguage } from '@latchkey/i18n/locale'
import { modalLocales } from '@latchkey/i18n/modalLocales'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Messages } from './messages.ts'
import { type Translations, TranslationsContext } from './TranslationsContext.ts'

/** Props for `TranslationsProvider`. */
export interface TranslationsProviderProps {
  /** The language. `auto` uses the page's `lang` attribute, then the browser's languages. Defaults to `en`. */
  readonly locale?: Language | 'auto' | undefined
  /** The host's own messages, keyed by message key. To translate server-rendered pages, pass a complete catalog. */
  readonly messages?: Partial<Messages> | undefined
  readonly children?: ReactNode
}

/** Provides translations to its children. Catalogs for languages other than English are loaded as separate chunks. */
export function TranslationsProvider({ locale = 'en', messages, children }: TranslationsProviderProps): ReactNode {
  // `auto` is resolved after hydration, because the server cannot detect the browser's language.
  const [activeLocale, setActiveLocale] = useState<Language>(locale === 'auto' ? 'en' : locale)
  const [loaded, setLoaded] = useState<{ locale: Language; messages: Messages }>()

  useEffect(() => {
    const resolved = locale === 'auto' ? matchLanguage([document.documentElement.lang, ...navigator.languages]) : locale
    setActiveLocale(resolved)
    if (resolved === 'en') return
    let unmounted = false
    modalLocales[resolved]().then(
      ({ modal }) => {
        if (!unmounted) setLoaded({ locale: resolved, messages: modal })
      },
      // If the chunk fails to load, the messages stay in English.
      () => undefined,
    )
    return () => {
      unmounted = true
    }
  }, [locale])

  const translations = useMemo<Translations>(
    () => ({
      locale: activeLocale,
      messages: { ...(loaded?.locale === activeLocale ? loaded.messages : {}), ...messages },
    }),
    [activeLocale, loaded, messages],
  )
  return <TranslationsContext.Provider value={translations}>{children}</TranslationsContext.Provider>
}
