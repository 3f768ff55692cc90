import { type Context, createContext, useContext, useInsertionEffect } from 'react'

/** Adds a style sheet to one root (a shadow root or a document). Each style sheet is added once. */
export type AdoptStyles = (css: string) => void

/** Creates an `AdoptStyles` for `root`. Uses only constructed style sheets, which a strict `style-src` allows. */
export function createStyleAdopter(root: DocumentOrShadowRoot): AdoptStyles {
  const adopted = new Set<string>()
  return (css) => {
    if (adopted.has(css)) return
    adopted.add(css)
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  }
}

/** The context for adding style sheets to the root that contains the subtree. */
export const StyleSheetContext: Context<AdoptStyles | undefined> = createContext<AdoptStyles | undefined>(undefined)

/** Adds the styles of a component or view before its first paint: `useStyleSheet(css)` with `import css from './x.css?inline'`. */
export function useStyleSheet(css: string): void {
  const adopt = useContext(StyleSheetContext)
  useInsertionEffect(() => adopt?.(css), [adopt, css])
}
