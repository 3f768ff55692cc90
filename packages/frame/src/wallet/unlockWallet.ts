import { getMe, type KeysMe } from '@latchkey/protocol/http/keys'
import { getProtection, parseRecord, type UnlockedVault, type UnlockKey, type VaultRecord } from '@latchkey/vault'
import { openVault } from '@latchkey/vault/openVault'
import type { RecoveryOptions } from '../approvals/approvalViewModel.ts'
import { getPasskeyUnlockKey } from './accountPasskey.ts'
import { addThisDevice, openWithDevice } from './deviceKey.ts'
import { getRecoveryCodeKey } from './recoveryCodeKey.ts'
import { getKnownWrappers, isForgery, restoreFromDevice } from './restoreVaultRecord.ts'
import type { WalletDependencies } from './walletDependencies.ts'

/**
 * Unlocks the vault in `record` with the first available key: `suppliedKey`, this device's key or, with assisted custody, the
 * operator's shares. Otherwise, the recovery screen asks the user for another key. If this device has no key yet, it gets one.
 */
export async function unlockWallet(
  dependencies: WalletDependencies,
  me: KeysMe,
  record: VaultRecord,
  suppliedKey: UnlockKey | undefined,
): Promise<UnlockedVault> {
  const { keysClient: client, store: device, environment } = dependencies
  const user = me.user.id
  const store = device.vaultStore(user, client)
  const open = (key: UnlockKey): Promise<UnlockedVault> => openVault({ user, record, key, environment, store })
  const openAndAddDevice = async (key: UnlockKey): Promise<UnlockedVault> => {
    const vault = await open(key)
    await addThisDevice(dependencies, user, vault)
    return vault
  }

  if (suppliedKey && record.wrappers.some(({ kind, id }) => kind === suppliedKey.kind && id === suppliedKey.id))
    return openAndAddDevice(suppliedKey)
  const reason = await openWithDevice(dependencies, user, record, open)
  if (typeof reason !== 'string') return reason
  const restored = await restoreFromDevice(dependencies, me, { suppliedKey, record })
  if (restored) return restored
  if (import.meta.env.CUSTODY === 'assisted') {
    const key = await (await import('./assistedCustody.ts')).getOperatorUnlockKey(dependencies, {
      userId: user,
      record,
    })
    if (key) return openAndAddDevice(key)
  }
  return askForKey(dependencies, me, record, { reason, open })
}

/** Shows the recovery screen, on which the user opens the vault with a recovery kit, a passkey or another device. */
async function askForKey(
  dependencies: WalletDependencies,
  me: KeysMe,
  record: VaultRecord,
  { reason, open }: { reason: RecoveryOptions['because']; open: (key: UnlockKey) => Promise<UnlockedVault> },
): Promise<UnlockedVault> {
  const { keysClient: client, environment } = dependencies
  const user = me.user.id
  const wrappers = await getKnownWrappers(dependencies, { user, record })
  const ids = [...new Set(wrappers.filter(({ kind }) => kind === 'passkey').map(({ id }) => id))]
  const openWith = async (key: UnlockKey): Promise<UnlockedVault> => {
    try {
      return await open(key)
    } catch (error) {
      const vault = isForgery(error) && (await restoreFromDevice(dependencies, me, { suppliedKey: key, record }))
      if (vault) return vault
      throw error
    }
  }
  return dependencies.approvals.ask({
    subject: {
      kind: 'recover',
      recovering: {
        origin: dependencies.embedder(),
        email: me.user.email,
        address: record.addresses.eip155,
        kinds: getProtection({ wrappers }).kinds,
        because: reason,
        openWithKit: async (typed) => openWith(await getRecoveryCodeKey(environment, typed)),
        openWithPasskey:
          ids.length > 0 ? async () => openWith(await getPasskeyUnlockKey(dependencies, ids)) : undefined,
        async openWithDevice({ signal, onPosted, compare }) {
          const [{ requestTransfer }, { openWithVaultKey }] = await Promise.all([
            import('./deviceTransfer.ts'),
            import('@latchkey/vault/openVault'),
          ])
          const asking = { subject: record, onPosted }
          const vaultKey = await requestTransfer({ keysClient: client, environment, signal, compare }, asking)
          // The keys might have been changed on another device while this device waited for the approval.
          const now = (await client(getMe)).record
          const newest = now === null ? record : parseRecord(now.record)
          const store = dependencies.store.vaultStore(user, client)
          return openWithVaultKey({ user, record: newest, vaultKey, environment, store })
        },
      },
    },
    // The screen has already opened the vault, so only a key for this device is added.
    perform: async (vault: UnlockedVault) => {
      await addThisDevice(dependencies, user, vault)
      return vault
    },
  })
}
