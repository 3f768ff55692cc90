/** Latchkey for pages without React. Use `mountLatchkey()`, or call `defineLatchkeyButton()` and use `<latchkey-button>`. */
export { defineLatchkeyButton, type LatchkeyButtonElement } from './customElement.ts'
export { type MountedLatchkey, type MountOptions, mountLatchkey } from './mountLatchkey.tsx'
