import { toBase58, toHex } from '@latchkey/protocol/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import { addressesOf } from '../keys/accounts/accounts.ts'
import { eip155Key } from '../keys/accounts/eip155.ts'
import { solanaKey } from '../keys/accounts/solana.ts'
import { wordsOf } from '../keys/accounts/words.ts'
import { KeyError } from '../keys/errors.ts'
import { type KitSlip, kitKey, readKitCode, readKitFile } from '../keys/kit.ts'
import type { Machine } from '../keys/ports.ts'
import { type Addresses, parseRecord, type VaultRecord } from '../keys/record.ts'
import { withVault } from '../keys/vault.ts'
import { wipe } from '../keys/wipe.ts'
import { homeOf, unwrap } from '../keys/wrappers.ts'

/** What a recovery kit gives back to its owner. */
export interface Recovered {
  readonly addresses: Addresses
  /** For any wallet that knows BIP-39. */
  readonly words: readonly string[]
  /** For wallets that take one account: in hex. */
  readonly evmKey: string
  /** For Solana wallets: 64 bytes in base58. */
  readonly solanaKey: string
}

/** Opens the sealed vault in a kit file (or a bare record) with the code of the kit; no server, no user, no device. */
export async function recover(
  machine: Machine,
  { file, code: typed }: { readonly file: string; readonly code: string },
): Promise<Recovered | KitSlip> {
  const read = readKitCode(typed)
  if (!('code' in read)) return read
  const record = recordIn(file)
  const key = await kitKey(machine, read.code)
  const wrapper = record.wrappers.find(({ kind, id }) => kind === 'kit' && id === key.id)
  if (!wrapper) throw new KeyError('wrapper/unknown')
  const vaultKey = await unwrap(machine, wrapper, { key, home: homeOf(record) })
  if (!vaultKey) throw new KeyError('wrapper/does-not-open')
  try {
    // No look at the record's tag: what was changed around the seal must not keep the owner out. So nothing of the record
    // is shown; the addresses come from the seed.
    return await withVault(machine, vaultKey, {
      record,
      use: async (root) => {
        const [evm, solana] = [eip155Key(root), solanaKey(root)]
        const pair = new Uint8Array([...solana, ...ed25519.getPublicKey(solana)])
        try {
          const words = wordsOf(root.entropy)
          return { addresses: await addressesOf(machine, root), words, evmKey: toHex(evm), solanaKey: toBase58(pair) }
        } finally {
          wipe(evm, solana, pair)
        }
      },
    })
  } finally {
    wipe(vaultKey, read.code)
  }
}

function recordIn(file: string): VaultRecord {
  return file.includes('latchkey-recovery-kit') ? readKitFile(file).record : parseRecord(file)
}
