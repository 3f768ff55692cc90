import { sha256 } from '@noble/hashes/sha2.js'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Bytes, CryptoEnvironment } from '../cryptoEnvironment.ts'
import { wipe } from '../wipe.ts'

/** Returns the BIP-39 word indices for `entropy`, including the checksum. */
export function wordIndices(entropy: Uint8Array): number[] {
  const checksumBits = entropy.length / 4
  const bits = new Uint8Array(entropy.length + 1)
  bits.set(entropy)
  bits[entropy.length] = sha256(entropy)[0]!
  const count = (entropy.length * 8 + checksumBits) / 11
  const numbers = Array.from({ length: count }, (_, offset) => readElevenBits(bits, offset * 11))
  wipe(bits)
  return numbers
}

/** Returns the BIP-39 words for `entropy`. Show them only to the owner, when the owner exports the wallet. */
export function entropyToWords(entropy: Uint8Array): string[] {
  return wordIndices(entropy).map((number) => wordlist[number]!)
}

/** Encodes the first `count` × 11 bits of `bytes` as words that the user can compare on two devices. */
export function verificationWords(bytes: Uint8Array, count: number): string[] {
  return Array.from({ length: count }, (_, offset) => wordlist[readElevenBits(bytes, offset * 11)]!)
}

/**
 * Derives the 64-byte BIP-39 seed from `entropy`, without a passphrase. The mnemonic is assembled as bytes and wiped afterwards.
 */
export async function entropyToSeed(environment: CryptoEnvironment, entropy: Uint8Array): Promise<Bytes> {
  const mnemonic = mnemonicBytes(entropy)
  try {
    const key = await environment.subtle.importKey('raw', mnemonic, 'PBKDF2', false, ['deriveBits'])
    const salt = new TextEncoder().encode('mnemonic')
    const algorithm = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 2048 }
    return new Uint8Array(await environment.subtle.deriveBits(algorithm, key, 512))
  } finally {
    wipe(mnemonic)
  }
}

function mnemonicBytes(entropy: Uint8Array): Bytes {
  const words = entropyToWords(entropy)
  const mnemonic = new Uint8Array(words.reduce((length, word) => length + word.length, words.length - 1))
  mnemonic.fill(0x20)
  let offset = 0
  for (const word of words) {
    for (let letter = 0; letter < word.length; letter++) mnemonic[offset + letter] = word.charCodeAt(letter)
    offset += word.length + 1
  }
  return mnemonic
}

function readElevenBits(bytes: Uint8Array, from: number): number {
  let number = 0
  for (let bit = from; bit < from + 11; bit++) number = (number << 1) | ((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1)
  return number
}
