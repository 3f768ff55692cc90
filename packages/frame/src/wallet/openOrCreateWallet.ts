import { getMe, type KeysMe } from '@latchkey/protocol/http/keys'
import { KeyError, parseRecord, resumeSave, type UnlockedVault, type UnlockKey } from '@latchkey/vault'
import { createWallet } from './createWallet.ts'
import { requireKnownWallet } from './knownWallet.ts'
import {
  isForgery,
  lastSeenRecord,
  overwriteAndNotify,
  readServerRecord,
  restoreFromDevice,
} from './restoreVaultRecord.ts'
import { unlockWallet } from './unlockWallet.ts'
import type { WalletDependencies } from './walletDependencies.ts'

/**
 * Unlocks the account's vault, or creates it on the first login. If the server's record was not written by an owner of the
 * wallet, this device's copy of the record is restored.
 */
export async function openOrCreateWallet(
  dependencies: WalletDependencies,
  me: KeysMe,
  suppliedKey: UnlockKey | undefined,
): Promise<UnlockedVault> {
  const { keysClient: client, store: device } = dependencies
  const user = me.user.id
  const store = device.vaultStore(user, client)
  const saved = me.record === null ? undefined : readServerRecord(me.record)
  if (me.record && !saved) {
    const vault = await restoreFromDevice(dependencies, me, { suppliedKey, record: undefined })
    if (vault) return vault
    const stored = await lastSeenRecord(dependencies, user)
    if (!stored) throw new KeyError('vault/malformed')
    const opened = await unlockWallet(dependencies, me, stored, suppliedKey)
    await overwriteAndNotify(dependencies, opened, me.record.version)
    return opened
  }
  const record = await resumeSave(store, { user, saved })
  await requireKnownWallet(device, user, record)
  if (record)
    try {
      return await unlockWallet(dependencies, me, record, suppliedKey)
    } catch (error) {
      // The key opens the vault, but the record was not written by someone who has the vault key.
      const vault = isForgery(error) && (await restoreFromDevice(dependencies, me, { suppliedKey, record }))
      if (vault) return vault
      throw error
    }
  try {
    return await createWallet(dependencies, user, suppliedKey)
  } catch (error) {
    // Another tab or device created the vault first, so use that vault.
    if (!(error instanceof KeyError && error.code === 'vault/conflict')) throw error
    await store.storeDraft(undefined)
    const again = await client(getMe)
    if (again.user.id !== user || !again.record) throw error
    const winner = parseRecord(again.record.record)
    await requireKnownWallet(device, user, winner)
    return unlockWallet(dependencies, again, winner, suppliedKey)
  }
}
