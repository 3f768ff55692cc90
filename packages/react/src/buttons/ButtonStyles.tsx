import { createStyleAdopter } from '@latchkey/ui'
import { type ReactNode, useInsertionEffect, useState } from 'react'
import css from './styles.css?inline'

/** Brings `styles.css` to a page that does not import it; as weak there as here, and a constructed sheet, so no policy minds. */
export function ButtonStyles(): ReactNode {
  const [adopted] = useState(() => new Set<Document>())
  useInsertionEffect(() => {
    if (adopted.has(document)) return
    adopted.add(document)
    createStyleAdopter(document)(css)
  }, [adopted])
  return null
}
