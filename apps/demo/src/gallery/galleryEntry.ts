import { type BuiltView, type LatchkeyOptions, route, type State, type Views } from '@latchkey/core'
import { type FakeLatchkey, type FakeSetup, fakeLatchkey } from '@latchkey/core/testing'
import type { Slots } from '@latchkey/react'
import { withConnectors, withNetworks } from './samples.ts'

/** A gallery entry: a view in one of its states. */
export interface GalleryEntry {
  readonly view: BuiltView
  readonly state: string
  /** Creates the fake Latchkey instance that shows the view in this state. */
  make(now: { theme: 'light' | 'dark'; embedded: boolean }): FakeLatchkey
  /** Text to type into the view's field. */
  readonly typed?: string
  /** Whether the browser reports that it is offline. */
  readonly offline?: boolean
  readonly slots?: Slots
  /** The accessible name of a button to click. */
  readonly press?: string
  /** Whether writing to the clipboard fails. */
  readonly noClipboard?: boolean
}

type StateSetup = Omit<FakeSetup, 'state' | 'options'> & {
  readonly options?: LatchkeyOptions
  readonly state?: (initialState: State) => State
} & Pick<GalleryEntry, 'typed' | 'offline' | 'slots' | 'press' | 'noClipboard'>

/** The views that have no other view below them in the navigation stack. */
const first: readonly BuiltView[] = ['Connect', 'Account', 'UnsupportedChain', 'SIWXSignMessage', 'ConnectingSiwe']

/** Creates the gallery entries for one view. */
export function statesOf<Name extends BuiltView>(
  view: Name,
  data: Views[Name],
  states: Readonly<Record<string, StateSetup>>,
  under: BuiltView = 'Connect',
): readonly GalleryEntry[] {
  return Object.entries(states).map(([state, { typed, offline, slots, press, noClipboard, ...setup }]) => ({
    view,
    state,
    ...(typed === undefined ? {} : { typed }),
    ...(offline === undefined ? {} : { offline }),
    ...(slots === undefined ? {} : { slots }),
    ...(press === undefined ? {} : { press }),
    ...(noClipboard === undefined ? {} : { noClipboard }),
    make: ({ theme, embedded }) =>
      fakeLatchkey({
        ...setup,
        options: { app: { name: 'Bakery' }, ...setup.options, embedded, themeMode: theme },
        state(initialState) {
          const now = setup.state ? setup.state(initialState) : withConnectors(withNetworks(initialState))
          const shown = (route as (view: BuiltView, data: unknown) => State['modal']['stack'][0])(view, data)
          return {
            ...now,
            modal: {
              ...now.modal,
              open: true,
              stack: first.includes(view) ? [shown] : [route(under as 'Connect'), shown],
            },
          }
        },
      }),
  }))
}
