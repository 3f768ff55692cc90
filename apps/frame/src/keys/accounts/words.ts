import { sha256 } from '@noble/hashes/sha2.js'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Bytes, Machine } from '../ports.ts'
import { wipe } from '../wipe.ts'

/** The numbers of the BIP-39 words of `entropy`: eleven bits each, its checksum last. */
export function wordNumbers(entropy: Uint8Array): number[] {
  const checksumBits = entropy.length / 4
  const bits = new Uint8Array(entropy.length + 1)
  bits.set(entropy)
  bits[entropy.length] = sha256(entropy)[0]!
  const count = (entropy.length * 8 + checksumBits) / 11
  const numbers = Array.from({ length: count }, (_, at) => elevenBits(bits, at * 11))
  wipe(bits)
  return numbers
}

/** The BIP-39 words of `entropy`, for the owner's eyes only (export). */
export function wordsOf(entropy: Uint8Array): string[] {
  return wordNumbers(entropy).map((number) => wordlist[number]!)
}

/** `count` words for eleven bits of `bytes` each: short enough to compare aloud. */
export function checkWords(bytes: Uint8Array, count: number): string[] {
  return Array.from({ length: count }, (_, at) => wordlist[elevenBits(bytes, at * 11)]!)
}

/** The 64-byte BIP-39 seed of `entropy`, without a passphrase. The sentence exists as bytes only, and not for long. */
export async function seedOf(machine: Machine, entropy: Uint8Array): Promise<Bytes> {
  const sentence = sentenceOf(entropy)
  try {
    const key = await machine.subtle.importKey('raw', sentence, 'PBKDF2', false, ['deriveBits'])
    const salt = new TextEncoder().encode('mnemonic')
    const algorithm = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 2048 }
    return new Uint8Array(await machine.subtle.deriveBits(algorithm, key, 512))
  } finally {
    wipe(sentence)
  }
}

function sentenceOf(entropy: Uint8Array): Bytes {
  const words = wordsOf(entropy)
  const sentence = new Uint8Array(words.reduce((length, word) => length + word.length, words.length - 1))
  sentence.fill(0x20)
  let at = 0
  for (const word of words) {
    for (let letter = 0; letter < word.length; letter++) sentence[at + letter] = word.charCodeAt(letter)
    at += word.length + 1
  }
  return sentence
}

function elevenBits(bytes: Uint8Array, from: number): number {
  let number = 0
  for (let bit = from; bit < from + 11; bit++) number = (number << 1) | ((bytes[bit >> 3]! >> (7 - (bit & 7))) & 1)
  return number
}
