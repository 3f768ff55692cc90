import type { LatchkeyOptions, SignInState, State } from '@latchkey/core'
import { fakeFailure, fakeSignIn, fakeSignInSession, withAccount, withSignIn } from '@latchkey/core/testing'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import { address, picture, twelveNetworks, unwieldy, withConnection, withConnectors, withNetworks } from '../samples.ts'

const app = { name: 'Bakery', icons: [picture('#f7b267', '#d1495b', 'B')] }
const required: LatchkeyOptions = { signIn: 'required', app }
const optional: LatchkeyOptions = { signIn: 'optional', app }

const at = (now: Partial<SignInState>, options = required) => ({
  options,
  signIn: fakeSignIn(),
  state: (initialState: State) => withSignIn(withConnection(initialState), { status: 'signed-out', ...now }),
})
const failed = (error: SignInState['error'], options = required) => at({ error }, options)

/** A state with a long app name, user name, wallet name and network name. */
const long = {
  options: { ...required, app: { name: 'The Unreasonably Long Name of an Otherwise Quite Ordinary Application' } },
  signIn: fakeSignIn(),
  state(initialState: State): State {
    const now = withAccount(
      withConnectors(withNetworks(initialState, twelveNetworks), unwieldy),
      `eip155:31337:${address}`,
      'example.long',
    )
    const identity = {
      status: 'ready',
      value: { name: 'an-exceedingly-patient-visitor.of.the.bakery.example.eth' },
    } as const
    return withSignIn({ ...now, account: { ...now.account, identity } }, { status: 'signed-out' })
  },
}

const states = {
  required: at({}),
  optional: at({}, optional),
  checking: at({ status: 'checking' }),
  signing: at({ status: 'signing' }),
  cancelling: at({ status: 'cancelling' }),
  'signed in': at({ status: 'signed-in', session: fakeSignInSession }),
  declined: failed(fakeFailure('sign-in/declined', undefined)),
  'declined, optional': failed(fakeFailure('sign-in/declined', undefined), optional),
  'smart account': failed(fakeFailure('sign-in/no-smart-accounts', undefined)),
  invalid: failed(fakeFailure('sign-in/invalid', undefined)),
  unknown: at({ status: 'unknown', error: fakeFailure('sign-in/not-initialised', undefined) }),
  'server down': failed(fakeFailure('http/unreachable', { url: 'https://connect.app.example' })),
  'wallet cannot sign': failed(fakeFailure('sign-in/no-client', undefined)),
  shake: {
    ...at({}),
    state(initialState: State): State {
      const now = withSignIn(withConnection(initialState), { status: 'signed-out' })
      return { ...now, modal: { ...now.modal, shaking: true } }
    },
  },
  'long content': long,
  'no name, no pictures': {
    ...at({}),
    // If the app has no name, the view shows only the origin.
    options: { signIn: 'required', app: { name: '' } } satisfies LatchkeyOptions,
    state: (initialState: State): State => {
      const now = withAccount(
        withConnectors(withNetworks(initialState), unwieldy),
        `eip155:5:${address}`,
        'example.plain',
      )
      return withSignIn(now, { status: 'signed-out' })
    },
  },
  'not loaded': { options: required, state: at({}).state },
  nobody: { options: required, signIn: fakeSignIn() },
}

/** The sign-in views. */
export const signInStates: readonly GalleryEntry[] = [
  ...statesOf('SIWXSignMessage', undefined, states),
  ...statesOf(
    'AccountSettings',
    undefined,
    {
      'signed in': at({ status: 'signed-in', session: fakeSignInSession }, optional),
      'signed out': at({}, optional),
    },
    'Account',
  ),
  ...statesOf('ConnectingSiwe', undefined, { required: states.required, optional: states.optional }),
]
