import { type Context, createContext, useContext, useInsertionEffect } from 'react'

/** Adopts style texts into one root (a shadow root or a document): each text once, however many ask for it. */
export type Adopt = (css: string) => void

/** An `Adopt` for `root`. Constructed sheets only: a strict `style-src` has nothing to refuse. */
export function createAdopt(root: DocumentOrShadowRoot): Adopt {
  const adopted = new Set<string>()
  return (css) => {
    if (adopted.has(css)) return
    adopted.add(css)
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  }
}

/** The root that the components below are drawn in. */
export const AdoptContext: Context<Adopt | undefined> = createContext<Adopt | undefined>(undefined)

/** Adopts a component's or view's own styles before it is first drawn: `useCss(css)` with `import css from './x.css?inline'`. */
export function useCss(css: string): void {
  const adopt = useContext(AdoptContext)
  useInsertionEffect(() => adopt?.(css), [adopt, css])
}
