import type { Bytes, DeviceSecret } from '../cryptoEnvironment.ts'

/** Creates a device secret that uses a non-extractable HMAC key, as in a browser. */
export async function memoryDeviceSecret(
  secret: Bytes = crypto.getRandomValues(new Uint8Array(32)),
): Promise<DeviceSecret> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return { derive: async (info) => new Uint8Array(await crypto.subtle.sign('HMAC', key, info)) }
}
