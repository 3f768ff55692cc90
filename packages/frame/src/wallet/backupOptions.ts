import { getMe, postPasskey } from '@latchkey/protocol/http/keys'
import type { UnlockedVault } from '@latchkey/vault'
import type { BackupOptions } from '../approvals/approvalViewModel.ts'
import { createAccountPasskey } from './accountPasskey.ts'
import { createNewRecoveryKit, recoveryKitName } from './newRecoveryKit.ts'
import type { WalletDependencies } from './walletDependencies.ts'
import { canCreatePasskeys, openWalletPagePopup } from './walletPagePopup.ts'

/** Returns the ways to add a second key to an unlocked vault: a recovery kit and, if `passkeys` is set, a passkey. */
export function createBackupOptions(
  dependencies: WalletDependencies,
  { userId, vault, passkeys }: { userId: string; vault: UnlockedVault; passkeys: boolean },
): BackupOptions {
  const { environment, window } = dependencies
  return {
    async makeKit() {
      const { code, qr, unlockKey, file } = await createNewRecoveryKit(environment)
      return {
        code,
        qr,
        async keep() {
          await vault.addWrapper(await unlockKey(), recoveryKitName)
          return file(vault.record, environment.clock.now())
        },
      }
    },
    get elsewhere() {
      return !canCreatePasskeys(window)
    },
    addPasskey: passkeys ? () => addPasskey(dependencies, userId, vault) : undefined,
  }
}

/** Adds a passkey to the vault and to the account, in a window of the wallet page if this document cannot create passkeys. */
async function addPasskey(dependencies: WalletDependencies, userId: string, vault: UnlockedVault): Promise<void> {
  const { window, deviceName } = dependencies
  if (!canCreatePasskeys(window)) {
    await openWalletPagePopup(window, 'passkey')
    const { record } = await dependencies.keysClient(getMe)
    if (record) await vault.adoptRecord(record.record)
    return
  }
  const { made, key } = await createAccountPasskey(dependencies)
  // The passkey is added to the vault first. Otherwise, a failure could leave a passkey that signs the user in but cannot unlock
  // the wallet.
  await vault.addWrapper(key, deviceName)
  await dependencies.keysClient(postPasskey, { body: { userId, name: deviceName, response: made } })
}
