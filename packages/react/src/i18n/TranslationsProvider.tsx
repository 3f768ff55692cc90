import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { type Locale, localeLoaders, matchLocale } from './locales.ts'
import type { Messages } from './messages.ts'
import { type Translations, TranslationsContext } from './TranslationsContext.ts'

/** Props of `TranslationsProvider`. */
export interface TranslationsProviderProps {
  /** `auto` follows the page's `lang`, then the browser's language. [en] */
  readonly locale?: Locale | 'auto' | undefined
  /** The host's own messages, by key. A complete catalog passed here needs no loading and is rendered on the server. [none] */
  readonly messages?: Partial<Messages> | undefined
  readonly children?: ReactNode
}

/** Sets the language of its subtree. Catalogs other than English are loaded as separate chunks. */
export function TranslationsProvider({ locale = 'en', messages, children }: TranslationsProviderProps): ReactNode {
  // `auto` is resolved after hydration, because the server does not know the page's language.
  const [activeLocale, setActiveLocale] = useState<Locale>(locale === 'auto' ? 'en' : locale)
  const [loaded, setLoaded] = useState<{ locale: Locale; messages: Messages }>()

  useEffect(() => {
    const resolved = locale === 'auto' ? matchLocale([document.documentElement.lang, ...navigator.languages]) : locale
    setActiveLocale(resolved)
    if (resolved === 'en') return
    let unmounted = false
    localeLoaders[resolved]().then(
      (catalogue) => {
        if (!unmounted) setLoaded({ locale: resolved, messages: catalogue })
      },
      // If the chunk fails to load, keep English.
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
