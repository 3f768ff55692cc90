import { toUtf8 } from '@latchkey/protocol/bytes'
import type { Bytes, DeviceSecret } from './cryptoEnvironment.ts'
import type { UnlockKey } from './keyWrapping.ts'
import { wipe } from './wipe.ts'

/**
 * Creates this device's unlock key from the device's ID on the server, the device's own secret, and the share that the server
 * releases to a fresh session.
 *
 * @throws {RangeError} if the share is not 32 bytes long.
 *
 * @example
 * const key = deviceUnlockKey(deviceId, deviceSecret, serverShare)
 * const vault = await openVault({ user: 'user-1', record, key, environment, store })
 */
export function deviceUnlockKey(deviceId: string, device: DeviceSecret, serverShare: Bytes): UnlockKey {
  if (serverShare.length !== 32) throw new RangeError('The server’s half must have 32 bytes.')
  return {
    kind: 'device',
    id: deviceId,
    async secret(wallet) {
      const deviceShare = await device.derive(toUtf8(`latchkey/v1/device/${wallet}`) as Bytes)
      const secret = new Uint8Array(deviceShare.length + serverShare.length)
      secret.set(deviceShare)
      secret.set(serverShare, deviceShare.length)
      wipe(deviceShare)
      return secret
    },
  }
}
