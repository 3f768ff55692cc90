import { type Context, createContext, useContext, useInsertionEffect } from 'react'

/** Adds a style sheet to a shadow root or document, unless the style sheet has already been added. */
export type AdoptStyles = (css: string) => void

/**
 * Creates an `AdoptStyles` function for `root`. It uses only constructed style sheets, which a strict `style-src` policy allows.
 */
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

/** The React context that provides the `AdoptStyles` function for the root in which a component is rendered. */
export const StyleSheetContext: Context<AdoptStyles | undefined> = createContext<AdoptStyles | undefined>(undefined)

/** Adds a component's or view's styles before its first paint. Import the CSS with `import css from './x.css?inline'`. */
export function useStyleSheet(css: string): void {
  const adopt = useContext(StyleSheetContext)
  useInsertionEffect(() => adopt?.(css), [adopt, css])
}
