import { toBase58 } from '@latchkey/protocol/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { deriveSolanaKey } from '../derivation/solana.ts'
import { KeyError } from '../errors.ts'
import type { UnlockedVault } from '../unlockedVault.ts'
import { wipe } from '../wipe.ts'
import { isSolanaMessage, parseSolanaTransaction } from './solanaTransaction.ts'

/**
 * The Solana account of an unlocked vault. It signs without confirmation, so the caller must get the user's approval first. All
 * strings are in base58.
 */
export interface SolanaSigner {
  /** The account's address. */
  readonly address: string
  /** Signs bytes. Rejects if they are a transaction, or if `pubkey` is specified and is not this account. */
  signMessage(parameters: { message: string; pubkey?: string | undefined }): Promise<{ signature: string }>
  /** Adds this account's signature to the transaction and leaves the rest unchanged. */
  signTransaction(parameters: { transaction: string }): Promise<{ transaction: string; signature: string }>
  /** Signs multiple transactions, and returns them in the same order. Rejects if any of them is invalid. */
  signAllTransactions(parameters: { transactions: readonly string[] }): Promise<{ transactions: string[] }>
}

/**
 * Returns the Solana account of an unlocked vault.
 *
 * @example
 * const { signature } = await solanaSigner(vault).signMessage({ message: toBase58(toUtf8('Hello')) })
 */
export function solanaSigner(vault: UnlockedVault): SolanaSigner {
  const { solana: address } = vault.record.addresses

  function signAll(messages: readonly Uint8Array[]): Promise<Uint8Array[]> {
    return vault.withRootSecret((root) => {
      const key = deriveSolanaKey(root)
      try {
        if (toBase58(ed25519.getPublicKey(key)) !== address) throw new KeyError('vault/wrong-address')
        return messages.map((message) => ed25519.sign(message, key))
      } finally {
        wipe(key)
      }
    })
  }

  async function signTransactions(texts: readonly string[]): Promise<{ transaction: string; signature: string }[]> {
    const parameters = texts.map((text) => {
      const bytes = decodeBase58(text)
      const { message, messageBytes, signaturesAt } = parseSolanaTransaction(bytes)
      const signerIndex = message.accounts.slice(0, message.signerCount).indexOf(address)
      if (signerIndex < 0) throw new KeyError('sign/wrong-account')
      return { bytes, messageBytes, at: signaturesAt + signerIndex * 64 }
    })
    const signatures = await signAll(parameters.map(({ messageBytes }) => messageBytes))
    return parameters.map(({ bytes, at }, index) => {
      const signature = signatures[index]!
      const transaction = bytes.slice()
      transaction.set(signature, at)
      return { transaction: toBase58(transaction), signature: toBase58(signature) }
    })
  }

  return {
    address,
    async signMessage({ message, pubkey }) {
      if (pubkey !== undefined && pubkey !== address) throw new KeyError('sign/wrong-account')
      const bytes = decodeBase58(message)
      // Reject transactions, because the page that receives the signature could submit the signed "message" as a transaction.
      if (isSolanaMessage(bytes)) throw new KeyError('sign/malformed', 'a transaction, not a message')
      const [signature] = await signAll([bytes])
      return { signature: toBase58(signature!) }
    },
    async signTransaction({ transaction }) {
      const [result] = await signTransactions([transaction])
      return result!
    },
    async signAllTransactions({ transactions }) {
      return { transactions: (await signTransactions(transactions)).map(({ transaction }) => transaction) }
    },
  }
}

function decodeBase58(text: string): Uint8Array {
  // This limit is higher than that of `fromBase58`, because messages can be longer than transactions. It is also the limit of the
  // base58 library.
  if (text.length > 4096) throw new KeyError('sign/malformed', 'too large')
  try {
    return base58.decode(text)
  } catch {
    throw new KeyError('sign/malformed', 'not base58')
  }
}
