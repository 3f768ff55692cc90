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

/** The context that the encrypted entropy is bound to: format, user, wallet, first address and creation time. Prevents ciphertext swaps. */
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
 * Calls `use` with the root secret of an encrypted vault and wipes the secret afterwards. The decrypted entropy is used only if it derives
 * the recorded EVM address.
 * @throws {KeyError} `vault/forged` or `vault/wrong-address`.
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

/** Adds an authentication tag to a record. It proves that version, addresses and wrappers were written by a holder of the vault key. */
export async function withMac(
  environment: CryptoEnvironment,
  vaultKey: Bytes,
  record: UntaggedRecord,
): Promise<VaultRecord> {
  return validateRecord({ ...record, tag: await recordMac(environment, vaultKey, record) })
}

/**
 * Verifies the tag of `record`.
 * @throws {KeyError} `vault/forged` unless a holder of the vault key wrote it.
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
