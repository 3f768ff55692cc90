import type { VaultStore } from './cryptoEnvironment.ts'
import { parseRecord, serializeRecord, type VaultRecord } from './vaultRecord.ts'

/**
 * Saves `record` as the successor to `previousVersion`. The record is first stored as a draft, which is deleted after the save,
 * so that a crash in between neither loses a vault nor creates a second one.
 *
 * @throws {KeyError} `vault/conflict` if the server has a different version. The draft is kept.
 */
export async function saveRecord(store: VaultStore, record: VaultRecord, previousVersion: number): Promise<void> {
  const text = serializeRecord(record)
  await store.storeDraft(text)
  await store.save(text, previousVersion)
  await store.recordSeenVersion(record.wallet, record.version, text)
  await store.storeDraft(undefined)
}

/**
 * Completes a save that an earlier run did not finish, and resolves to the current record. A draft that the server never received
 * is saved now. A draft that is outdated or already saved is deleted. `saved` is the server's record, or `undefined` if this user
 * has no record.
 *
 * @example
 * const record = await resumeSave(store, { user: 'user-1', saved })
 */
export async function resumeSave(
  store: VaultStore,
  { user, saved }: { user: string; saved: VaultRecord | undefined },
): Promise<VaultRecord | undefined> {
  const text = await store.draft()
  const draft = text === undefined ? undefined : tryParseRecord(text)
  if (draft && draft.user === user && isSuccessor(draft, saved)) {
    await saveRecord(store, draft, draft.version - 1)
    return draft
  }
  // Keep a different user's draft until that user returns, because it can be the only copy of a vault.
  if (text !== undefined && (!draft || draft.user === user)) await store.storeDraft(undefined)
  return (await restoreNewerRecord(store, { user, saved })) ?? saved
}

/**
 * If the server was restored from an older backup, saves the newest record that this device has seen. The record is saved once
 * for each missing version, because the server accepts only the next version.
 */
async function restoreNewerRecord(
  store: VaultStore,
  { user, saved }: { user: string; saved: VaultRecord | undefined },
): Promise<VaultRecord | undefined> {
  const text = await store.newestSeenRecord()
  const newest = text === undefined ? undefined : tryParseRecord(text)
  if (!newest || newest.user !== user || (saved && newest.wallet !== saved.wallet)) return undefined
  const savedVersion = saved?.version ?? 0
  for (let previousVersion = savedVersion; previousVersion < newest.version; previousVersion++)
    await store.save(serializeRecord(newest), previousVersion)
  return savedVersion < newest.version ? newest : undefined
}

function isSuccessor(draft: VaultRecord, saved: VaultRecord | undefined): boolean {
  if (!saved) return draft.version === 1
  return draft.wallet === saved.wallet && draft.version === saved.version + 1
}

function tryParseRecord(text: string): VaultRecord | undefined {
  try {
    return parseRecord(text)
  } catch {
    return undefined
  }
}
