import type { ReactNode } from 'react'
import { type SanitizeOptions, sanitizeText, type UntrustedText } from '../decoders/pageText.ts'
import { t } from './messages.ts'

/** Text of a page, a contract or a node, made safe to read: the one way onto a screen. */
export function PageText({ text, ...options }: { readonly text: UntrustedText } & SanitizeOptions): ReactNode {
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

/** The same for a whole text, as it will be signed, in a box that scrolls. With `toEnd` an approval arms only once its end was seen. */
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
    // A box that scrolls must be reachable by keyboard.
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
