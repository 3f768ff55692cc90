import { toBase58 } from '@latchkey/protocol/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { Bytes } from '../ports.ts'
import { wipe } from '../wipe.ts'
import { ed25519Key } from './ed25519Key.ts'
import type { Root } from './root.ts'

/** Where Solana wallets keep their first account (SLIP-10). */
export const solanaPath = "m/44'/501'/0'/0'"

/** The private key of the Solana account, for whoever wipes it. */
export function solanaKey({ seed }: Root): Bytes {
  return ed25519Key(seed, solanaPath)
}

/** The Solana address of a vault. */
export function solanaAddress(root: Root): string {
  const key = solanaKey(root)
  try {
    return toBase58(ed25519.getPublicKey(key))
  } finally {
    wipe(key)
  }
}
