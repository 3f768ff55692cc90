import type { Analytics } from '../analytics/analyticsEvents.ts'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { Modal } from '../modal/modal.ts'
import { stepAfterWalletChoice } from '../modal/stepAfterWalletChoice.ts'
import type { ConnectorRegistry } from '../wallets/connectorRegistry.ts'

/** Creates the method of an instance that handles the selection of a wallet. */
export function createPickWallet({
  registry,
  state,
  modal,
  mobile,
  pairs,
  listsAllWallets,
  track,
}: {
  readonly registry: Pick<ConnectorRegistry, 'shown'>
  readonly state: ReadableStore<State>
  readonly modal: Pick<Modal, 'show'>
  mobile(): boolean
  /** Whether pairing with remote wallets is available. */
  readonly pairs: boolean
  /** Whether the connect view links to the list of all wallets. */
  readonly listsAllWallets: boolean
  track: Analytics['track']
}): Pick<Latchkey, 'pickWallet'> {
  return {
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
