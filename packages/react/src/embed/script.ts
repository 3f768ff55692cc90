// The script-tag file: `<script src=".../latchkey.js"></script>` gives the page a global `Latchkey` and the element
// `<latchkey-button>`. It is a loader only; everything else comes from chunks beside it. Being a script, it does its work when it runs.

import type { Mounted, MountOptions } from './mount.tsx'

interface Chunk {
  mountLatchkey(element: Element, options?: MountOptions): Mounted
  defineLatchkeyButton(name?: string): void
}

const beside = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : document.baseURI

function load(): Promise<Chunk> {
  return import(/* @vite-ignore */ new URL('./latchkey-embed.js', beside).href) as Promise<Chunk>
}

const global = {
  /** Draws the connect button into `element`. */
  mount: async (element: Element, options?: MountOptions): Promise<Mounted> =>
    (await load()).mountLatchkey(element, options),
  /** Teaches the page `<latchkey-button>`; done already when the page has one. */
  define: async (name?: string): Promise<void> => (await load()).defineLatchkeyButton(name),
}

Object.assign(window, { Latchkey: global })

function look(): void {
  if (document.querySelector('latchkey-button')) void global.define()
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', look)
else look()
