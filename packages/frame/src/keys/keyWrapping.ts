import { fromBase64Url, toBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import type { CanonicalValue } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment, DeviceSecret } from './cryptoEnvironment.ts'
import { recordFormat, type VaultRecord, type Wrapper, type WrapperKind } from './vaultRecord.ts'
import { deriveKey, seal, unseal } from './webCrypto.ts'
import { wipe } from './wipe.ts'

/** One of the owner's keys: the wrapper it belongs to, and the secret that encrypts it. */
export interface UnlockKey {
  readonly kind: WrapperKind
  /** The ID of the wrapper. */
  readonly id: string
  /** Resolves to the secret for this wallet. The caller must wipe it. */
  secret(wallet: string): Promise<Bytes>
}

/** The WebAuthn PRF input. It is the same for every wallet, so that PRF can be evaluated before the wallet is known. */
export function passkeyPrfInput(): Bytes {
  return toUtf8('latchkey/v1/passkey') as Bytes
}

/** Creates the unlock key of a passkey from its credential ID in base64url and its 32-byte output for `passkeyPrfInput()`. */
export function passkeyUnlockKey(credentialId: string, output: Bytes): UnlockKey {
  if (output.length !== 32) throw new RangeError('A passkey secret must have 32 bytes.')
  return { kind: 'passkey', id: credentialId, secret: async () => output.slice() }
}

/** Creates the unlock key of this device from its ID on the server, its own secret, and the share that the server releases to a fresh session. */
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

/** The context that a wrapper is bound to. It is authenticated with the ciphertext. */
export type WrapperContext = Pick<VaultRecord, 'user' | 'wallet'> & { readonly address: string }

/** Returns the wrapper context of a record. */
export function wrapperContextOf({ user, wallet, addresses }: VaultRecord): WrapperContext {
  return { user, wallet, address: addresses.eip155 }
}

/** Encrypts `vaultKey` with one of the owner's keys. */
export async function wrap(
  environment: CryptoEnvironment,
  vaultKey: Bytes,
  { key, name, context }: { key: UnlockKey; name: string; context: WrapperContext },
): Promise<Wrapper> {
  const salt = environment.random(32)
  const metadata = { kind: key.kind, id: key.id, name, createdAt: environment.clock.now() }
  const wrappingKey = await deriveWrappingKey(environment, key, { salt, context })
  try {
    const sealed = await seal(environment, wrappingKey, vaultKey, additionalData(metadata, context))
    return { ...metadata, salt: toBase64Url(salt), ...sealed }
  } finally {
    wipe(wrappingKey)
  }
}

/** Decrypts the vault key in `wrapper`. Resolves to `undefined` if `key` does not match or the wrapper was modified. */
export async function unwrap(
  environment: CryptoEnvironment,
  wrapper: Wrapper,
  { key, context }: { key: UnlockKey; context: WrapperContext },
): Promise<Bytes | undefined> {
  if (wrapper.kind !== key.kind || wrapper.id !== key.id) return undefined
  const wrappingKey = await deriveWrappingKey(environment, key, { salt: fromBase64Url(wrapper.salt) as Bytes, context })
  try {
    return await unwrapWithKey(environment, wrapper, { key: wrappingKey, context })
  } finally {
    wipe(wrappingKey)
  }
}

/** Decrypts the vault key in `wrapper` with the derived wrapping key: the last step of `unwrap`. Used directly by the test attacker. */
export function unwrapWithKey(
  environment: CryptoEnvironment,
  wrapper: Wrapper,
  { key, context }: { key: Bytes; context: WrapperContext },
): Promise<Bytes | undefined> {
  return unseal(environment, key, wrapper, additionalData(wrapper, context))
}

function wrappingKeyPurpose(kind: WrapperKind, id: string, wallet: string): CanonicalValue {
  return { format: recordFormat, use: 'wrapper', kind, id, wallet }
}

async function deriveWrappingKey(
  environment: CryptoEnvironment,
  key: UnlockKey,
  { salt, context }: { salt: Bytes; context: WrapperContext },
): Promise<Bytes> {
  const secret = await key.secret(context.wallet)
  try {
    return await deriveKey(environment, secret, salt, wrappingKeyPurpose(key.kind, key.id, context.wallet))
  } finally {
    wipe(secret)
  }
}

function additionalData(
  { kind, id, name, createdAt }: Omit<Wrapper, 'salt' | 'nonce' | 'sealed'>,
  context: WrapperContext,
): CanonicalValue {
  return { format: recordFormat, what: 'wrapper', kind, id, name, createdAt, ...context }
}
