import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32 } from '@scure/base'
import { wipe } from '../wipe.ts'
import { deriveSecp256k1Key } from './bip32.ts'
import type { RootSecret } from './rootSecret.ts'

/** The path of the first Cosmos account (SLIP-44 coin type 118). */
export const cosmosPath = "m/44'/118'/0'/0/0"

/** Returns a vault's Cosmos Hub address. */
export function deriveCosmosAddress({ seed }: RootSecret): string {
  const key = deriveSecp256k1Key(seed, cosmosPath)
  try {
    return bech32.encode('cosmos', bech32.toWords(ripemd160(sha256(secp256k1.getPublicKey(key, true)))))
  } finally {
    wipe(key)
  }
}
