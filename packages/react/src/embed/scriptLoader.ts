// The entry point for script tags. `<script src=".../latchkey.js"></script>` defines the global `Latchkey` and, if the page
// contains a `<latchkey-button>`, that element. The script is only a loader, which imports the rest of the code from chunks next
// to it. It is a classic script, so it runs as soon as it loads.

import { createIntegrityLoader } from './integrityLoader.ts'
import type { MountedLatchkey, MountOptions } from './mountLatchkey.tsx'

interface Chunk {
  mountLatchkey(element: Element, options?: MountOptions): MountedLatchkey
  defineLatchkeyButton(name?: string): void
}

const scriptUrl = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : document.baseURI

/** The hash of `pins.js`, which contains the hashes of all chunks. Set by the build. */
declare const PINS_INTEGRITY: string

const load = createIntegrityLoader(scriptUrl, PINS_INTEGRITY)
const entry = (): Promise<Chunk> => load('latchkey-embed.js') as Promise<Chunk>

const global = {
  /** Renders the connect button into `element`. */
  mount: async (element: Element, options?: MountOptions): Promise<MountedLatchkey> =>
    (await entry()).mountLatchkey(element, options),
  /** Defines `<latchkey-button>`. Does nothing if the element is already defined. */
  define: async (name?: string): Promise<void> => (await entry()).defineLatchkeyButton(name),
}

Object.assign(window, { Latchkey: global, latchkeyLoad: load })

function defineIfPresent(): void {
  if (document.querySelector('latchkey-button')) global.define().catch((error: unknown) => console.error(error))
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', defineIfPresent)
else defineIfPresent()
