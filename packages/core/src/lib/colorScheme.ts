/** What a page shows itself in. */
export type ColorScheme = 'light' | 'dark'

/**
 * Light or dark at `place`: what the page's `color-scheme` decides there, else its nearest class `dark` or `light`, else the operating
 * system.
 */
export function colorSchemeAt(place: Element): ColorScheme {
  let said = getComputedStyle(place).colorScheme
  // Of the meta element the computed style knows nothing.
  if (said === 'normal') said = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')?.content ?? ''
  const dark = said.includes('dark')
  const marked = place.closest('.dark,.light')
  const isDark = dark !== said.includes('light') ? dark : marked ? marked.matches('.dark') : prefersDark().matches
  return isDark ? 'dark' : 'light'
}

/** Calls `listener` when any of what `colorSchemeAt` looks at may have changed. */
export function watchColorScheme(listener: () => void, place: Element): () => void {
  const system = prefersDark()
  const page = new MutationObserver(listener)
  for (let at: Element | null = place; at; at = at.parentElement) page.observe(at, { attributes: true })
  system.onchange = listener
  return () => {
    page.disconnect()
    system.onchange = null
  }
}

const prefersDark = () => matchMedia('(prefers-color-scheme: dark)')
