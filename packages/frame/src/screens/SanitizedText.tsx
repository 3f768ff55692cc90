import type { ReactNode } from 'react'
import { type SanitizeOptions, sanitizeText, type UntrustedText } from '../decoders/untrustedText.ts'
import { t } from '../texts/translations.ts'

/**
 * Sanitizes and renders untrusted text from a page, a contract or a node. Untrusted text must be rendered by this component or
 * `TextBox`.
 */
export function SanitizedText({ text, ...options }: { readonly text: UntrustedText } & SanitizeOptions): ReactNode {
  const { text: safe, hasHiddenSigns } = sanitizeText(text, options)
  return (
    <bdi
      className="page-text"
      data-altered={hasHiddenSigns || undefined}
      title={hasHiddenSigns ? t('hiddenHere') : undefined}
    >
      {safe}
    </bdi>
  )
}

/**
 * Renders the full text to sign in a scrollable box. With `toEnd`, the approve button is only enabled after scrolling to the end.
 */
export function TextBox({
  name,
  text,
  code,
  toEnd,
}: {
  readonly name: string
  readonly text: UntrustedText
  readonly code?: boolean
  readonly toEnd?: boolean
}): ReactNode {
  return (
    // A scrollable box must be reachable by keyboard.
    <div
      className="textContent"
      role="region"
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      data-code={code || undefined}
      data-to-end={toEnd || undefined}
    >
      {sanitizeText(text, { lines: true }).text}
    </div>
  )
}
