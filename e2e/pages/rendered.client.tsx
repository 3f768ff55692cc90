import { initialState } from '@latchkey/core'
import { hydrateRoot } from 'react-dom/client'
import type { PageWorld } from './options.ts'
import { latchkeyOf, Rendered } from './Rendered.tsx'

const world = (await (await fetch('/world.json')).json()) as PageWorld
hydrateRoot(
  document.getElementById('root') as HTMLElement,
  <Rendered latchkey={latchkeyOf(world, initialState(document.cookie))} />,
  {
    onRecoverableError: (error) => console.error('hydration', error),
  },
)
