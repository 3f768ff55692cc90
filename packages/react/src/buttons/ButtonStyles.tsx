import { createStyleAdopter } from '@latchkey/ui'
import { type ReactNode, useInsertionEffect, useState } from 'react'
import css from './styles.css?inline'

/** Adds `styles.css` to pages that do not import it, as a constructed style sheet, which works under a strict CSP. */
export function ButtonStyles(): ReactNode {
  const [adopted] = useState(() => new Set<Document>())
  useInsertionEffect(() => {
    if (adopted.has(document)) return
    adopted.add(document)
    createStyleAdopter(document)(css)
  }, [adopted])
  return null
}
