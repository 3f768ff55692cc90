/** Returns the element whose color scheme overlays use: the Latchkey button's parent, or the body if there is no button. */
export function colorSchemeSource(): Element {
  return document.querySelector('.latchkey-button')?.parentElement ?? document.body
}
