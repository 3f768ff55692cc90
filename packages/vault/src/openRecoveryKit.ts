import { toBase58, toHex } from '@latchkey/protocol/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { CryptoEnvironment } from './cryptoEnvironment.ts'
import { deriveAddresses } from './derivation/deriveAddresses.ts'
import { deriveEip155Key } from './derivation/eip155.ts'
import { entropyToWords } from './derivation/mnemonic.ts'
import { deriveSolanaKey } from './derivation/solana.ts'
import { KeyError } from './errors.ts'
import { unwrap, wrapperContextOf } from './keyWrapping.ts'
import {
  parseRecoveryCode,
  parseRecoveryKitFile,
  type RecoveryCodeError,
  recoveryCodeUnlockKey,
} from './recoveryKit.ts'
import { withSealedRoot } from './sealedVault.ts'
import { type Addresses, parseRecord, type VaultRecord } from './vaultRecord.ts'
import { wipe } from './wipe.ts'

/** The secrets recovered from a recovery kit. */
export interface RecoveredKeys {
  /** The addresses, derived from the recovered seed. */
  readonly addresses: Addresses
  /** The mnemonic, for any wallet that supports BIP-39. */
  readonly words: readonly string[]
  /** The EVM private key in hex, for wallets that import a single account. */
  readonly evmKey: string
  /** The Solana key pair: 64 bytes in base58. */
  readonly solanaKey: string
}

/**
 * Opens the vault in a kit file (or a bare record) with the recovery code. Neither the server nor the user's account or device is
 * required. If the code is invalid, resolves to a `RecoveryCodeError` instead of rejecting.
 *
 * @throws {KeyError} `wrapper/…` if the code does not belong to the file, or `vault/…` if the file is invalid.
 *
 * @example
 * const found = await openRecoveryKit(systemEnvironment(), { file, code: input.value })
 * if ('error' in found) highlight(found)
 * else show(found.words)
 */
export async function openRecoveryKit(
  environment: CryptoEnvironment,
  { file, code: typed }: { readonly file: string; readonly code: string },
): Promise<RecoveredKeys | RecoveryCodeError> {
  const read = parseRecoveryCode(typed)
  if (!('code' in read)) return read
  const record = recordIn(file)
  const key = await recoveryCodeUnlockKey(environment, read.code)
  const wrapper = record.wrappers.find(({ kind, id }) => kind === 'kit' && id === key.id)
  if (!wrapper) throw new KeyError('wrapper/unknown')
  const vaultKey = await unwrap(environment, wrapper, { key, context: wrapperContextOf(record) })
  if (!vaultKey) throw new KeyError('wrapper/does-not-open')
  try {
    // The record's MAC is not verified, because changes to fields that are not needed for decryption, such as the version, must
    // not lock the owner out. These fields therefore cannot be trusted, and the addresses are derived from the seed.
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
