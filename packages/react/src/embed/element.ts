import type { HostEvents } from '@latchkey/core'
import { locales } from '../i18n/locales.ts'
import { type Mounted, type MountOptions, mountLatchkey } from './mount.tsx'

/** A `<latchkey-button>` in the page. Its events are `latchkey-connect`, `latchkey-disconnect`, `latchkey-chain`, … with our values as `detail`. */
export interface LatchkeyButtonElement extends HTMLElement {
  /** What attributes cannot say. Set it before the element enters the page. */
  options: MountOptions | undefined
  /** The instance behind it, while it is in the page. */
  readonly latchkey: Mounted['latchkey'] | undefined
}

const events = ['connect', 'disconnect', 'chain', 'accounts', 'signIn'] as const satisfies readonly (keyof HostEvents)[]
const sizes = ['small', 'medium', 'large'] as const
const modes = ['light', 'dark', 'system'] as const

/** Teaches the page the element `<latchkey-button label server project-id size theme locale>`. Does nothing the second time. */
export function defineLatchkeyButton(name = 'latchkey-button'): void {
  if (customElements.get(name)) return
  customElements.define(
    name,
    class extends HTMLElement implements LatchkeyButtonElement {
      options: MountOptions | undefined = undefined
      #mounted: Mounted | undefined
      #stops: (() => void)[] = []

      get latchkey(): Mounted['latchkey'] | undefined {
        return this.#mounted?.latchkey
      }

      connectedCallback(): void {
        this.#mounted = mountLatchkey(this, { ...written(this), ...this.options })
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

/** The options that stand in the attributes; what is not one of the allowed words is not there. */
function written(element: Element): MountOptions {
  const text = (name: string): string | undefined => element.getAttribute(name) ?? undefined
  const one = <Word extends string>(name: string, words: readonly Word[]): Word | undefined =>
    words.find((word) => word === text(name))
  const said = {
    label: text('label'),
    server: text('server'),
    projectId: text('project-id'),
    size: one('size', sizes),
    themeMode: one('theme', modes),
    locale: one('locale', [...locales, 'auto'] as const),
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}
