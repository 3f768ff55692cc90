import { KeyError } from './errors.ts'
import type { Bytes } from './ports.ts'
import { recordText, type VaultRecord } from './record.ts'
import { type UnlockedVault, type Unlocking, unlockedVault } from './unlocked.ts'
import { checkTag, withVault } from './vault.ts'
import { wipe } from './wipe.ts'
import { homeOf, unwrap, type WrapperKey } from './wrappers.ts'

/** Which vault to open, for whom, and with which key. */
export interface Opening extends Unlocking {
  readonly user: string
  readonly record: VaultRecord
}

/** The vault of `record`, opened with one of the owner's keys. Throws `wrapper/…` when the key is not one of it. */
export async function openVault({ key, ...opening }: Opening & { readonly key: WrapperKey }): Promise<UnlockedVault> {
  const { machine, record } = opening
  const wrapper = record.wrappers.find(({ id, kind }) => id === key.id && kind === key.kind)
  if (!wrapper) throw new KeyError('wrapper/unknown')
  const vaultKey = await unwrap(machine, wrapper, { key, home: homeOf(record) })
  if (!vaultKey) throw new KeyError('wrapper/does-not-open')
  return openWithVaultKey({ ...opening, vaultKey })
}

/**
 * The vault of `record`, opened with its own key (from another device of the owner). Before it counts as open: the user is
 * the one who logged in, the version is not older than seen, the tag is right, and the first address comes out again.
 */
export async function openWithVaultKey({
  vaultKey,
  user,
  record,
  ...unlocking
}: Opening & { readonly vaultKey: Bytes }): Promise<UnlockedVault> {
  const { machine, store } = unlocking
  try {
    if (record.user !== user) throw new KeyError('vault/other-user')
    if (record.version < (await store.seen(record.wallet))) throw new KeyError('vault/rolled-back')
    await checkTag(machine, vaultKey, record)
    await withVault(machine, vaultKey, { record, use: () => undefined })
    await store.saw(record.wallet, record.version, recordText(record))
  } catch (error) {
    wipe(vaultKey)
    throw error
  }
  return unlockedVault(record, vaultKey, unlocking)
}
