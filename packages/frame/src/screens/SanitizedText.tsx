import type { ReactNode } from 'react'
import { type SanitizeOptions, sanitizeText, type UntrustedText } from '../decoders/untrustedText.ts'
import { t } from './translations.ts'

/** Renders untrusted text (from a page, a contract or a node) after sanitizing it. Untrusted text must be rendered with this or `TextBox`. */
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

/** Renders a full text to be signed in a scrollable box. With `toEnd`, the approval is only enabled after scrolling to its end. */
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
