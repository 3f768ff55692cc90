import type { Namespace } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AccountDetails } from '../adapter.ts'
import type { ConnectionState, State } from '../latchkeyTypes.ts'
import type { Store } from '../lib/store.ts'
import type { Networks } from '../networks/networks.ts'
import type { LiveSession } from './liveSession.ts'

/** The `connections` slice of the state, which describes the live sessions. */
export interface ConnectionSlice {
  get(namespace: Namespace): ConnectionState
  set(namespace: Namespace, next: ConnectionState): void
  /** Describes the first live session of the namespace. Without a session, it is disconnected, with `error` if there is one. */
  update(namespace: Namespace, error?: LatchkeyError): void
}

/** Creates the writer of the `connections` slice. `live` has the sessions of each namespace, the active session first. */
export function createConnectionSlice({
  state,
  live,
  networks,
  accountTypes,
  active,
}: {
  readonly state: Store<State['connections']>
  readonly live: ReadonlyMap<Namespace, readonly LiveSession[]>
  readonly networks: Pick<Networks, 'activate' | 'first' | 'listed'>
  /** Returns the account type of the embedded wallet in each namespace. */
  accountTypes(): AccountDetails['preferredAccountTypes']
  active(): Namespace | undefined
}): ConnectionSlice {
  const set = (namespace: Namespace, next: ConnectionState): void => {
    const { byNamespace } = state.get()
    const others = [...live].flatMap(([namespace, [, ...rest]]) =>
      rest.map(({ session, accounts }) => ({ namespace, connectorId: session.connector.id, accounts })),
    )
    state.set({ byNamespace: { ...byNamespace, [namespace]: next }, others })
  }

  /** A network that the host does not list is the choice of the wallet, and ends with its connection. */
  const leaveUnlisted = (namespace: Namespace): void => {
    const listed = networks.listed(namespace)
    if (active() === namespace && listed && listed !== networks.first(namespace)) networks.activate(listed)
  }

  return {
    get: (namespace) => state.get().byNamespace[namespace] ?? { status: 'disconnected' },
    set,
    update(namespace, error) {
      const [first] = live.get(namespace) ?? []
      if (!first) {
        set(namespace, error ? { status: 'disconnected', error } : { status: 'disconnected' })
        return leaveUnlisted(namespace)
      }
      const { accounts, chain, health, session } = first
      const isEmbedded = session.connector.type === 'AUTH'
      const details = isEmbedded ? { ...session.details, preferredAccountTypes: accountTypes() } : session.details
      set(namespace, { status: 'connected', connectorId: session.connector.id, accounts, chain, details, health })
    },
  }
}
