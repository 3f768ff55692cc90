import type { Bytes, CryptoEnvironment } from '../cryptoEnvironment.ts'
import { wipe } from '../wipe.ts'
import { entropyToSeed } from './mnemonic.ts'

/** The secret from which all keys of a vault are derived: the entropy and its BIP-39 seed. */
export interface RootSecret {
  readonly entropy: Bytes
  readonly seed: Bytes
}

/** Calls `use` with the root secret for `entropy`, and wipes the seed afterwards. The caller must wipe the entropy. */
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
