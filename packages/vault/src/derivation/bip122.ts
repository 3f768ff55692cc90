import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m } from '@scure/base'
import { wipe } from '../wipe.ts'
import { deriveSecp256k1Key } from './bip32.ts'
import type { RootSecret } from './rootSecret.ts'

/** The path of the first native SegWit account (BIP-84). */
export const bip84Path = "m/84'/0'/0'/0/0"
/** The path of the first Taproot account (BIP-86). */
export const bip86Path = "m/86'/0'/0'/0/0"

/** Returns a vault's native SegWit address (`bc1q…`, BIP-84). */
export function deriveSegwitAddress({ seed }: RootSecret): string {
  const key = deriveSecp256k1Key(seed, bip84Path)
  try {
    const program = ripemd160(sha256(secp256k1.getPublicKey(key, true)))
    return bech32.encode('bc', [0, ...bech32.toWords(program)])
  } finally {
    wipe(key)
  }
}

/**
 * Returns a vault's Taproot address (`bc1p…`). It has no script tree, so it supports only key path spending (BIP-86, BIP-341).
 */
export function deriveTaprootAddress({ seed }: RootSecret): string {
  const key = deriveSecp256k1Key(seed, bip86Path)
  try {
    const inner = schnorr.getPublicKey(key)
    const { lift_x: lifted, pointToBytes, taggedHash } = schnorr.utils
    const tweak = secp256k1.Point.Fn.create(bigIntFromBytes(taggedHash('TapTweak', inner)))
    const outer = lifted(bigIntFromBytes(inner)).add(secp256k1.Point.BASE.multiply(tweak))
    return bech32m.encode('bc', [1, ...bech32m.toWords(pointToBytes(outer))])
  } finally {
    wipe(key)
  }
}

function bigIntFromBytes(bytes: Uint8Array): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
}
