import { colorSchemeAt, type State, watchColorScheme } from '@latchkey/core'

/** Gives `element` the host's theme until it is undone: light or dark in `attribute`, as `place` is where the host does not say. */
export function applyTheme(
  element: HTMLElement,
  { mode, variables }: State['theme'],
  attribute: string,
  place?: Element | null,
): () => void {
  const around = place ?? undefined
  const set = (): void => element.setAttribute(attribute, mode === 'system' ? colorSchemeAt(around) : mode)
  const paint = (now: Readonly<Record<string, string>>): void => {
    for (const name in variables) element.style.setProperty(`--latchkey-${name}`, now[name] ?? '')
  }
  set()
  paint(variables)
  const stop = watchColorScheme(set, around)
  return () => {
    stop()
    paint({})
  }
}
