import { authNamespaces } from '@latchkey/protocol/specificationConstants'
import type { Analytics } from '../analytics/analyticsEvents.ts'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { ReadableStore } from '../lib/store.ts'
import { offeredSocials } from '../login/offeredSocials.ts'
import type { Modal } from '../modal/modal.ts'
import { stepAfterWalletChoice } from '../modal/stepAfterWalletChoice.ts'
import type { LatchkeyOptions } from '../options.ts'
import { connectMethodsOrder } from '../wallets/connectorGroups.ts'
import type { ConnectorRegistry } from '../wallets/connectorRegistry.ts'
import { walletsToList } from '../wallets/walletsToList.ts'

/** Creates the methods of an instance that list wallets and handle wallet selection. */
export function createWalletActions({
  options,
  registry,
  state,
  modal,
  mobile,
  pairs,
  listsAllWallets,
  track,
}: {
  readonly options: LatchkeyOptions
  readonly registry: Pick<ConnectorRegistry, 'shown' | 'some'>
  readonly state: ReadableStore<State>
  readonly modal: Pick<Modal, 'show'>
  mobile(): boolean
  /** Whether pairing with remote wallets is available. */
  readonly pairs: boolean
  /** Whether the connect view links to the list of all wallets. */
  readonly listsAllWallets: boolean
  track: Analytics['track']
}): Pick<Latchkey, 'listed' | 'connectMethods' | 'pickWallet'> {
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
        works: {
          wallet: true,
          email: hasLogin && email,
          social: hasLogin && offeredSocials(options, state.get().wallets).length > 0,
        },
      })
    },
    pickWallet(picked) {
      const { namespace } = state.get().networks
      const next = stepAfterWalletChoice(picked, {
        shown: registry.shown(),
        pairs,
        directory: listsAllWallets,
        mobile: mobile(),
        namespace,
        page: globalThis.window,
      })
      if ('away' in next) return window.location.assign(next.away)
      if (next.platform) track({ event: 'SELECT_WALLET', properties: { name: picked.name, platform: next.platform } })
      modal.show(next.view)
    },
  }
}
