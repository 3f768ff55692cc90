import { deleteDevice, deletePasskey, getMe } from '@latchkey/protocol/http/keys'
import { KeyError } from '@latchkey/vault'
import { isKeysFailure, type KeysApiClient } from '../keysApiClient.ts'
import type { DeviceStore } from '../wallet/deviceStore.ts'
import type { EmbeddedWallet, OpenedWallet } from '../wallet/embeddedWallet.ts'
import { canRemoveKey, type KeyRow, listUnlockKeys } from './listUnlockKeys.ts'

/** Lists and changes the keys that open the wallet. */
export interface UnlockKeyManagement {
  keys(opened: OpenedWallet): Promise<readonly KeyRow[]>
  /**
   * Removes a key from the wallet and the server.
   * @throws {KeyError} `wrapper/last` if the key is the last one that opens the wallet.
   */
  remove(opened: OpenedWallet, row: KeyRow): Promise<void>
  /** Runs `change`. If another device has changed the keys in the meantime, loads its changes and runs `change` once more. */
  retryOnConflict<Result>(opened: OpenedWallet, change: () => Promise<Result>): Promise<Result>
}

/** Creates the key management for a wallet. */
export function createUnlockKeyManagement({
  keysClient,
  store,
  wallet,
}: {
  readonly keysClient: KeysApiClient
  readonly store: Pick<DeviceStore, 'forgetDevice'>
  readonly wallet: Pick<EmbeddedWallet, 'lock'>
}): UnlockKeyManagement {
  const retryOnConflict: UnlockKeyManagement['retryOnConflict'] = async (opened, change) => {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof KeyError && error.code === 'vault/conflict')) throw error
      const { record } = await keysClient(getMe)
      if (!record) throw error
      await opened.vault.adoptRecord(record.record)
      return change()
    }
  }

  return {
    async keys(opened) {
      const me = await keysClient(getMe)
      if (me.record) await opened.vault.adoptRecord(me.record.record)
      return listUnlockKeys(me, opened.vault.record)
    },
    async remove(opened, row) {
      await retryOnConflict(opened, async () => {
        const rows = listUnlockKeys(await keysClient(getMe), opened.vault.record)
        if (!canRemoveKey(rows, row)) throw new KeyError('wrapper/last')
        // The wallet is updated first, because it refuses to remove the last key. If the key then remains on the server, it opens
        // nothing, and the user can try to remove it again.
        if (opened.vault.record.wrappers.some(({ id }) => id === row.id)) await opened.vault.removeWrapper(row.id)
      })
      const params = { id: row.id }
      if (row.kind === 'passkey') await keysClient(deletePasskey, { params })
      if (row.kind !== 'device') return
      await keysClient(deleteDevice, { params }).catch((error: unknown) => {
        if (!isKeysFailure(error, 'device/unknown')) throw error
      })
      if (!row.isThis) return
      await store.forgetDevice(opened.userId).catch(() => undefined)
      wallet.lock()
    },
    retryOnConflict,
  }
}
