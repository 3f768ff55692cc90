import { authNamespaces } from '@latchkey/protocol/specificationConstants'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { LatchkeyOptions } from '../options.ts'
import { connectMethodsOrder } from '../wallets/connectMethodsOrder.ts'
import type { ConnectorRegistry } from '../wallets/connectorRegistry.ts'
import { walletsToList } from '../wallets/walletsToList.ts'

/** Creates the methods of an instance that list wallets and connect methods. */
export function createWalletLists({
  options,
  registry,
  state,
  offersSocials,
}: {
  readonly options: LatchkeyOptions
  readonly registry: Pick<ConnectorRegistry, 'shown' | 'some'>
  readonly state: ReadableStore<State>
  /** Whether the embedded wallet offers any social login. */
  offersSocials(): boolean
}): Pick<Latchkey, 'listed' | 'connectMethods'> {
  return {
    listed(directory) {
      const { networks, wallets } = state.get()
      const { customWallets = [], featuredWalletIds = [] } = options
      return walletsToList({
        shown: registry.shown(),
        pairs: wallets.connectors.some(({ type }) => type === 'WALLET_CONNECT'),
        recent: wallets.recent,
        custom: customWallets,
        excluded: wallets.excluded,
        namespace: wallets.filter ?? networks.namespace,
        choosesFeatured: featuredWalletIds.length > 0,
        directory,
      })
    },
    connectMethods() {
      const hasLogin = registry.some(({ type, namespace }) => type === 'AUTH' && authNamespaces.includes(namespace))
      const { email = true } = options.features ?? {}
      return connectMethodsOrder({
        shown: registry.shown(),
        configured: options.connectMethodsOrder,
        works: { wallet: true, email: hasLogin && email, social: hasLogin && offersSocials() },
      })
    },
  }
}
