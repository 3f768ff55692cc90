import { toBase58 } from '@latchkey/protocol/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { Bytes } from '../cryptoEnvironment.ts'
import { wipe } from '../wipe.ts'
import type { RootSecret } from './rootSecret.ts'
import { deriveEd25519Key } from './slip10.ts'

/** The path of the first Solana account (SLIP-10). */
export const solanaPath = "m/44'/501'/0'/0'"

/** Returns the private key of the Solana account. The caller must wipe it. */
export function deriveSolanaKey({ seed }: RootSecret): Bytes {
  return deriveEd25519Key(seed, solanaPath)
}

/** Returns a vault's Solana address. */
export function deriveSolanaAddress(root: RootSecret): string {
  const key = deriveSolanaKey(root)
  try {
    return toBase58(ed25519.getPublicKey(key))
  } finally {
    wipe(key)
  }
}
