import { toBase64Url } from '@latchkey/protocol/bytes'
import { deriveAddresses } from './derivation/deriveAddresses.ts'
import { withRootSecret } from './derivation/rootSecret.ts'
import { type UnlockKey, wrap } from './keyWrapping.ts'
import { saveRecord } from './saveRecord.ts'
import { sealEntropy, withMac } from './sealedVault.ts'
import { createUnlockedVault, type UnlockedVault, type UnlockOptions } from './unlockedVault.ts'
import { recordFormat } from './vaultRecord.ts'
import { wipe } from './wipe.ts'

/** Parameters for `createVault`: the user and their first key. */
export interface CreateVaultParameters extends UnlockOptions {
  /** The ID of the owner's account on the server. */
  readonly user: string
  /** The owner's first key. */
  readonly key: UnlockKey
  /** The name that the owner gives the key. */
  readonly name: string
}

/**
 * Creates, saves and unlocks a vault. The vault contains 256 bits of random entropy, encrypted with a vault key that is wrapped
 * with the owner's first key.
 *
 * @example
 * import { deviceUnlockKey, systemEnvironment, type UnlockedVault, type VaultStore } from '@latchkey/vault'
 * import { createVault } from '@latchkey/vault/createVault'
 * import { openVault } from '@latchkey/vault/openVault'
 * import { eip155Signer } from '@latchkey/vault/signers/eip155'
 * import { memoryDeviceSecret, memoryVaultStore } from '@latchkey/vault/testing'
 *
 * const environment = systemEnvironment()
 * // In production, use a store that saves to your server, and a non-extractable key in IndexedDB.
 * const store: VaultStore = memoryVaultStore()
 * const key = deviceUnlockKey('device-1', await memoryDeviceSecret(), environment.random(32))
 *
 * const created: UnlockedVault = await createVault({ user: 'user-1', key, name: 'Laptop', environment, store })
 * const record = created.record
 * created.lock()
 *
 * const vault = await openVault({ user: 'user-1', record, key, environment, store })
 * export const signature = await eip155Signer(vault).signMessage({ message: { raw: '0x1234' } })
 */
export async function createVault({ user, key, name, ...options }: CreateVaultParameters): Promise<UnlockedVault> {
  const { environment, store } = options
  const [entropy, vaultKey] = [environment.random(32), environment.random(32)]
  try {
    const wallet = toBase64Url(environment.random(16))
    const addresses = await withRootSecret(environment, entropy, (root) => deriveAddresses(environment, root))
    const context = { user, wallet, createdAt: environment.clock.now(), addresses }
    const vault = await sealEntropy(environment, vaultKey, { entropy, context })
    const wrapper = await wrap(environment, vaultKey, {
      key,
      name,
      context: { user, wallet, address: addresses.eip155 },
    })
    const content = { format: recordFormat, version: 1, ...context, vault, wrappers: [wrapper] } as const
    const record = await withMac(environment, vaultKey, { ...content, wrappers: [wrapper] })
    await saveRecord(store, record, 0)
    return createUnlockedVault(record, vaultKey, options)
  } catch (error) {
    wipe(vaultKey)
    throw error
  } finally {
    wipe(entropy)
  }
}
