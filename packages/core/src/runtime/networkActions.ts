import { type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Network } from '../adapter.ts'
import type { Connections } from '../connections/connections.ts'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { Modal } from '../modal/modal.ts'
import { networkRoute } from '../modal/networkRoute.ts'
import type { Notifications } from '../modal/notifications.ts'
import type { NetworkChanges } from '../networks/addAndRemoveNetworks.ts'
import type { Networks } from '../networks/networks.ts'

/** The methods of an instance that select networks. */
export interface NetworkActions
  extends Pick<Latchkey, 'switchNetwork' | 'addNetwork' | 'removeNetwork' | 'pickNetwork'> {
  /** Returns the active network, or the default network for `namespace` if the active network is in a different namespace. */
  network(namespace?: Namespace): Network | undefined
}

/** Creates the network actions. */
export function createNetworkActions({
  networks,
  changes,
  connections,
  state,
  notifications,
  modal,
}: {
  readonly networks: Networks
  readonly changes: Pick<NetworkChanges, 'add' | 'remove'>
  readonly connections: Pick<Connections, 'session' | 'switchNetwork'>
  readonly state: ReadableStore<State>
  readonly notifications: Pick<Notifications, 'alert'>
  readonly modal: Pick<Modal, 'show'>
}): NetworkActions {
  return {
    async switchNetwork(chain) {
      const network = networks.supports(chain) ? networks.find(chain) : undefined
      if (!network) {
        const detail = `${chain} is not one of this app's networks.`
        notifications.alert({ code: 'network/not-found', text: 'Network Not Found' }, detail)
        throw new LatchkeyError('network/not-found', { chain })
      }
      await connections.switchNetwork(network)
    },
    async addNetwork(network) {
      if (!changes.add(network)) throw new LatchkeyError('network/unsupported', { chain: network.caipNetworkId })
    },
    async removeNetwork(chain) {
      changes.remove(chain)
      const { active, namespace } = state.get().networks
      // A connected user stays on the removed network until they switch. If no wallet is connected, the first remaining network of
      // the namespace becomes active.
      const next = active === chain && namespace && !connections.session(namespace) && networks.listed(namespace)
      if (next) networks.activate(next)
    },
    pickNetwork(target) {
      const { networks, connections: now } = state.get()
      const { namespace, active } = networks
      const next = networkRoute({
        active,
        target,
        connected: (namespace) => now.byNamespace[namespace]?.status === 'connected',
        embeddedWallet: namespace !== undefined && connections.session(namespace)?.connector.type === 'AUTH',
      })
      if (next) modal.show(next)
    },
    network(namespace = state.get().networks.namespace) {
      const { active } = state.get().networks
      const first = namespace && networks.first(namespace)
      const chain = active && (!namespace || namespaceOf(active) === namespace) ? active : first
      return chain && networks.find(chain)
    },
  }
}
