import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32 } from '@scure/base'
import { wipe } from '../wipe.ts'
import type { Root } from './root.ts'
import { secp256k1Key } from './secp256k1Key.ts'

/** Where Cosmos wallets keep their first account (SLIP-44: 118). */
export const cosmosPath = "m/44'/118'/0'/0/0"

/** The Cosmos Hub address of a vault. */
export function cosmosAddress({ seed }: Root): string {
  const key = secp256k1Key(seed, cosmosPath)
  try {
    return bech32.encode('cosmos', bech32.toWords(ripemd160(sha256(secp256k1.getPublicKey(key, true)))))
  } finally {
    wipe(key)
  }
}
