import type { Session } from '../adapter.ts'
import { createStore, type Store } from '../lib/store.ts'
import { pairingLink } from '../pairing/deepLink.ts'
import type { Pairing, PairingState } from '../pairing/pairingTypes.ts'

/** A pairing with a given state that records calls to its actions, except for overridden actions. */
export interface FakePairing extends Pairing {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<PairingState>
  /** The calls in order: `['look', {…}]`, `['leave']`, `['renew']`, `['open', link]`, `['connect', {…}]`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
}

/**
 * Creates a pairing that uses no relay, for testing views and for component galleries. `deeds` override actions, which otherwise
 * only record the call.
 *
 * @example
 * const latchkey = fakeLatchkey({ pairing: fakePairing({ status: 'preparing' }) })
 */
export function fakePairing(
  state: Partial<PairingState> = {},
  deeds: Partial<Omit<Pairing, 'state'>> = {},
): FakePairing {
  const calls: (readonly [string, ...unknown[]])[] = []
  const store = createStore<PairingState>({ status: 'idle', offer: undefined, error: undefined, ...state })
  return {
    state: store,
    calls,
    canLeave: true,
    look(params) {
      calls.push(['look', params])
      return () => void calls.push(['leave'])
    },
    renew: () => void calls.push(['renew']),
    link({ mobile_link, link_mode, desktop_link, webapp_link }, by) {
      const app = by === 'mobile' ? (mobile_link ?? link_mode) : by === 'desktop' ? desktop_link : webapp_link
      const { offer } = store.get()
      if (!app || !offer) return undefined
      const { redirect } = pairingLink({ app, uri: offer.uri }, { telegram: false, android: false })
      return { url: redirect, target: by === 'mobile' ? '_self' : '_blank' }
    },
    open(link) {
      calls.push(['open', link])
      return true
    },
    connect(params) {
      calls.push(['connect', params])
      return new Promise<Session>(() => undefined)
    },
    ...deeds,
  }
}
