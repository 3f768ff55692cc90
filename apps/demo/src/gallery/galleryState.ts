import { type BuiltView, type LatchkeyOptions, route, type State, type Views } from '@latchkey/core'
import { type FakeLatchkey, type FakeSetup, fakeLatchkey } from '@latchkey/core/testing'
import type { Slots } from '@latchkey/react'
import { withConnectors, withNetworks } from './samples.ts'

/** One picture of the gallery: a view in one of its states. */
export interface GalleryState {
  readonly view: BuiltView
  readonly state: string
  /** Makes the fake that shows it. */
  make(now: { theme: 'light' | 'dark' }): FakeLatchkey
  /** Typed into the view's field once it is there. */
  readonly typed?: string
  /** The browser says that it is offline. */
  readonly offline?: boolean
  readonly slots?: Slots
  /** Pressed once it is there: the accessible name of a button. */
  readonly press?: string
  /** The clipboard refuses. */
  readonly noClipboard?: boolean
}

type Told = Omit<FakeSetup, 'state' | 'options'> & {
  readonly options?: LatchkeyOptions
  readonly state?: (quiet: State) => State
} & Pick<GalleryState, 'typed' | 'offline' | 'slots' | 'press' | 'noClipboard'>

/** Views that nothing lies under. */
const first: readonly BuiltView[] = ['Connect', 'Account', 'UnsupportedChain', 'SIWXSignMessage', 'ConnectingSiwe']

/** The pictures of one view, each in a state of its own. */
export function statesOf<Name extends BuiltView>(
  view: Name,
  data: Views[Name],
  states: Readonly<Record<string, Told>>,
  under: BuiltView = 'Connect',
): readonly GalleryState[] {
  return Object.entries(states).map(([state, { typed, offline, slots, press, noClipboard, ...told }]) => ({
    view,
    state,
    ...(typed === undefined ? {} : { typed }),
    ...(offline === undefined ? {} : { offline }),
    ...(slots === undefined ? {} : { slots }),
    ...(press === undefined ? {} : { press }),
    ...(noClipboard === undefined ? {} : { noClipboard }),
    make: ({ theme }) =>
      fakeLatchkey({
        ...told,
        options: { app: { name: 'Bakery' }, ...told.options, embedded: true, themeMode: theme },
        state(quiet) {
          const now = told.state ? told.state(quiet) : withConnectors(withNetworks(quiet))
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
