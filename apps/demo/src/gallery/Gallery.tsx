import { LatchkeyPanel, LatchkeyProvider, type Locale } from '@latchkey/react'
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import { linkProps, useSearchParams } from '../router.ts'
import type { GalleryEntry } from './galleryEntry.ts'
import { galleryStates } from './galleryStates.ts'

declare global {
  interface Window {
    /** The list of views and states, for the screenshot tool. */
    __gallery?: readonly { readonly view: string; readonly state: string }[]
  }
}

/**
 * Returns the URL of a gallery state. The page also reads `bare=1`, which hides the heading, and `modal=1`, which shows the view in
 * the modal (a bottom sheet on phones) instead of a panel.
 */
export function galleryUrl(now: {
  view: string
  state: string
  theme?: string
  dir?: string
  locale?: string
}): string {
  return `/gallery?${new URLSearchParams(now)}`
}

/** Renders every view in every state with fake data, or only the state that the URL specifies. */
export function Gallery(): ReactNode {
  const searchParams = useSearchParams()
  const theme = searchParams.get('theme') === 'dark' ? 'dark' : 'light'
  const rtl = searchParams.get('dir') === 'rtl'
  const locale = (searchParams.get('locale') ?? (rtl ? 'ar' : 'en')) as Locale
  const shown = galleryStates.find(
    ({ view, state }) => view === searchParams.get('view') && state === searchParams.get('state'),
  )
  useEffect(() => {
    window.__gallery = galleryStates.map(({ view, state }) => ({ view, state }))
  }, [])
  // Changing only the theme keeps the view mounted, as `setTheme()` does on a page.
  const place = new URLSearchParams(searchParams)
  place.delete('theme')
  if (!shown) return <Index theme={theme} locale={searchParams.get('locale') ?? undefined} />
  return (
    <main
      style={{ ...stage, background: theme === 'dark' ? '#16181d' : '#eceef2' }}
      dir={rtl ? 'rtl' : 'ltr'}
      lang={locale}
    >
      {searchParams.get('bare') === null && (
        <p style={{ margin: 0, font: '14px/20px system-ui', color: theme === 'dark' ? '#cfd3da' : '#3b4048' }}>
          <a style={{ color: 'inherit' }} {...linkProps('/gallery')}>
            Gallery
          </a>{' '}
          · {shown.view} · {shown.state}
        </p>
      )}
      <Picture
        key={place.toString()}
        shown={shown}
        theme={theme}
        locale={locale}
        embedded={searchParams.get('modal') === null}
      />
    </main>
  )
}

const stage: CSSProperties & Record<`--${string}`, string> = {
  // Remove the shop's branding.
  '--latchkey-accent': 'initial',
  '--latchkey-on-accent': 'initial',
  '--latchkey-hue': 'initial',
  '--latchkey-surface': 'initial',
  '--latchkey-fill': 'initial',
  '--latchkey-fill-hover': 'initial',
  minHeight: '100vh',
  boxSizing: 'border-box',
  padding: 16,
  display: 'grid',
  gap: 12,
  placeContent: 'center',
  justifyItems: 'center',
}

function Picture({
  shown,
  theme,
  locale,
  embedded,
}: {
  readonly shown: GalleryEntry
  readonly theme: 'light' | 'dark'
  readonly locale: Locale
  readonly embedded: boolean
}): ReactNode {
  const [latchkey] = useState(() => {
    pretend(shown)
    return shown.make({ theme, embedded })
  })
  useEffect(() => latchkey.setTheme({ mode: theme }), [latchkey, theme])
  const [acted, setActed] = useState(false)
  useEffect(() => act(shown, () => setActed(true)), [shown])
  return (
    <div data-acted={acted ? '' : undefined} style={{ width: 'min(360px, calc(100vw - 32px))' }}>
      {/* The buttons to click are found by their English names, so the language only changes afterwards. */}
      <LatchkeyProvider latchkey={latchkey} locale={acted ? locale : 'en'} slots={shown.slots}>
        {embedded && <LatchkeyPanel />}
      </LatchkeyProvider>
    </div>
  )
}

function Index({
  theme,
  locale,
}: {
  readonly theme: 'light' | 'dark'
  readonly locale: string | undefined
}): ReactNode {
  const views = [...new Set(galleryStates.map(({ view }) => view))]
  const more = locale === undefined ? {} : { locale }
  return (
    <main style={{ maxWidth: 760, margin: '0 auto', padding: 24, font: '16px/24px system-ui' }}>
      <h1 style={{ font: '600 28px/36px system-ui' }}>Gallery</h1>
      <p>Every view of the modal in all its states, with fake data: no wallet, server or chain is needed.</p>
      {views.map((view) => (
        <section key={view}>
          <h2 style={{ font: '600 18px/24px system-ui' }}>{view}</h2>
          <ul style={{ columns: '220px', padding: 0, listStyle: 'none' }}>
            {galleryStates
              .filter((entry) => entry.view === view)
              .map(({ state }) => (
                <li key={state} style={{ padding: '4px 0' }}>
                  <a {...linkProps(galleryUrl({ view, state, theme, ...more }))}>{state}</a>{' '}
                  <a
                    {...linkProps(galleryUrl({ view, state, theme: 'dark', ...more }))}
                    aria-label={`${view}, ${state}, dark`}
                  >
                    dark
                  </a>{' '}
                  <a
                    {...linkProps(galleryUrl({ view, state, theme, dir: 'rtl' }))}
                    aria-label={`${view}, ${state}, right to left`}
                  >
                    rtl
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </main>
  )
}

/** Overrides browser APIs for a state, and removes the previous state's overrides. */
function pretend({ offline = false, noClipboard = false }: GalleryEntry): void {
  Object.defineProperty(navigator, 'onLine', { get: () => !offline, configurable: true })
  if (noClipboard) Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  else Reflect.deleteProperty(navigator, 'clipboard')
}

/** Types into the view's field or clicks the button once the modal has rendered it, then calls `acted`. */
function act({ typed, press }: GalleryEntry, acted: () => void): () => void {
  if (typed === undefined && press === undefined) {
    acted()
    return () => undefined
  }
  let frame = 0
  const look = (): void => {
    const inside = document.querySelector('latchkey-modal')?.shadowRoot
    const field = inside?.querySelector('input:not([type=checkbox])')
    const buttons = [...(inside?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])]
    const button = buttons.find(
      (element) => (element.getAttribute('aria-label') ?? element.textContent)?.trim() === press,
    )
    if (typed !== undefined && field instanceof HTMLInputElement) {
      // Use the native setter, so that React detects the change.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, typed)
      field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
      acted()
    } else if (press !== undefined && button) {
      button.click()
      acted()
    } else frame = requestAnimationFrame(look)
  }
  frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}
