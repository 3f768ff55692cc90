import { createStyleAdopter } from '@latchkey/ui'
import { type ReactNode, useInsertionEffect, useState } from 'react'
import css from './styles.css?inline'

/** Adds `styles.css` as a constructed style sheet, which a strict CSP allows. For pages that do not import the file. */
export function ButtonStyles(): ReactNode {
  const [adopted] = useState(() => new Set<Document>())
  useInsertionEffect(() => {
    if (adopted.has(document)) return
    adopted.add(document)
    createStyleAdopter(document)(css)
  }, [adopted])
  return null
}
