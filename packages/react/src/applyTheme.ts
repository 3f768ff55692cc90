import { colorSchemeAt, type State, watchColorScheme } from '@latchkey/core'

/**
 * Applies the host's theme to `element`. Sets `attribute` to `light` or `dark`, and sets the theme variables. In `system` mode,
 * the attribute follows the color scheme of `context`. Returns a function that stops tracking the color scheme.
 */
export function applyTheme(
  element: HTMLElement,
  { mode, variables }: State['theme'],
  attribute: string,
  context: Element,
): () => void {
  const set = (): void => element.setAttribute(attribute, mode === 'system' ? colorSchemeAt(context) : mode)
  set()
  // Theme variables are never removed, so there is no need to clear any.
  for (const name in variables) element.style.setProperty(`--latchkey-${name}`, variables[name] as string)
  return watchColorScheme(set, context)
}
