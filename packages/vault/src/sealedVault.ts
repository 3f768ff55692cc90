import { equalBytes, toUtf8 } from '@latchkey/protocol/bytes'
import type { CanonicalValue } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import { deriveEip155Address } from './derivation/eip155.ts'
import { type RootSecret, withRootSecret } from './derivation/rootSecret.ts'
import { KeyError } from './errors.ts'
import { recordFormat, type VaultRecord, validateRecord } from './vaultRecord.ts'
import { deriveKey, hmacSha256, seal, unseal } from './webCrypto.ts'
import { wipe } from './wipe.ts'

/** A record without its authentication tag. */
export type UntaggedRecord = Omit<VaultRecord, 'tag'>

/**
 * The fields to which the encrypted entropy is bound, so that a ciphertext cannot be moved to a different record. Of the
 * addresses, only the EVM address is bound.
 */
type SealContext = Pick<VaultRecord, 'user' | 'wallet' | 'createdAt' | 'addresses'>

/** Encrypts `entropy` with the vault key. */
export function sealEntropy(
  environment: CryptoEnvironment,
  vaultKey: Bytes,
  { entropy, context }: { entropy: Bytes; context: SealContext },
): Promise<VaultRecord['vault']> {
  return seal(environment, vaultKey, entropy, additionalData(context))
}

/**
 * Decrypts a vault, calls `use` with its root secret, and wipes the secret afterwards.
 * @throws {KeyError} `vault/forged` if the vault cannot be decrypted, or `vault/wrong-address` if its entropy does not yield the
 * EVM address in the record.
 */
export async function withSealedRoot<Result>(
  environment: CryptoEnvironment,
  vaultKey: Bytes,
  { record, use }: { record: VaultRecord; use: (root: RootSecret) => Result | Promise<Result> },
): Promise<Result> {
  const entropy = await unseal(environment, vaultKey, record.vault, additionalData(record))
  if (!entropy) throw new KeyError('vault/forged')
  try {
    return await withRootSecret(environment, entropy, (root) => {
      if (deriveEip155Address(root) !== record.addresses.eip155) throw new KeyError('vault/wrong-address')
      return use(root)
    })
  } finally {
    wipe(entropy)
  }
}

/**
 * Returns `record` with an authentication tag, which proves that its version, addresses and wrappers were written with the vault
 * key.
 */
export async function withMac(
  environment: CryptoEnvironment,
  vaultKey: Bytes,
  record: UntaggedRecord,
): Promise<VaultRecord> {
  return validateRecord({ ...record, tag: await recordMac(environment, vaultKey, record) })
}

/**
 * Verifies the tag of `record`.
 * @throws {KeyError} `vault/forged` if the tag was not created with the vault key, or does not match the record.
 */
export async function verifyMac(
  environment: CryptoEnvironment,
  vaultKey: Bytes,
  { tag, ...record }: VaultRecord,
): Promise<void> {
  const expected = await recordMac(environment, vaultKey, record)
  if (!equalBytes(toUtf8(tag), toUtf8(expected))) throw new KeyError('vault/forged')
}

async function recordMac(environment: CryptoEnvironment, vaultKey: Bytes, record: UntaggedRecord): Promise<string> {
  const key = await deriveKey(environment, vaultKey, new Uint8Array(32), { format: recordFormat, use: 'tag' })
  try {
    return await hmacSha256(environment, key, record)
  } finally {
    wipe(key)
  }
}

function additionalData({ user, wallet, createdAt, addresses }: SealContext): CanonicalValue {
  return { format: recordFormat, what: 'vault', user, wallet, createdAt, address: addresses.eip155 }
}
