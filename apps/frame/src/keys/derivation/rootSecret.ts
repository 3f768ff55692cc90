import type { Bytes, CryptoEnvironment } from '../cryptoEnvironment.ts'
import { wipe } from '../wipe.ts'
import { entropyToSeed } from './mnemonic.ts'

/** What all keys of a vault grow from: the entropy behind the words, and the BIP-39 seed of it. */
export interface RootSecret {
  readonly entropy: Bytes
  readonly seed: Bytes
}

/** Lends the root of `entropy` to `use`, and wipes the seed when it is done; the entropy stays the caller's. */
export async function withRootSecret<Result>(
  environment: CryptoEnvironment,
  entropy: Bytes,
  use: (root: RootSecret) => Result | Promise<Result>,
): Promise<Result> {
  const seed = await entropyToSeed(environment, entropy)
  try {
    return await use({ entropy, seed })
  } finally {
    wipe(seed)
  }
}
