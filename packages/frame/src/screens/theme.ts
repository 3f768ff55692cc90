import type { ThemeData } from '@latchkey/protocol/frame/messages'

/**
 * Reads the parts of a page's theme that the frame applies: the color scheme, accent and corner radius. The colors of text and
 * warnings are not applied, because a page could make them unreadable. Values are parsed and never used verbatim.
 */
export function readTheme({ themeMode, themeVariables, w3mThemeVariables }: ThemeData): {
  readonly mode: 'light' | 'dark' | undefined
  readonly variables: Readonly<Record<string, string>>
} {
  const response = { ...w3mThemeVariables, ...themeVariables }
  const variables: Record<string, string> = {}
  for (const [name, value] of Object.entries(response)) {
    const known = /^(?:--)?(?:latchkey-|w3m-|apkt-)?(accent|radius|border-radius-master)$/.exec(name)?.[1]
    if (known === 'accent') {
      const color = readColor(value)
      if (color) variables['--latchkey-accent'] = color
    } else if (known) {
      const length = readLength(value)
      if (length !== undefined) variables['--latchkey-radius'] = `${length}px`
    }
  }
  return { mode: themeMode, variables }
}

/** Parses a hex color or a color function with plain numbers. */
function readColor(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined
  const text = value.trim().toLowerCase()
  if (/^#([0-9a-f]{3}|[0-9a-f]{6})$/.test(text)) return text
  // Alpha is not accepted, because it could make buttons transparent.
  return /^(rgb|hsl|oklch|oklab|lab|lch)\((\s*-?[\d.]+(%|deg|turn)?\s*,?){3}\)$/.test(text) ? text : undefined
}

function readLength(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : Number(/^(\d{1,3}(?:\.\d+)?)px$/.exec(String(value).trim())?.[1])
  return Number.isFinite(number) ? Math.min(Math.max(number, 0), 44) : undefined
}
