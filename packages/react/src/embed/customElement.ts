import type { HostEvents } from '@latchkey/core'
import { languages } from '@latchkey/i18n/languages'
import { type MountedLatchkey, type MountOptions, mountLatchkey } from './mountLatchkey.tsx'

/** The `<latchkey-button>` element. It dispatches DOM events such as `latchkey-connect`, with the event's values as `detail`. */
export interface LatchkeyButtonElement extends HTMLElement {
  /** The options, which override the attributes. Set them before the element is added to the document. */
  options: MountOptions | undefined
  /** The element's Latchkey instance. `undefined` while the element is not in the document. */
  readonly latchkey: MountedLatchkey['latchkey'] | undefined
}

const events = ['connect', 'disconnect', 'chain', 'accounts', 'signIn'] as const satisfies readonly (keyof HostEvents)[]
const sizes = ['small', 'medium', 'large'] as const
const modes = ['light', 'dark', 'system'] as const

/**
 * Defines the custom element `<latchkey-button label server project-id size theme locale>`. Does nothing if the element is
 * already defined.
 *
 * @example
 * defineLatchkeyButton()
 * document.querySelector('latchkey-button')?.addEventListener('latchkey-connect', ({ detail }) => …)
 */
export function defineLatchkeyButton(name = 'latchkey-button'): void {
  if (customElements.get(name)) return
  customElements.define(
    name,
    class extends HTMLElement implements LatchkeyButtonElement {
      options: MountOptions | undefined = undefined
      #mounted: MountedLatchkey | undefined
      #stops: (() => void)[] = []

      get latchkey(): MountedLatchkey['latchkey'] | undefined {
        return this.#mounted?.latchkey
      }

      connectedCallback(): void {
        this.#mounted = mountLatchkey(this, { ...optionsFromAttributes(this), ...this.options })
        const { latchkey } = this.#mounted
        this.#stops = events.map((event) =>
          latchkey.on(event, (detail) => {
            this.dispatchEvent(new CustomEvent(`latchkey-${event.toLowerCase()}`, { detail, bubbles: true }))
          }),
        )
      }

      disconnectedCallback(): void {
        for (const stop of this.#stops) stop()
        this.#mounted?.unmount()
        this.#mounted = undefined
      }
    },
  )
}

/** Reads the options from an element's attributes. Unknown values are ignored. */
function optionsFromAttributes(element: Element): MountOptions {
  const text = (name: string): string | undefined => element.getAttribute(name) ?? undefined
  const enumAttribute = <Value extends string>(name: string, values: readonly Value[]): Value | undefined =>
    values.find((word) => word === text(name))
  const options = {
    label: text('label'),
    server: text('server'),
    projectId: text('project-id'),
    size: enumAttribute('size', sizes),
    themeMode: enumAttribute('theme', modes),
    locale: enumAttribute('locale', [...languages, 'auto'] as const),
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
