import type { ThemeData } from '@latchkey/protocol/frame/messages'

/**
 * What of a page's look the frame takes over: light or dark, the accent, the roundness. Not the colours of text and warnings:
 * a page must not be able to make them unreadable. Values are parsed, never passed on as they are.
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

/** A colour in hex or as a function of plain numbers. */
function readColor(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined
  const text = value.trim().toLowerCase()
  if (/^#([0-9a-f]{3}|[0-9a-f]{6})$/.test(text)) return text
  // No alpha: a see-through button is no button.
  return /^(rgb|hsl|oklch|oklab|lab|lch)\((\s*-?[\d.]+(%|deg|turn)?\s*,?){3}\)$/.test(text) ? text : undefined
}

function readLength(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : Number(/^(\d{1,3}(?:\.\d+)?)px$/.exec(String(value).trim())?.[1])
  return Number.isFinite(number) ? Math.min(Math.max(number, 0), 44) : undefined
}
