import { postPasskey } from '@latchkey/protocol/http/keys'
import type { UnlockedVault, UnlockKey } from '@latchkey/vault'
import { createVault } from '@latchkey/vault/createVault'
import type { FirstRecoveryKit } from '../approvals/approvalViewModel.ts'
import { createAccountPasskey } from './accountPasskey.ts'
import { addThisDevice, registerDevice } from './deviceKey.ts'
import { createNewRecoveryKit, recoveryKitName } from './newRecoveryKit.ts'
import type { WalletDependencies } from './walletDependencies.ts'
import { canCreatePasskeys } from './walletPagePopup.ts'

/** Creates the vault with its first key and saves it. Resolves to the unlocked vault. */
type CreateWithKey = (key: UnlockKey, name: string) => Promise<UnlockedVault>

/**
 * Creates the vault of a user who has none. Its first key is `suppliedKey` or else this device's key; other keys are added later.
 * @throws {KeyError} `vault/conflict` if another tab or device created the vault first.
 */
export async function createWallet(
  dependencies: WalletDependencies,
  user: string,
  suppliedKey: UnlockKey | undefined,
): Promise<UnlockedVault> {
  const { store: device, environment, deviceName } = dependencies
  const store = device.vaultStore(user, dependencies.keysClient)
  const create: CreateWithKey = (key, name) => createVault({ user, key, name, environment, store })
  if (suppliedKey) {
    const vault = await create(suppliedKey, deviceName)
    await addThisDevice(dependencies, user, vault)
    return vault
  }
  const made = (await device.available()) ? await device.device(user, true) : undefined
  if (!made) return createWithoutDevice(dependencies, user, create)
  const vault = await create(await registerDevice(dependencies, user, made), deviceName)
  if (import.meta.env.CUSTODY === 'assisted' && (await dependencies.assisted?.()))
    await (await import('./assistedCustody.ts')).createAssistedCustody(dependencies, { userId: user, vault })
  return vault
}

/**
 * Creates the vault in a browser without storage. Its first key is a passkey or a recovery kit, which is then required each time
 * the vault is unlocked.
 */
async function createWithoutDevice(
  dependencies: WalletDependencies,
  userId: string,
  create: CreateWithKey,
): Promise<UnlockedVault> {
  const { approvals, environment, window, deviceName } = dependencies
  const passkeys = (await dependencies.passkeys()) && canCreatePasskeys(window)
  return approvals.ask({
    subject: {
      kind: 'start',
      starting: {
        origin: dependencies.embedder(),
        async makeKit(): Promise<FirstRecoveryKit> {
          const { code, qr, unlockKey, file } = await createNewRecoveryKit(environment)
          return {
            code,
            qr,
            async start() {
              const vault = await create(await unlockKey(), recoveryKitName)
              return { vault, file: file(vault.record, environment.clock.now()) }
            },
          }
        },
        startWithPasskey: passkeys
          ? async () => {
              const { made, key } = await createAccountPasskey(dependencies)
              const vault = await create(key, deviceName)
              await dependencies.keysClient(postPasskey, { body: { userId, name: deviceName, response: made } })
              return vault
            }
          : undefined,
      },
    },
    perform: async (vault: UnlockedVault) => vault,
  })
}
