import type { Root } from './accounts/root.ts'
import { wordsOf } from './accounts/words.ts'
import { commit } from './commit.ts'
import { KeyError } from './errors.ts'
import type { Bytes, Machine, VaultStore } from './ports.ts'
import { parseRecord, recordText, type VaultRecord, wrapperLimit } from './record.ts'
import { checkTag, tagged, withVault } from './vault.ts'
import { wipe } from './wipe.ts'
import { homeOf, type WrapperKey, wrap } from './wrappers.ts'

/** How long a vault stays open when nobody signs. */
export const autoLockMs = 15 * 60_000

/**
 * An open vault. It holds the vault's key only; the seed exists during one signature at a time, in bytes, and is wiped.
 */
export interface UnlockedVault {
  /** The record as it stands; a new one after each change of keys. */
  readonly record: VaultRecord
  readonly locked: boolean
  /** Lends the root of all accounts to `use` and puts the locking off; throws `vault/locked` when it is too late. */
  withRoot<Result>(use: (root: Root) => Result | Promise<Result>): Promise<Result>
  /** Lends a copy of the vault's key, for another device of the owner. */
  withVaultKey<Result>(use: (vaultKey: Bytes) => Result | Promise<Result>): Promise<Result>
  /** The recovery words, for the owner's eyes: the one place where the seed leaves as text. */
  words(): Promise<string[]>
  /** Adds one of the owner's keys and saves. */
  addWrapper(key: WrapperKey, name: string): Promise<void>
  /** Puts `key` in the place of the wrapper with its id, which it no longer opens, and saves. */
  replaceWrapper(key: WrapperKey, name: string): Promise<void>
  /** Takes one key away and saves; throws `wrapper/last` for the last. */
  removeWrapper(id: string): Promise<void>
  /** Saves the record anew as the one after `after`, in the place of one that no owner has written. */
  putBack(after: number): Promise<void>
  /** Takes over a record that another device or tab saved; throws unless it is this vault's and not older. */
  follow(record: string): Promise<void>
  /** Puts the locking off. */
  touch(): void
  /** Wipes the key. The vault stays locked for good; opening it again makes another. */
  lock(): void
  /** Runs `listener` once when it locks; the answer forgets it. */
  onLock(listener: () => void): () => void
}

/** What an open vault stands on. */
export interface Unlocking {
  readonly machine: Machine
  readonly store: VaultStore
  readonly lockAfterMs?: number
}

/** An open vault over `record`, whose key was proven before; `vaultKey` is its own from now on. */
export function unlockedVault(
  record: VaultRecord,
  vaultKey: Bytes,
  { machine, store, lockAfterMs = autoLockMs }: Unlocking,
): UnlockedVault {
  const listeners = new Set<() => void>()
  let current = record
  let held: Bytes | undefined = vaultKey
  let cancelLock = machine.clock.after(lockAfterMs, lock)
  let lastTurn: Promise<unknown> = Promise.resolve()

  function lock(): void {
    if (!held) return
    cancelLock()
    wipe(held)
    held = undefined
    for (const listener of listeners) listener()
    listeners.clear()
  }

  function touch(): void {
    if (!held) return
    cancelLock()
    cancelLock = machine.clock.after(lockAfterMs, lock)
  }

  // A copy for each use: a lock in the middle of a signature must not leave it with half a key.
  async function withVaultKey<Result>(use: (vaultKey: Bytes) => Result | Promise<Result>): Promise<Result> {
    if (!held) throw new KeyError('vault/locked')
    touch()
    const lent = held.slice()
    try {
      return await use(lent)
    } finally {
      wipe(lent)
    }
  }

  const withRoot: UnlockedVault['withRoot'] = (use) =>
    withVaultKey((key) => withVault(machine, key, { record: current, use }))

  // One change after the other: two at once would both follow the same version.
  function change(
    wrappersOf: (vaultKey: Bytes) => Promise<VaultRecord['wrappers']>,
    after: () => number = () => current.version,
  ): Promise<void> {
    const turn = lastTurn.then(() =>
      withVaultKey(async (key) => {
        const { tag: _, ...untagged } = current
        const wrappers = await wrappersOf(key)
        const next = await tagged(machine, key, { ...untagged, version: after() + 1, wrappers })
        await commit(store, next, after())
        current = next
      }),
    )
    lastTurn = turn.catch(() => {})
    return turn
  }

  return {
    get record() {
      return current
    },
    get locked() {
      return held === undefined
    },
    withRoot,
    withVaultKey,
    words: () => withRoot(({ entropy }) => wordsOf(entropy)),
    addWrapper: (key, name) =>
      change(async (vaultKey) => {
        if (current.wrappers.some(({ id }) => id === key.id)) throw new KeyError('wrapper/exists')
        if (current.wrappers.length >= wrapperLimit) throw new KeyError('wrapper/too-many')
        return [...current.wrappers, await wrap(machine, vaultKey, { key, name, home: homeOf(current) })]
      }),
    replaceWrapper: (key, name) =>
      change(async (vaultKey) => {
        if (!current.wrappers.some(({ id }) => id === key.id)) throw new KeyError('wrapper/unknown')
        const made = await wrap(machine, vaultKey, { key, name, home: homeOf(current) })
        return current.wrappers.map((each) => (each.id === key.id ? made : each))
      }),
    removeWrapper: (id) =>
      change(async () => {
        if (!current.wrappers.some((each) => each.id === id)) throw new KeyError('wrapper/unknown')
        if (current.wrappers.length === 1) throw new KeyError('wrapper/last')
        return current.wrappers.filter((each) => each.id !== id)
      }),
    putBack: (after) =>
      change(
        async () => current.wrappers,
        () => after,
      ),
    follow: (text) =>
      withVaultKey(async (key) => {
        const next = parseRecord(text)
        if (next.wallet !== current.wallet || next.user !== current.user) throw new KeyError('vault/other-user')
        if (next.version < current.version) throw new KeyError('vault/rolled-back')
        await checkTag(machine, key, next)
        await store.saw(next.wallet, next.version, recordText(next))
        current = next
      }),
    touch,
    lock,
    onLock(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
