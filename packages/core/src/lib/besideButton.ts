/** Where in the page our button stands; what opens over the page looks as it does there. The body where there is none. */
export function besideButton(): Element {
  return document.querySelector('.latchkey-button')?.parentElement ?? document.body
}
