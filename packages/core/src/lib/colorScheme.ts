/** A page's color scheme. */
export type ColorScheme = 'light' | 'dark'

/**
 * Returns the color scheme at `place`. Uses the page's `color-scheme`, or else the nearest class `dark` or `light`, or else the
 * operating system's preference.
 *
 * @example
 * const isDark = colorSchemeAt(document.body) === 'dark'
 */
export function colorSchemeAt(place: Element): ColorScheme {
  let scheme = getComputedStyle(place).colorScheme
  // The computed style does not reflect the meta element.
  if (scheme === 'normal') scheme = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')?.content ?? ''
  const dark = scheme.includes('dark')
  const themed = place.closest('.dark,.light')
  const isDark = dark !== scheme.includes('light') ? dark : themed ? themed.matches('.dark') : prefersDark().matches
  return isDark ? 'dark' : 'light'
}

/**
 * Calls `listener` when the result of `colorSchemeAt` might have changed. Returns a function that removes the listener.
 *
 * @example
 * const stop = watchColorScheme(() => render(colorSchemeAt(document.body)), document.body)
 */
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
