import { colorSchemeAt, type State, watchColorScheme } from '@latchkey/core'

/**
 * Applies the host's theme to `element`: sets `attribute` to `light` or `dark`, and sets the theme variables. In `system` mode it follows the
 * color scheme of `context`. Returns a function that stops following it.
 */
export function applyTheme(
  element: HTMLElement,
  { mode, variables }: State['theme'],
  attribute: string,
  context: Element,
): () => void {
  const set = (): void => element.setAttribute(attribute, mode === 'system' ? colorSchemeAt(context) : mode)
  set()
  // Variables are only added to a theme, never removed, so there are none to clear.
  for (const name in variables) element.style.setProperty(`--latchkey-${name}`, variables[name] as string)
  return watchColorScheme(set, context)
}
