import { HDKey } from '@scure/bip32'
import type { Bytes } from '../ports.ts'

/** The private key at a BIP-32 path, for whoever wipes it. */
export function secp256k1Key(seed: Uint8Array, path: string): Bytes {
  const steps: HDKey[] = [HDKey.fromMasterSeed(seed)]
  try {
    for (const step of path.split('/').slice(1)) {
      const index = Number.parseInt(step, 10) + (step.endsWith("'") ? 0x8000_0000 : 0)
      steps.push(steps.at(-1)!.deriveChild(index))
    }
    return new Uint8Array(steps.at(-1)!.privateKey!)
  } finally {
    for (const step of steps) step.wipePrivateData()
  }
}
