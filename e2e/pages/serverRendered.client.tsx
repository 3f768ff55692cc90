import { initialState } from '@latchkey/core'
import { hydrateRoot } from 'react-dom/client'
import type { PageWorld } from './pageOptions.ts'
import { latchkeyOf, Rendered } from './ServerRenderedApp.tsx'

// As on a real host, the server embeds the data in the page, so that the button works as soon as the document has loaded.
const world = JSON.parse(document.getElementById('world')?.textContent ?? '') as PageWorld
hydrateRoot(
  document.getElementById('root') as HTMLElement,
  <Rendered latchkey={latchkeyOf(world, initialState(document.cookie))} />,
  {
    onRecoverableError: (error) => console.error('hydration', error),
  },
)
