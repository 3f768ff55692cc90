import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import type { Bytes } from '../cryptoEnvironment.ts'
import { wipe } from '../wipe.ts'

/** Returns the ed25519 private key at a SLIP-10 path. Every step must be hardened. The caller must wipe the key. */
export function deriveEd25519Key(seed: Uint8Array, path: string): Bytes {
  let node = hmac(sha512, new TextEncoder().encode('ed25519 seed'), seed)
  for (const step of path.split('/').slice(1)) {
    if (!step.endsWith("'")) throw new RangeError('Ed25519 only supports hardened derivation (SLIP-10).')
    const message = new Uint8Array(37)
    message.set(node.subarray(0, 32), 1)
    new DataView(message.buffer).setUint32(33, Number.parseInt(step, 10) + 0x8000_0000)
    const next = hmac(sha512, node.subarray(32), message)
    wipe(node, message)
    node = next
  }
  const key = new Uint8Array(node.subarray(0, 32))
  wipe(node)
  return key
}
