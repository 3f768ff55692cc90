/** Latchkey for pages without React: `mountLatchkey()`, or `<latchkey-button>` after `defineLatchkeyButton()`. */
export { defineLatchkeyButton, type LatchkeyButtonElement } from './element.ts'
export { type Mounted, type MountOptions, mountLatchkey } from './mount.tsx'
