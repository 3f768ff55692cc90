import { fromBase64Url, toBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import type { CanonicalValue } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment, DeviceSecret } from './cryptoEnvironment.ts'
import { recordFormat, type VaultRecord, type Wrapper, type WrapperKind } from './vaultRecord.ts'
import { deriveKey, seal, unseal } from './webCrypto.ts'
import { wipe } from './wipe.ts'

/** One of the owner's keys, in hand: which wrapper it is for, and the secret that only its owner can bring. */
export interface UnlockKey {
  readonly kind: WrapperKind
  /** The id of the wrapper that it makes or opens. */
  readonly id: string
  /** The secret for this wallet, for whoever wipes it. */
  secret(wallet: string): Promise<Bytes>
}

/** What a passkey is asked to evaluate (WebAuthn PRF): the same for every wallet, so that it can be asked before the wallet is known. */
export function passkeyPrfInput(): Bytes {
  return toUtf8('latchkey/v1/passkey') as Bytes
}

/** A passkey in hand: its credential id in base64url, and the 32 bytes that it gave for `passkeyInput()`. */
export function passkeyUnlockKey(credentialId: string, output: Bytes): UnlockKey {
  if (output.length !== 32) throw new RangeError('A passkey gives 32 bytes.')
  return { kind: 'passkey', id: credentialId, secret: async () => output.slice() }
}

/** This device in hand: its id at the server, its own secret, and the half that the server released to a fresh session. */
export function deviceUnlockKey(deviceId: string, device: DeviceSecret, serverShare: Bytes): UnlockKey {
  if (serverShare.length !== 32) throw new RangeError('The half of the server has 32 bytes.')
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

/** What a wrapper belongs to; all of it is authenticated with it. */
export type WrapperContext = Pick<VaultRecord, 'user' | 'wallet'> & { readonly address: string }

/** The home of the wrappers of a record. */
export function wrapperContextOf({ user, wallet, addresses }: VaultRecord): WrapperContext {
  return { user, wallet, address: addresses.eip155 }
}

/** `vaultKey` sealed under one of the owner's keys. */
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

/** The vault's key out of `wrapper`, or `undefined` when `key` is not its key or anything about it was changed. */
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

/** The vault's key out of `wrapper` by the very key that seals it: the last step of `unwrap`, and the attacker's shortcut. */
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
