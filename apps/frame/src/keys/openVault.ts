import type { Bytes } from './cryptoEnvironment.ts'
import { KeyError } from './errors.ts'
import { type UnlockKey, unwrap, wrapperContextOf } from './keyWrapping.ts'
import { verifyMac, withSealedRoot } from './sealedVault.ts'
import { createUnlockedVault, type UnlockedVault, type UnlockOptions } from './unlockedVault.ts'
import { serializeRecord, type VaultRecord } from './vaultRecord.ts'
import { wipe } from './wipe.ts'

/** Which vault to open, for whom, and with which key. */
export interface OpenVaultParameters extends UnlockOptions {
  readonly user: string
  readonly record: VaultRecord
}

/** The vault of `record`, opened with one of the owner's keys. Throws `wrapper/…` when the key is not one of it. */
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
 * The vault of `record`, opened with its own key (from another device of the owner). Before it counts as open: the user is
 * the one who logged in, the version is not older than seen, the tag is right, and the first address comes out again.
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
