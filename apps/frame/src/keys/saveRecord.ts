import type { VaultStore } from './cryptoEnvironment.ts'
import { parseRecord, serializeRecord, type VaultRecord } from './vaultRecord.ts'

/**
 * Saves `record` as the one after `after`. It is remembered before and forgotten after, so that a crash in between
 * neither loses a vault nor makes two.
 */
export async function saveRecord(store: VaultStore, record: VaultRecord, previousVersion: number): Promise<void> {
  const text = serializeRecord(record)
  await store.storeDraft(text)
  await store.save(text, previousVersion)
  await store.recordSeenVersion(record.wallet, record.version, text)
  await store.storeDraft(undefined)
}

/**
 * The record that stands, after what an earlier run left undone: a draft that the server never got is saved now, one that
 * it has, or that came too late, is dropped. `saved` is the server's record; `undefined` when this user has none.
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
  // The draft of another user waits for that user: it may be the only copy of a vault.
  if (text !== undefined && (!draft || draft.user === user)) await store.storeDraft(undefined)
  return (await restoreNewerRecord(store, { user, saved })) ?? saved
}

/** What this device saw last, where the server has come back from an older copy of itself: given back to it, version by version. */
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
