import { type Context, createContext, useContext, useInsertionEffect } from 'react'

/** Adds style sheets to one root (a shadow root or a document), each once. */
export type AdoptStyles = (css: string) => void

/** An `AdoptStyles` for `root`. Uses constructed sheets only, which a strict `style-src` allows. */
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

/** Adds style sheets to the root that the subtree is rendered in. */
export const StyleSheetContext: Context<AdoptStyles | undefined> = createContext<AdoptStyles | undefined>(undefined)

/** Adds the styles of a component or view before its first paint: `useStyleSheet(css)` with `import css from './x.css?inline'`. */
export function useStyleSheet(css: string): void {
  const adopt = useContext(StyleSheetContext)
  useInsertionEffect(() => adopt?.(css), [adopt, css])
}
