import { colorSchemeAt, type State, watchColorScheme } from '@latchkey/core'

/** Gives `element` the host's theme: light or dark in `attribute`, as `place` is where the host does not say. Answers what ends following it. */
export function applyTheme(
  element: HTMLElement,
  { mode, variables }: State['theme'],
  attribute: string,
  context: Element,
): () => void {
  const set = (): void => element.setAttribute(attribute, mode === 'system' ? colorSchemeAt(context) : mode)
  set()
  // Names are added to a theme, never taken from it.
  for (const name in variables) element.style.setProperty(`--latchkey-${name}`, variables[name] as string)
  return watchColorScheme(set, context)
}
