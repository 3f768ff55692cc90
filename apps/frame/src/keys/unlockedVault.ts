import type { Bytes, CryptoEnvironment, VaultStore } from './cryptoEnvironment.ts'
import { entropyToWords } from './derivation/mnemonic.ts'
import type { RootSecret } from './derivation/rootSecret.ts'
import { KeyError } from './errors.ts'
import { type UnlockKey, wrap, wrapperContextOf } from './keyWrapping.ts'
import { saveRecord } from './saveRecord.ts'
import { verifyMac, withMac, withSealedRoot } from './sealedVault.ts'
import { maxWrappers, parseRecord, serializeRecord, type VaultRecord } from './vaultRecord.ts'
import { wipe } from './wipe.ts'

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
  withRootSecret<Result>(use: (root: RootSecret) => Result | Promise<Result>): Promise<Result>
  /** Lends a copy of the vault's key, for another device of the owner. */
  withVaultKey<Result>(use: (vaultKey: Bytes) => Result | Promise<Result>): Promise<Result>
  /** The recovery words, for the owner's eyes: the one place where the seed leaves as text. */
  mnemonic(): Promise<string[]>
  /** Adds one of the owner's keys and saves. */
  addWrapper(key: UnlockKey, name: string): Promise<void>
  /** Puts `key` in the place of the wrapper with its id, which it no longer opens, and saves. */
  replaceWrapper(key: UnlockKey, name: string): Promise<void>
  /** Takes one key away and saves; throws `wrapper/last` for the last. */
  removeWrapper(id: string): Promise<void>
  /** Saves the record anew as the one after `after`, in the place of one that no owner has written. */
  overwriteVersion(previousVersion: number): Promise<void>
  /** Takes over a record that another device or tab saved; throws unless it is this vault's and not older. */
  adoptRecord(record: string): Promise<void>
  /** Puts the locking off. */
  resetAutoLock(): void
  /** Wipes the key. The vault stays locked for good; opening it again makes another. */
  lock(): void
  /** Runs `listener` once when it locks; the answer forgets it. */
  onLock(listener: () => void): () => void
}

/** What an open vault stands on. */
export interface UnlockOptions {
  readonly environment: CryptoEnvironment
  readonly store: VaultStore
  readonly lockAfterMs?: number
}

/** An open vault over `record`, whose key was proven before; `vaultKey` is its own from now on. */
export function createUnlockedVault(
  record: VaultRecord,
  vaultKey: Bytes,
  { environment, store, lockAfterMs = autoLockMs }: UnlockOptions,
): UnlockedVault {
  const listeners = new Set<() => void>()
  let current = record
  let key: Bytes | undefined = vaultKey
  let cancelLock = environment.clock.after(lockAfterMs, lock)
  let pendingChange: Promise<unknown> = Promise.resolve()

  function lock(): void {
    if (!key) return
    cancelLock()
    wipe(key)
    key = undefined
    for (const listener of listeners) listener()
    listeners.clear()
  }

  function resetAutoLock(): void {
    if (!key) return
    cancelLock()
    cancelLock = environment.clock.after(lockAfterMs, lock)
  }

  // A copy for each use: a lock in the middle of a signature must not leave it with half a key.
  async function withVaultKey<Result>(use: (vaultKey: Bytes) => Result | Promise<Result>): Promise<Result> {
    if (!key) throw new KeyError('vault/locked')
    resetAutoLock()
    const copy = key.slice()
    try {
      return await use(copy)
    } finally {
      wipe(copy)
    }
  }

  const withRootSecret: UnlockedVault['withRootSecret'] = (use) =>
    withVaultKey((key) => withSealedRoot(environment, key, { record: current, use }))

  // One change after the other: two at once would both follow the same version.
  function enqueueChange(
    wrappersOf: (vaultKey: Bytes) => Promise<VaultRecord['wrappers']>,
    previousVersion: () => number = () => current.version,
  ): Promise<void> {
    const run = pendingChange.then(() =>
      withVaultKey(async (key) => {
        const { tag: _, ...untagged } = current
        const wrappers = await wrappersOf(key)
        const next = await withMac(environment, key, { ...untagged, version: previousVersion() + 1, wrappers })
        await saveRecord(store, next, previousVersion())
        current = next
      }),
    )
    pendingChange = run.catch(() => {})
    return run
  }

  return {
    get record() {
      return current
    },
    get locked() {
      return key === undefined
    },
    withRootSecret,
    withVaultKey,
    mnemonic: () => withRootSecret(({ entropy }) => entropyToWords(entropy)),
    addWrapper: (key, name) =>
      enqueueChange(async (vaultKey) => {
        if (current.wrappers.some(({ id }) => id === key.id)) throw new KeyError('wrapper/exists')
        if (current.wrappers.length >= maxWrappers) throw new KeyError('wrapper/too-many')
        return [
          ...current.wrappers,
          await wrap(environment, vaultKey, { key, name, context: wrapperContextOf(current) }),
        ]
      }),
    replaceWrapper: (key, name) =>
      enqueueChange(async (vaultKey) => {
        if (!current.wrappers.some(({ id }) => id === key.id)) throw new KeyError('wrapper/unknown')
        const replacement = await wrap(environment, vaultKey, { key, name, context: wrapperContextOf(current) })
        return current.wrappers.map((wrapper) => (wrapper.id === key.id ? replacement : wrapper))
      }),
    removeWrapper: (id) =>
      enqueueChange(async () => {
        if (!current.wrappers.some((wrapper) => wrapper.id === id)) throw new KeyError('wrapper/unknown')
        if (current.wrappers.length === 1) throw new KeyError('wrapper/last')
        return current.wrappers.filter((wrapper) => wrapper.id !== id)
      }),
    overwriteVersion: (previousVersion) =>
      enqueueChange(
        async () => current.wrappers,
        () => previousVersion,
      ),
    adoptRecord: (text) =>
      withVaultKey(async (key) => {
        const next = parseRecord(text)
        if (next.wallet !== current.wallet || next.user !== current.user) throw new KeyError('vault/other-user')
        if (next.version < current.version) throw new KeyError('vault/rolled-back')
        await verifyMac(environment, key, next)
        await store.recordSeenVersion(next.wallet, next.version, serializeRecord(next))
        current = next
      }),
    resetAutoLock,
    lock,
    onLock(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
