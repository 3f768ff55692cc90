import type { VaultStore } from './ports.ts'
import { parseRecord, recordText, type VaultRecord } from './record.ts'

/**
 * Saves `record` as the one after `after`. It is remembered before and forgotten after, so that a crash in between
 * neither loses a vault nor makes two.
 */
export async function commit(store: VaultStore, record: VaultRecord, after: number): Promise<void> {
  const text = recordText(record)
  await store.keepDraft(text)
  await store.save(text, after)
  await store.saw(record.wallet, record.version, text)
  await store.keepDraft(undefined)
}

/**
 * The record that stands, after what an earlier run left undone: a draft that the server never got is saved now, one that
 * it has, or that came too late, is dropped. `saved` is the server's record; `undefined` when this user has none.
 */
export async function resume(
  store: VaultStore,
  { user, saved }: { user: string; saved: VaultRecord | undefined },
): Promise<VaultRecord | undefined> {
  const text = await store.draft()
  const draft = text === undefined ? undefined : readable(text)
  if (draft && draft.user === user && follows(draft, saved)) {
    await commit(store, draft, draft.version - 1)
    return draft
  }
  // The draft of another user waits for that user: it may be the only copy of a vault.
  if (text !== undefined && (!draft || draft.user === user)) await store.keepDraft(undefined)
  return (await restored(store, { user, saved })) ?? saved
}

/** What this device saw last, where the server has come back from an older copy of itself: given back to it, version by version. */
async function restored(
  store: VaultStore,
  { user, saved }: { user: string; saved: VaultRecord | undefined },
): Promise<VaultRecord | undefined> {
  const text = await store.kept()
  const kept = text === undefined ? undefined : readable(text)
  if (!kept || kept.user !== user || (saved && kept.wallet !== saved.wallet)) return undefined
  const from = saved?.version ?? 0
  for (let after = from; after < kept.version; after++) await store.save(recordText(kept), after)
  return from < kept.version ? kept : undefined
}

function follows(draft: VaultRecord, saved: VaultRecord | undefined): boolean {
  if (!saved) return draft.version === 1
  return draft.wallet === saved.wallet && draft.version === saved.version + 1
}

function readable(text: string): VaultRecord | undefined {
  try {
    return parseRecord(text)
  } catch {
    return undefined
  }
}
