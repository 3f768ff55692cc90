/** Latchkey for pages without React: `mountLatchkey()`, or `<latchkey-button>` after `defineLatchkeyButton()`. */
export { defineLatchkeyButton, type LatchkeyButtonElement } from './customElement.ts'
export { type MountedLatchkey, type MountOptions, mountLatchkey } from './mountLatchkey.tsx'
