import { fromBase58, toBase58 } from '@latchkey/protocol/bytes'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import * as v from 'valibot'
import { insertSolanaSignature } from './insertSolanaSignature.ts'

/** The part of a Wallet Standard account that signing needs. */
export interface SolanaAccount {
  /** The address, in base58. */
  readonly address: string
}

/** Options for a Solana node's `sendTransaction` method. */
export interface SolanaSendOptions {
  readonly skipPreflight?: boolean
  readonly preflightCommitment?: 'processed' | 'confirmed' | 'finalized'
  readonly maxRetries?: number
  readonly minContextSlot?: number
}

/** A transaction to sign, in wire format. */
export interface SolanaTransactionInput {
  readonly account: SolanaAccount
  readonly transaction: Uint8Array
}

/** The Wallet Standard features that a Solana wallet has granted. */
export interface SolanaFeatures {
  /** Signs messages one at a time. Absent unless the wallet granted `solana_signMessage`. */
  readonly 'solana:signMessage'?: {
    readonly version: '1.0.0'
    signMessage(
      ...inputs: readonly { readonly account: SolanaAccount; readonly message: Uint8Array }[]
    ): Promise<readonly { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }[]>
  }
  /** Signs transactions without sending them. Absent unless the wallet granted `solana_signTransaction`. */
  readonly 'solana:signTransaction'?: {
    readonly version: '1.0.0'
    readonly supportedTransactionVersions: readonly ['legacy', 0]
    signTransaction(
      ...inputs: readonly SolanaTransactionInput[]
    ): Promise<readonly { readonly signedTransaction: Uint8Array }[]>
  }
  /** Signs and sends transactions one at a time. Absent unless the wallet granted `solana_signAndSendTransaction`. */
  readonly 'solana:signAndSendTransaction'?: {
    readonly version: '1.0.0'
    readonly supportedTransactionVersions: readonly ['legacy', 0]
    signAndSendTransaction(
      ...inputs: readonly (SolanaTransactionInput & { readonly options?: SolanaSendOptions })[]
    ): Promise<readonly { readonly signature: Uint8Array }[]>
  }
}

/** The wallet-specific parts of the features: its request function, supported methods and transaction encoding. */
export interface SolanaDialect {
  request(call: { method: string; params: unknown }): Promise<unknown>
  /** Whether the wallet supports a method. */
  offers(method: string): boolean
  write(transaction: Uint8Array): string
  read(text: string): Uint8Array | undefined
  /** The name of the parameter that contains the send options. */
  readonly sendOptions: 'options' | 'sendOptions'
}

/** The maximum size of a message or transaction, in bytes, because the base58 library does not encode longer input. */
const maxBytes = 2048

const signatureAnswer = v.object({ signature: v.string() })
const signedAnswer = v.object({ signature: v.exactOptional(v.string()), transaction: v.exactOptional(v.string()) })
const allAnswer = v.object({ transactions: v.array(v.string()) })

/** Creates the Wallet Standard features for a wallet that supports `solana_*` methods. */
export function solanaFeatures(dialect: SolanaDialect): SolanaFeatures {
  const { request, offers, read, sendOptions } = dialect
  const write = (transaction: Uint8Array): string => dialect.write(limited(transaction))

  const signMessage = async (address: string, message: Uint8Array): Promise<Uint8Array> => {
    const answer = await request({
      method: 'solana_signMessage',
      params: { message: toBase58(limited(message)), pubkey: address },
    })
    return signatureIn(answer)
  }

  const signTransaction = async ({ account, transaction }: SolanaTransactionInput): Promise<Uint8Array> => {
    const answer = await request({
      method: 'solana_signTransaction',
      params: { transaction: write(transaction), pubkey: account.address },
    })
    const { transaction: text, signature } = v.is(signedAnswer, answer) ? answer : {}
    const whole = text === undefined ? undefined : read(text)
    if (whole) return whole
    // Older wallets return only the signature.
    const bytes = signature === undefined ? undefined : fromBase58(signature)
    const signed = bytes && insertSolanaSignature(transaction, { address: account.address, signature: bytes })
    if (!signed) throw new LatchkeyError('wallet/failed', { message: 'It returned an invalid transaction.' })
    return signed
  }

  const signAll = async (inputs: readonly SolanaTransactionInput[]): Promise<readonly Uint8Array[]> => {
    if (inputs.length < 2 || !offers('solana_signAllTransactions')) {
      const signed: Uint8Array[] = []
      // Sign sequentially, because wallets display one request at a time.
      for (const input of inputs) signed.push(await signTransaction(input))
      return signed
    }
    const answer = await request({
      method: 'solana_signAllTransactions',
      params: { transactions: inputs.map(({ transaction }) => write(transaction)) },
    })
    const all = v.is(allAnswer, answer) ? answer.transactions.map(read) : []
    if (all.length !== inputs.length || all.includes(undefined))
      throw new LatchkeyError('wallet/failed', { message: 'It returned invalid transactions.' })
    return all as readonly Uint8Array[]
  }

  const versions = { version: '1.0.0', supportedTransactionVersions: ['legacy', 0] } as const
  return {
    ...(offers('solana_signMessage') && {
      'solana:signMessage': {
        version: '1.0.0',
        async signMessage(...inputs) {
          const signed: { signedMessage: Uint8Array; signature: Uint8Array }[] = []
          for (const { account, message } of inputs)
            signed.push({ signedMessage: message, signature: await signMessage(account.address, message) })
          return signed
        },
      },
    }),
    ...(offers('solana_signTransaction') && {
      'solana:signTransaction': {
        ...versions,
        async signTransaction(...inputs) {
          return (await signAll(inputs)).map((signedTransaction) => ({ signedTransaction }))
        },
      },
    }),
    ...(offers('solana_signAndSendTransaction') && {
      'solana:signAndSendTransaction': {
        ...versions,
        async signAndSendTransaction(...inputs) {
          const sent: { signature: Uint8Array }[] = []
          for (const { account, transaction, options } of inputs) {
            const answer = await request({
              method: 'solana_signAndSendTransaction',
              params: {
                transaction: write(transaction),
                pubkey: account.address,
                ...(options && { [sendOptions]: options }),
              },
            })
            sent.push({ signature: signatureIn(answer) })
          }
          return sent
        },
      },
    }),
  }
}

function limited(bytes: Uint8Array): Uint8Array {
  if (bytes.length > maxBytes)
    throw new LatchkeyError('input/invalid', { path: 'params', message: 'Expected up to 2048 bytes' })
  return bytes
}

function signatureIn(answer: unknown): Uint8Array {
  const bytes = v.is(signatureAnswer, answer) ? fromBase58(answer.signature) : undefined
  if (bytes?.length !== 64) throw new LatchkeyError('wallet/failed', { message: 'It returned an invalid signature.' })
  return bytes
}
