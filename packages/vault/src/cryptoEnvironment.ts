/** Bytes backed by a regular `ArrayBuffer`, as WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>

/** A clock, which is injected so that tests can control time. */
export interface Clock {
  /** Returns the current time in epoch milliseconds. */
  now(): number
  /** Runs `task` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
}

/** The platform services that the vault uses: a clock, random numbers and WebCrypto. */
export interface CryptoEnvironment {
  /** The clock used for timestamps and auto-lock. */
  readonly clock: Clock
  /** The WebCrypto API. */
  readonly subtle: SubtleCrypto
  /** Returns `count` bytes from a cryptographically secure generator. */
  random(count: number): Bytes
}

/** Returns the environment for the current platform. */
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

/** This device's secret: a non-extractable key from which other keys are derived. */
export interface DeviceSecret {
  /** Derives 32 bytes from the secret and `info`. The result is deterministic. */
  derive(info: Bytes): Promise<Bytes>
}

/** The storage for vault records: the server's copy, this device's draft, and the versions that this device has seen. */
export interface VaultStore {
  /**
   * Saves `record` on the server as the successor to version `after` (0 for the first record).
   * @throws {KeyError} `vault/conflict` if the server has a different version.
   */
  save(record: string, after: number): Promise<void>
  /** Resolves to the draft (a record whose save was not confirmed), or to `undefined` if there is none. */
  draft(): Promise<string | undefined>
  /** Stores `record`, which is about to be saved, as the draft. Deletes the draft if `record` is `undefined`. */
  storeDraft(record: string | undefined): Promise<void>
  /** Resolves to the highest version of the wallet's record that this device has seen, or 0. */
  highestSeenVersion(wallet: string): Promise<number>
  /** Marks `version` as seen on this device. Also stores `record`, in case the server is restored from an older backup. */
  recordSeenVersion(wallet: string, version: number, record: string): Promise<void>
  /** Resolves to the user's newest record that this device has seen, or to `undefined` if there is none. */
  newestSeenRecord(): Promise<string | undefined>
}
