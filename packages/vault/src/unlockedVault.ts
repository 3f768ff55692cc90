import type { Bytes, CryptoEnvironment, VaultStore } from './cryptoEnvironment.ts'
import { entropyToWords } from './derivation/mnemonic.ts'
import type { RootSecret } from './derivation/rootSecret.ts'
import { KeyError } from './errors.ts'
import { type UnlockKey, wrap, wrapperContextOf } from './keyWrapping.ts'
import { saveRecord } from './saveRecord.ts'
import { verifyMac, withMac, withSealedRoot } from './sealedVault.ts'
import { maxWrappers, parseRecord, serializeRecord, type VaultRecord } from './vaultRecord.ts'
import { wipe } from './wipe.ts'

/** How long a vault stays unlocked without activity by default, in milliseconds. */
export const autoLockMs: number = 15 * 60_000

/** An unlocked vault. It keeps only the vault key in memory. The seed is decrypted for each signature and wiped afterwards. */
export interface UnlockedVault {
  /** The current record. It is replaced after each change to the vault's keys. */
  readonly record: VaultRecord
  /** Whether the vault is locked. A locked vault cannot be unlocked again. */
  readonly locked: boolean
  /**
   * Calls `use` with the root secret, from which the keys for all accounts are derived. Resets the auto-lock timer.
   * @throws {KeyError} `vault/locked` if the vault is locked.
   */
  withRootSecret<Result>(use: (root: RootSecret) => Result | Promise<Result>): Promise<Result>
  /** Calls `use` with a copy of the vault key, which another of the owner's devices can use to open the vault. */
  withVaultKey<Result>(use: (vaultKey: Bytes) => Result | Promise<Result>): Promise<Result>
  /** Resolves to the recovery words, for display to the owner. This is the only method that returns the seed as text. */
  mnemonic(): Promise<string[]>
  /** Adds one of the owner's keys and saves the record. */
  addWrapper(key: UnlockKey, name: string): Promise<void>
  /** Replaces the wrapper that has the same ID as `key` and saves the record. */
  replaceWrapper(key: UnlockKey, name: string): Promise<void>
  /**
   * Removes a key and saves the record.
   * @throws {KeyError} `wrapper/last` if it is the last key.
   */
  removeWrapper(id: string): Promise<void>
  /** Saves the current record again as the successor to `previousVersion`, to replace a record that the owner did not write. */
  overwriteVersion(previousVersion: number): Promise<void>
  /**
   * Replaces the current record with a record that another device or tab has saved.
   * @throws {KeyError} if the new record is older, was modified or belongs to a different vault.
   */
  adoptRecord(record: string): Promise<void>
  /** Resets the auto-lock timer. */
  resetAutoLock(): void
  /** Locks the vault permanently and wipes its key. Opening the vault again creates a new instance. */
  lock(): void
  /** Calls `listener` once when the vault locks. Returns a function that removes the listener. */
  onLock(listener: () => void): () => void
}

/** The dependencies and options of an unlocked vault. */
export interface UnlockOptions {
  /** The clock, random numbers and WebCrypto. */
  readonly environment: CryptoEnvironment
  /** The store in which changed records are saved. */
  readonly store: VaultStore
  /** The time without activity after which the vault locks, in milliseconds. [`autoLockMs`] */
  readonly lockAfterMs?: number
}

/** Creates an unlocked vault for a `record` that has already been verified. Takes ownership of `vaultKey`. */
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

  // Copy the key for each use, so that locking during a signature does not wipe the key in use.
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

  // Changes run one at a time, because concurrent changes would be based on the same version.
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
