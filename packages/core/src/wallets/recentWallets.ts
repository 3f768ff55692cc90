import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { Connector } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import type { Store } from '../lib/store.ts'
import { type RecentWallet, recentOf, type StorageSchema } from '../storage/storageSchema.ts'

/** The recently used wallets, which are stored across page loads. */
export interface RecentWallets {
  /** Stores the wallet of a connector that has connected. */
  addConnector(connector: Connector): void
  /** Stores a directory wallet that has connected. */
  addWallet(wallet: Wallet): void
}

/** Creates the list of recent wallets. Manages `recent` in the `wallets` slice. */
export function createRecentWallets({
  records,
  wallets,
}: {
  readonly records: Pick<StorageSchema, 'walletId' | 'walletName' | 'recentWallets' | 'addRecent'>
  readonly wallets: Store<State['wallets']>
}): RecentWallets {
  const storeLast = (id: string, name: string): void => {
    records.walletId.set(id)
    records.walletName.set(name)
  }
  const add = (wallet: RecentWallet): void => {
    records.addRecent(wallet)
    wallets.set({ ...wallets.get(), recent: records.recentWallets.get() ?? wallets.get().recent })
  }
  return {
    addConnector({ id, name, rdns, explorerId, imageId }) {
      storeLast(explorerId ?? id, name)
      if (!rdns && !explorerId) return
      add({ id: explorerId ?? id, name, ...(rdns && { rdns }), ...(imageId && { image_id: imageId }) })
    },
    addWallet(wallet) {
      storeLast(wallet.id, wallet.name)
      add(recentOf(wallet))
    },
  }
}
