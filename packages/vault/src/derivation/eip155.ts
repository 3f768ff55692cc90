import { toHex } from '@latchkey/protocol/bytes'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Bytes } from '../cryptoEnvironment.ts'
import { wipe } from '../wipe.ts'
import { deriveSecp256k1Key } from './bip32.ts'
import type { RootSecret } from './rootSecret.ts'

/** The path of the first Ethereum account (BIP-44). */
export const eip155Path = "m/44'/60'/0'/0/0"

/** Returns the private key of the EVM account. The caller must wipe it. */
export function deriveEip155Key({ seed }: RootSecret): Bytes {
  return deriveSecp256k1Key(seed, eip155Path)
}

/** Returns the EVM address for a private key, with an ERC-55 checksum. */
export function privateKeyToAddress(privateKey: Uint8Array): `0x${string}` {
  const point = secp256k1.getPublicKey(privateKey, false)
  return checksumAddress(toHex(keccak_256(point.subarray(1)).subarray(12)))
}

/** Returns a vault's EVM address, with an ERC-55 checksum. */
export function deriveEip155Address(root: RootSecret): `0x${string}` {
  const key = deriveEip155Key(root)
  try {
    return privateKeyToAddress(key)
  } finally {
    wipe(key)
  }
}

/** Returns an address with its ERC-55 checksum. */
export function checksumAddress(address: string): `0x${string}` {
  const digits = address.slice(2).toLowerCase()
  const marks = toHex(keccak_256(new TextEncoder().encode(digits))).slice(2)
  return `0x${[...digits].map((digit, at) => (marks[at]! >= '8' ? digit.toUpperCase() : digit)).join('')}`
}
