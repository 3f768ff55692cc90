/** Returns the parent of the Latchkey button, from which overlays take their color scheme, or the body if there is no button. */
export function colorSchemeSource(): Element {
  return document.querySelector('.latchkey-button')?.parentElement ?? document.body
}
