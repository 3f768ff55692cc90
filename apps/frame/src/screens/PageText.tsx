import type { ReactNode } from 'react'
import { type SanitizeOptions, sanitizeText, type UntrustedText } from '../decoders/pageText.ts'
import { say } from './words.ts'

/** Text of a page, a contract or a node, made safe to read: the one way onto a screen. */
export function PageText({ text, ...options }: { readonly text: UntrustedText } & SanitizeOptions): ReactNode {
  const { text: safe, hasHiddenSigns } = sanitizeText(text, options)
  return (
    <bdi
      className="page-text"
      data-altered={hasHiddenSigns || undefined}
      title={hasHiddenSigns ? say('hiddenHere') : undefined}
    >
      {safe}
    </bdi>
  )
}

/** The same for a whole text, as it will be signed, in a box that scrolls. */
export function TextBox({ name, text, code }: { name: string; text: UntrustedText; code?: boolean }): ReactNode {
  return (
    // A box that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div className="textContent" role="region" aria-label={name} tabIndex={0} data-code={code || undefined}>
      {sanitizeText(text, { lines: true }).text}
    </div>
  )
}
