import { createLatchkey } from '@latchkey/core'
import { ConnectButton, LatchkeyProvider, NetworkButton } from '@latchkey/react'
import '@latchkey/react/styles.css'
import { createRoot } from 'react-dom/client'
import { optionsFor, type PageWorld } from './pageOptions.ts'

// A page that does not set a color scheme. `?page=` sets the style of its root element, and `?place=` the style of the buttons'
// parent element.

const query = new URLSearchParams(location.search)
document.documentElement.style.cssText = query.get('page') ?? ''
document.documentElement.className = query.get('class') ?? ''
const place = document.getElementById('root') as HTMLElement
place.style.cssText = query.get('place') ?? ''

const world = (await (await fetch('/environment.json')).json()) as PageWorld
const latchkey = createLatchkey(optionsFor(world))
Object.assign(window, { latchkey })
createRoot(place).render(
  <LatchkeyProvider latchkey={latchkey}>
    <ConnectButton />
    <NetworkButton />
  </LatchkeyProvider>,
)
