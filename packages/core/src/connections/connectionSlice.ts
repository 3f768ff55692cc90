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
  /** Writes the namespace's first live session to the state, or the status `disconnected` and `error` if there is no session. */
  update(namespace: Namespace, error?: LatchkeyError): void
}

/** Creates the functions that read and write the `connections` slice. */
export function createConnectionSlice({
  state,
  live,
  networks,
  accountTypes,
  active,
}: {
  readonly state: Store<State['connections']>
  /** The sessions in each namespace. The active session is first. */
  readonly live: ReadonlyMap<Namespace, readonly LiveSession[]>
  readonly networks: Pick<Networks, 'activate' | 'first' | 'listed'>
  /** Returns the embedded wallet's account type in each namespace. */
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

  /** Activates one of the host's networks after a disconnect, if the wallet had selected a network that is not listed. */
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
