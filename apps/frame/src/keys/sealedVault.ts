import { equalBytes, toUtf8 } from '@latchkey/protocol/bytes'
import type { CanonicalValue } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import { deriveEip155Address } from './derivation/eip155.ts'
import { type RootSecret, withRootSecret } from './derivation/rootSecret.ts'
import { KeyError } from './errors.ts'
import { recordFormat, type VaultRecord, validateRecord } from './vaultRecord.ts'
import { deriveKey, hmacSha256, seal, unseal } from './webCrypto.ts'
import { wipe } from './wipe.ts'

/** A record before it has its tag. */
export type UntaggedRecord = Omit<VaultRecord, 'tag'>

/** What the sealed entropy belongs to: format, user, wallet, first address and creation time (threat "ciphertext swap"). */
type SealContext = Pick<VaultRecord, 'user' | 'wallet' | 'createdAt' | 'addresses'>

/** `entropy` sealed under the vault's key. */
export function sealEntropy(
  environment: CryptoEnvironment,
  vaultKey: Bytes,
  { entropy, context }: { entropy: Bytes; context: SealContext },
): Promise<VaultRecord['vault']> {
  return seal(environment, vaultKey, entropy, additionalData(context))
}

/**
 * Lends the root of a sealed vault to `use`, and wipes it when that is done. What comes out is believed only when it
 * gives the first address again.
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

/** A record with its tag: who holds the vault's key can tell that version, addresses and keys were written by one who did too. */
export async function withMac(
  environment: CryptoEnvironment,
  vaultKey: Bytes,
  record: UntaggedRecord,
): Promise<VaultRecord> {
  return validateRecord({ ...record, tag: await recordMac(environment, vaultKey, record) })
}

/** Throws `vault/forged` unless `record` was tagged by a holder of the vault's key. */
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
