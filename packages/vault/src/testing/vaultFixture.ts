import { createVault } from '../createVault.ts'
import type { Bytes, CryptoEnvironment, DeviceSecret } from '../cryptoEnvironment.ts'
import { deviceUnlockKey } from '../deviceUnlockKey.ts'
import type { UnlockKey } from '../keyWrapping.ts'
import { passkeyUnlockKey } from '../passkeyUnlockKey.ts'
import { generateRecoveryCode, recoveryCodeUnlockKey } from '../recoveryKit.ts'
import type { UnlockedVault } from '../unlockedVault.ts'
import { memoryDeviceSecret } from './memoryDeviceSecret.ts'
import { type MemoryVaultStore, memoryVaultStore } from './memoryVaultStore.ts'

/** A vault, all of its owner's secrets, and the server's store. */
export interface VaultFixture {
  /** The ID of the owner's account. */
  readonly user: string
  /** The environment in which the vault was created. */
  readonly environment: CryptoEnvironment
  /** The store that contains the saved record. */
  readonly store: MemoryVaultStore
  /** The unlocked vault. */
  readonly vault: UnlockedVault
  /** The device's own secret. */
  readonly device: DeviceSecret
  /** The server's share of the device key. */
  readonly serverShare: Bytes
  /** The passkey's PRF output. */
  readonly prfOutput: Bytes
  /** The recovery kit's code. */
  readonly recoveryCode: Bytes
  /** The owner's three keys. */
  readonly keys: { readonly device: UnlockKey; readonly passkey: UnlockKey; readonly kit: UnlockKey }
}

/** Creates a vault with a device key, a passkey and a recovery kit. The saved record has version 3. */
export async function createVaultFixture(environment: CryptoEnvironment, user = 'user-1'): Promise<VaultFixture> {
  const store = memoryVaultStore()
  const [device, serverShare, prfOutput, recoveryCode] = [
    await memoryDeviceSecret(environment.random(32)),
    environment.random(32),
    environment.random(32),
    generateRecoveryCode(environment),
  ]
  const keys = {
    device: deviceUnlockKey('device-1', device, serverShare),
    passkey: passkeyUnlockKey('cGFzc2tleS0x', prfOutput),
    kit: await recoveryCodeUnlockKey(environment, recoveryCode),
  }
  const vault = await createVault({ user, key: keys.device, name: 'Laptop', environment, store })
  await vault.addWrapper(keys.passkey, 'Phone')
  await vault.addWrapper(keys.kit, 'Paper')
  return { user, environment, store, vault, device, serverShare, prfOutput, recoveryCode, keys }
}
