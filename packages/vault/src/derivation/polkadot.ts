import { toBase58 } from '@latchkey/protocol/bytes'
import { blake2b } from '@noble/hashes/blake2.js'
import { getPublicKey, secretFromSeed } from '@scure/sr25519'
import type { Bytes, CryptoEnvironment } from '../cryptoEnvironment.ts'
import { wipe } from '../wipe.ts'
import type { RootSecret } from './rootSecret.ts'

/**
 * Derives a vault's sr25519 secret key in the same way as Polkadot's own wallets (substrate-bip39). The mini secret is the first
 * half of the PBKDF2 output for the entropy, whereas BIP-39 applies PBKDF2 to the mnemonic. No derivation path is used. The
 * caller must wipe the key.
 */
export async function derivePolkadotKey(environment: CryptoEnvironment, { entropy }: RootSecret): Promise<Bytes> {
  const key = await environment.subtle.importKey('raw', entropy, 'PBKDF2', false, ['deriveBits'])
  const salt = new TextEncoder().encode('mnemonic')
  const algorithm = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 2048 }
  const miniSecret = new Uint8Array(await environment.subtle.deriveBits(algorithm, key, 512))
  try {
    return new Uint8Array(secretFromSeed(miniSecret.subarray(0, 32)))
  } finally {
    wipe(miniSecret)
  }
}

/** Returns a vault's Polkadot address in SS58 format. `prefix` defaults to 0, the prefix of the Polkadot relay chain. */
export async function derivePolkadotAddress(
  environment: CryptoEnvironment,
  root: RootSecret,
  prefix = 0,
): Promise<string> {
  const key = await derivePolkadotKey(environment, root)
  try {
    return encodeSs58(getPublicKey(key), prefix)
  } finally {
    wipe(key)
  }
}

function encodeSs58(publicKey: Uint8Array, prefix: number): string {
  const body = new Uint8Array([prefix, ...publicKey])
  const checksum = blake2b(new Uint8Array([...new TextEncoder().encode('SS58PRE'), ...body]), { dkLen: 64 })
  return toBase58(new Uint8Array([...body, ...checksum.subarray(0, 2)]))
}
