import { initialState } from '@latchkey/core'
import { renderToString } from 'react-dom/server'
import type { PageWorld } from './pageOptions.ts'
import { latchkeyOf, Rendered } from './ServerRenderedApp.tsx'

/** Returns the page's HTML for a request with the given `Cookie` header. */
export function renderPage({ cookie, world }: { cookie: string | null; world: PageWorld }): string {
  return renderToString(<Rendered latchkey={latchkeyOf(world, initialState(cookie))} />)
}
