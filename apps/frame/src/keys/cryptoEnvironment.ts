/** Bytes over memory of our own, as WebCrypto wants them. */
export type Bytes = Uint8Array<ArrayBuffer>

/** Time, handed in, so that tests need none. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs `task` once after `ms`; the answer cancels it. */
  after(ms: number, task: () => void): () => void
}

/** What the keys need from the machine: chance, time and WebCrypto. */
export interface CryptoEnvironment {
  readonly clock: Clock
  readonly subtle: SubtleCrypto
  /** That many bytes from the cryptographic generator. */
  random(count: number): Bytes
}

/** The machine's own clock, chance and WebCrypto. */
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

/** The secret of this device: a key that WebCrypto never gives out, but derives from. */
export interface DeviceSecret {
  /** 32 bytes that depend on the secret and on `info`; the same each time. */
  derive(info: Bytes): Promise<Bytes>
}

/** Where records are kept: the server's copy, and what this device remembers of it. */
export interface VaultStore {
  /** Saves `record` at the server as the one after version `after` (0: the first); throws `vault/conflict` when another stands there. */
  save(record: string, after: number): Promise<void>
  /** The record that this device was about to save, if it never heard that it was. */
  draft(): Promise<string | undefined>
  /** Remembers what is about to be saved; `undefined` forgets it. */
  storeDraft(record: string | undefined): Promise<void>
  /** The highest version of this wallet that this device has seen; 0 for none. */
  highestSeenVersion(wallet: string): Promise<number>
  /** Remembers that a version was seen, and what stood in it: a server may come back from an older copy of itself. */
  recordSeenVersion(wallet: string, version: number, record: string): Promise<void>
  /** The newest record of this user that was seen here. */
  newestSeenRecord(): Promise<string | undefined>
}
