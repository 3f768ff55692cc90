import type { Bytes, Machine } from '../ports.ts'
import { wipe } from '../wipe.ts'
import { seedOf } from './words.ts'

/** What all keys of a vault grow from: the entropy behind the words, and the BIP-39 seed of it. */
export interface Root {
  readonly entropy: Bytes
  readonly seed: Bytes
}

/** Lends the root of `entropy` to `use`, and wipes the seed when it is done; the entropy stays the caller's. */
export async function withRoot<Result>(
  machine: Machine,
  entropy: Bytes,
  use: (root: Root) => Result | Promise<Result>,
): Promise<Result> {
  const seed = await seedOf(machine, entropy)
  try {
    return await use({ entropy, seed })
  } finally {
    wipe(seed)
  }
}
