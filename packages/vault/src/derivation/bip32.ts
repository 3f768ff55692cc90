import { HDKey } from '@scure/bip32'
import type { Bytes } from '../cryptoEnvironment.ts'

/** Returns the private key at a BIP-32 path. The caller must wipe it. */
export function deriveSecp256k1Key(seed: Uint8Array, path: string): Bytes {
  const nodes: HDKey[] = [HDKey.fromMasterSeed(seed)]
  try {
    for (const node of path.split('/').slice(1)) {
      const index = Number.parseInt(node, 10) + (node.endsWith("'") ? 0x8000_0000 : 0)
      nodes.push(nodes.at(-1)!.deriveChild(index))
    }
    return new Uint8Array(nodes.at(-1)!.privateKey!)
  } finally {
    for (const node of nodes) node.wipePrivateData()
  }
}
