// The script-tag file: `<script src=".../latchkey.js"></script>` gives the page a global `Latchkey` and the element
// `<latchkey-button>`. It is a loader only; everything else comes from chunks beside it. Being a script, it does its work when it runs.

import { createIntegrityLoader } from './integrityLoader.ts'
import type { MountedLatchkey, MountOptions } from './mountLatchkey.tsx'

interface Chunk {
  mountLatchkey(element: Element, options?: MountOptions): MountedLatchkey
  defineLatchkeyButton(name?: string): void
}

const scriptUrl = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : document.baseURI

/** The hash of `pins.js`, which says what every chunk hashes to; put in by the build. */
declare const PINS_INTEGRITY: string

const load = createIntegrityLoader(scriptUrl, PINS_INTEGRITY)
const entry = (): Promise<Chunk> => load('latchkey-embed.js') as Promise<Chunk>

const global = {
  /** Draws the connect button into `element`. */
  mount: async (element: Element, options?: MountOptions): Promise<MountedLatchkey> =>
    (await entry()).mountLatchkey(element, options),
  /** Teaches the page `<latchkey-button>`; done already when the page has one. */
  define: async (name?: string): Promise<void> => (await entry()).defineLatchkeyButton(name),
}

Object.assign(window, { Latchkey: global, latchkeyLoad: load })

function defineIfPresent(): void {
  if (document.querySelector('latchkey-button')) global.define().catch((error: unknown) => console.error(error))
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', defineIfPresent)
else defineIfPresent()
