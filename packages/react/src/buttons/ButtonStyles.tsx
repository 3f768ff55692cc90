import { createStyleAdopter } from '@latchkey/ui'
import { type ReactNode, useInsertionEffect, useState } from 'react'
import css from './styles.css?inline'

/** Adds the styles to pages that do not import `styles.css`, using a constructed style sheet, which a strict CSP allows. */
export function ButtonStyles(): ReactNode {
  const [adopted] = useState(() => new Set<Document>())
  useInsertionEffect(() => {
    if (adopted.has(document)) return
    adopted.add(document)
    createStyleAdopter(document)(css)
  }, [adopted])
  return null
}
