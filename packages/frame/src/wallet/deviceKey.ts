import { fromBase64Url } from '@latchkey/protocol/bytes'
import { postDevice, postDeviceHalf } from '@latchkey/protocol/http/keys'
import { deviceUnlockKey, KeyError, type UnlockedVault, type UnlockKey, type VaultRecord } from '@latchkey/vault'
import type { RecoveryOptions } from '../approvals/approvalViewModel.ts'
import { isKeysFailure } from '../keysApiClient.ts'
import type { DeviceIdentity } from './deviceStore.ts'
import type { WalletDependencies } from './walletDependencies.ts'

/**
 * Opens the vault with this device's key, half of which is on the server. Resolves to the vault, or to the reason why this device
 * could not open it.
 */
export async function openWithDevice(
  dependencies: WalletDependencies,
  user: string,
  record: VaultRecord,
  open: (key: UnlockKey) => Promise<UnlockedVault>,
): Promise<UnlockedVault | RecoveryOptions['because']> {
  if (!(await dependencies.store.available())) return 'no-storage'
  const found = await dependencies.store.device(user, false)
  if (!found) return 'new-device'
  if (!record.wrappers.some(({ kind, id }) => kind === 'device' && id === found.id)) return 'removed'
  try {
    const { serverHalf } = await dependencies.keysClient(postDeviceHalf, { params: { id: found.id } })
    return await open(unlockKeyOf(found, serverHalf))
  } catch (error) {
    if (isKeysFailure(error, 'device/revoked', 'device/unknown', 'device/other-browser')) return 'removed'
    if (error instanceof KeyError && error.code === 'wrapper/does-not-open') return 'lost'
    throw error
  }
}

/**
 * Adds a new key for this device to an unlocked vault, unless the device already has one. Errors are ignored, because the key
 * only simplifies the next login.
 */
export async function addThisDevice(
  dependencies: WalletDependencies,
  user: string,
  vault: UnlockedVault,
): Promise<void> {
  const add = async (): Promise<void> => {
    if (!(await dependencies.store.available())) return
    const old = await dependencies.store.device(user, false)
    if (old && vault.record.wrappers.some(({ id }) => id === old.id)) return
    await dependencies.store.forgetDevice(user)
    const made = await dependencies.store.device(user, true)
    if (made) await vault.addWrapper(await registerDevice(dependencies, user, made), dependencies.deviceName)
  }
  await add().catch(() => undefined)
}

/** Registers this device with the server, which creates its half of the key. Resolves to the device's unlock key. */
export async function registerDevice(
  { keysClient, deviceName }: WalletDependencies,
  userId: string,
  device: DeviceIdentity,
): Promise<UnlockKey> {
  const { serverHalf } = await keysClient(postDevice, { body: { userId, deviceId: device.id, name: deviceName } })
  return unlockKeyOf(device, serverHalf)
}

/** Returns the unlock key that consists of a device's secret and the server's half. */
function unlockKeyOf({ id, secret }: DeviceIdentity, serverHalf: string): UnlockKey {
  // The HTTP contract has already checked that the text is valid base64url.
  return deviceUnlockKey(id, secret, new Uint8Array(fromBase64Url(serverHalf) ?? []))
}
