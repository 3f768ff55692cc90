import { toBase58, toHex } from '@latchkey/protocol/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { CryptoEnvironment } from '../keys/cryptoEnvironment.ts'
import { deriveAddresses } from '../keys/derivation/deriveAddresses.ts'
import { deriveEip155Key } from '../keys/derivation/eip155.ts'
import { entropyToWords } from '../keys/derivation/mnemonic.ts'
import { deriveSolanaKey } from '../keys/derivation/solana.ts'
import { KeyError } from '../keys/errors.ts'
import { unwrap, wrapperContextOf } from '../keys/keyWrapping.ts'
import {
  parseRecoveryCode,
  parseRecoveryKitFile,
  type RecoveryCodeError,
  recoveryCodeUnlockKey,
} from '../keys/recoveryKit.ts'
import { withSealedRoot } from '../keys/sealedVault.ts'
import { type Addresses, parseRecord, type VaultRecord } from '../keys/vaultRecord.ts'
import { wipe } from '../keys/wipe.ts'

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
  environment: CryptoEnvironment,
  { file, code: typed }: { readonly file: string; readonly code: string },
): Promise<Recovered | RecoveryCodeError> {
  const read = parseRecoveryCode(typed)
  if (!('code' in read)) return read
  const record = recordIn(file)
  const key = await recoveryCodeUnlockKey(environment, read.code)
  const wrapper = record.wrappers.find(({ kind, id }) => kind === 'kit' && id === key.id)
  if (!wrapper) throw new KeyError('wrapper/unknown')
  const vaultKey = await unwrap(environment, wrapper, { key, context: wrapperContextOf(record) })
  if (!vaultKey) throw new KeyError('wrapper/does-not-open')
  try {
    // No look at the record's tag: what was changed around the seal must not keep the owner out. So nothing of the record
    // is shown; the addresses come from the seed.
    return await withSealedRoot(environment, vaultKey, {
      record,
      use: async (root) => {
        const [evm, solana] = [deriveEip155Key(root), deriveSolanaKey(root)]
        const pair = new Uint8Array([...solana, ...ed25519.getPublicKey(solana)])
        try {
          const words = entropyToWords(root.entropy)
          return {
            addresses: await deriveAddresses(environment, root),
            words,
            evmKey: toHex(evm),
            solanaKey: toBase58(pair),
          }
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
  return file.includes('latchkey-recovery-kit') ? parseRecoveryKitFile(file).record : parseRecord(file)
}
