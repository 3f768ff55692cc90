/** Bytes backed by a regular `ArrayBuffer`, as WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>

/** A clock. Injected so that tests can control time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs `task` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
}

/** The platform services used by the keys: clock, random numbers and WebCrypto. */
export interface CryptoEnvironment {
  /** The clock, for timestamps and the auto-lock. */
  readonly clock: Clock
  /** WebCrypto's operations. */
  readonly subtle: SubtleCrypto
  /** Returns `count` bytes from a cryptographically secure generator. */
  random(count: number): Bytes
}

/** Returns the environment of the current platform. */
export function systemEnvironment(): CryptoEnvironment {
  return {
    clock: {
      now: () => Date.now(),
      after(ms, task) {
        const timer = setTimeout(task, ms)
        return () => clearTimeout(timer)
      },
    },
    subtle: crypto.subtle,
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
  }
}

/** The secret of this device: a non-extractable key that other keys are derived from. */
export interface DeviceSecret {
  /** Derives 32 bytes from the secret and `info`. Deterministic. */
  derive(info: Bytes): Promise<Bytes>
}

/** Stores vault records: the server's copy, and this device's draft and last seen version. */
export interface VaultStore {
  /**
   * Saves `record` on the server as the successor of version `after` (0 for the first).
   * @throws {KeyError} `vault/conflict` if the server has a different version.
   */
  save(record: string, after: number): Promise<void>
  /** The record whose save was not confirmed, or `undefined`. */
  draft(): Promise<string | undefined>
  /** Stores a record that is about to be saved. `undefined` deletes the draft. */
  storeDraft(record: string | undefined): Promise<void>
  /** The highest version of this wallet that this device has seen, or 0. */
  highestSeenVersion(wallet: string): Promise<number>
  /** Stores a version that this device has seen, with its content, in case the server is restored from an older backup. */
  recordSeenVersion(wallet: string, version: number, record: string): Promise<void>
  /** The newest record of this user that this device has seen. */
  newestSeenRecord(): Promise<string | undefined>
}
