import type { State } from '../latchkeyTypes.ts'
import type { SignIn, SignInSession, SignInState } from '../signIn/signInTypes.ts'

/** A sign-in that records its calls. */
export interface FakeSignIn extends SignIn {
  /** The calls in order: `['sign']`, `['cancel']`, `['signOut']`. */
  readonly calls: readonly (readonly [name: string])[]
}

/** A session in the format of a signed session. Its signature is invalid. */
export const fakeSignInSession: SignInSession = {
  data: {
    domain: 'shop.example',
    uri: 'https://shop.example/',
    version: '1',
    nonce: '7f6e504bfad60b48',
    chainId: 'eip155:1',
    accountAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
    issuedAt: '2026-11-22T00:00:00.000Z',
    expirationTime: '2026-11-29T00:00:00.000Z',
  },
  message: 'shop.example wants you to sign in with your Ethereum account: …',
  signature: '0x00',
}

/**
 * Creates a sign-in that uses no wallet, for testing views and for component galleries. `deeds` override actions, which otherwise
 * succeed immediately.
 *
 * @example
 * const latchkey = fakeLatchkey({ signIn: fakeSignIn() })
 */
export function fakeSignIn(deeds: Partial<SignIn> = {}): FakeSignIn {
  const calls: (readonly [string])[] = []
  return {
    calls,
    async sign() {
      calls.push(['sign'])
      return deeds.sign ? deeds.sign() : fakeSignInSession
    },
    async cancel() {
      calls.push(['cancel'])
      await deeds.cancel?.()
    },
    async signOut() {
      calls.push(['signOut'])
      await deeds.signOut?.()
    },
  }
}

/**
 * Returns `state` with the given sign-in state for its active account.
 *
 * @example
 * const latchkey = fakeLatchkey({ state: (state) => withSignIn(state, { status: 'signed-out' }) })
 */
export function withSignIn(state: State, now: Partial<SignInState>): State {
  const own = state.networks.namespace && state.connections.byNamespace[state.networks.namespace]
  const account = own?.status === 'connected' || own?.status === 'reconnecting' ? own.accounts[0] : undefined
  return { ...state, signIn: { ...state.signIn, account, ...now } }
}
