import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import type { CanonicalValue } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import { recordFormat, type VaultRecord, type Wrapper, type WrapperKind } from './vaultRecord.ts'
import { deriveKey, seal, unseal } from './webCrypto.ts'
import { wipe } from './wipe.ts'

/** One of the owner's keys. It identifies a wrapper and provides the secret that opens the wrapper. */
export interface UnlockKey {
  /** The kind of key. */
  readonly kind: WrapperKind
  /** The ID of the wrapper. */
  readonly id: string
  /** Resolves to the secret for `wallet`. The caller must wipe it. */
  secret(wallet: string): Promise<Bytes>
}

/** The context to which a wrapper is bound. It is authenticated together with the ciphertext. */
export type WrapperContext = Pick<VaultRecord, 'user' | 'wallet'> & { readonly address: string }

/** Returns the wrapper context for a record. */
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

/**
 * Decrypts the vault key in `wrapper` with a derived wrapping key. This is the last step of `unwrap`. Tests that simulate an
 * attacker call it directly.
 */
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
