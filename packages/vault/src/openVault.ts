import type { Bytes } from './cryptoEnvironment.ts'
import { KeyError } from './errors.ts'
import { type UnlockKey, unwrap, wrapperContextOf } from './keyWrapping.ts'
import { verifyMac, withSealedRoot } from './sealedVault.ts'
import { createUnlockedVault, type UnlockedVault, type UnlockOptions } from './unlockedVault.ts'
import { serializeRecord, type VaultRecord } from './vaultRecord.ts'
import { wipe } from './wipe.ts'

/** Parameters that `openVault` and `openWithVaultKey` share: the user and the record. */
export interface OpenVaultParameters extends UnlockOptions {
  /** The ID of the logged-in user. A record that belongs to a different user is rejected. */
  readonly user: string
  /** The record, usually the server's copy. */
  readonly record: VaultRecord
}

/**
 * Opens the vault in `record` with one of the owner's keys.
 * @throws {KeyError} `wrapper/…` if the key does not belong to the vault.
 * @throws {KeyError} `vault/…` if the record belongs to a different user, is outdated or was modified.
 *
 * @example
 * const vault = await openVault({ user: 'user-1', record, key, environment, store })
 */
export async function openVault({
  key,
  ...parameters
}: OpenVaultParameters & { readonly key: UnlockKey }): Promise<UnlockedVault> {
  const { environment, record } = parameters
  const wrapper = record.wrappers.find(({ id, kind }) => id === key.id && kind === key.kind)
  if (!wrapper) throw new KeyError('wrapper/unknown')
  const vaultKey = await unwrap(environment, wrapper, { key, context: wrapperContextOf(record) })
  if (!vaultKey) throw new KeyError('wrapper/does-not-open')
  return openWithVaultKey({ ...parameters, vaultKey })
}

/**
 * Opens the vault in `record` with the vault key, for example one that this device received from another of the owner's
 * devices. Before opening the vault, checks that the record belongs to the logged-in user, is not older than the last version
 * seen on this device, has a valid tag, and contains the entropy for its EVM address.
 *
 * @throws {KeyError} `vault/…` if the record belongs to a different user, is outdated or was modified.
 */
export async function openWithVaultKey({
  vaultKey,
  user,
  record,
  ...options
}: OpenVaultParameters & { readonly vaultKey: Bytes }): Promise<UnlockedVault> {
  const { environment, store } = options
  try {
    if (record.user !== user) throw new KeyError('vault/other-user')
    if (record.version < (await store.highestSeenVersion(record.wallet))) throw new KeyError('vault/rolled-back')
    await verifyMac(environment, vaultKey, record)
    await withSealedRoot(environment, vaultKey, { record, use: () => undefined })
    await store.recordSeenVersion(record.wallet, record.version, serializeRecord(record))
  } catch (error) {
    wipe(vaultKey)
    throw error
  }
  return createUnlockedVault(record, vaultKey, options)
}
