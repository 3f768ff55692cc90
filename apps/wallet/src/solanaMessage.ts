import { toBase58 } from '@latchkey/protocol/bytes'
import { getBase58Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit'

/** A decoded transaction instruction. */
export interface SolanaInstruction {
  readonly program: string
  /** The decoded transfer, if the instruction is a System program transfer. */
  readonly transfer?: { readonly from: string; readonly to: string; readonly lamports: bigint } | undefined
  readonly accounts: number
  readonly data: Uint8Array
}

/** A decoded transaction message. */
export interface SolanaMessage {
  /** The bytes to sign. */
  readonly signed: Uint8Array
  /** The addresses of the required signers. The fee payer comes first. */
  readonly signers: readonly string[]
  readonly instructions: readonly SolanaInstruction[]
}

/**
 * Decodes base58. Returns `undefined` if `text` is invalid or too long for a transaction. The length is limited because decoding
 * base58 takes quadratic time.
 */
export function fromBase58(text: string): Uint8Array | undefined {
  try {
    return text.length > 8_192 ? undefined : Uint8Array.from(getBase58Encoder().encode(text))
  } catch {
    return undefined
  }
}

const systemProgram = '11111111111111111111111111111111'

/** Decodes a serialized transaction. Returns `undefined` if the bytes are invalid or if any bytes are left over. */
export function readSolanaTransaction(bytes: Uint8Array): SolanaMessage | undefined {
  try {
    const decoder = getTransactionDecoder()
    const [{ messageBytes, signatures }, end] = decoder.read(bytes, 0)
    const message = readSolanaMessage(Uint8Array.from(messageBytes))
    const isWhole = end === bytes.length && Object.keys(signatures).length === message?.signers.length
    return isWhole ? message : undefined
  } catch {
    return undefined
  }
}

/** Decodes a transaction message. Returns `undefined` if the bytes are invalid or if any bytes are left over. */
export function readSolanaMessage(signed: Uint8Array): SolanaMessage | undefined {
  try {
    const [message, end] = getCompiledTransactionMessageDecoder().read(signed, 0)
    const { header, instructions, staticAccounts } = message as typeof message & {
      readonly instructions: readonly {
        readonly programAddressIndex: number
        readonly accountIndices?: readonly number[]
        readonly data?: ArrayLike<number>
      }[]
    }
    if (end !== signed.length || header.numSignerAccounts < 1) return undefined
    return {
      signed,
      signers: staticAccounts.slice(0, header.numSignerAccounts),
      instructions: instructions.map(({ programAddressIndex, accountIndices = [], data = [] }) => {
        const program = staticAccounts[programAddressIndex]
        if (program === undefined) throw new RangeError('Missing program')
        const bytes = Uint8Array.from(data)
        const [from, to] = accountIndices.map((at) => staticAccounts[at])
        return {
          program,
          accounts: accountIndices.length,
          data: bytes,
          transfer: program === systemProgram && from && to ? transferIn(bytes, from, to) : undefined,
        }
      }),
    }
  } catch {
    return undefined
  }
}

/** Returns a copy of the serialized transaction with the signature of `signer` filled in. */
export function withSignature(
  { bytes, message }: { readonly bytes: Uint8Array; readonly message: SolanaMessage },
  signer: string,
  signature: Uint8Array,
): Uint8Array {
  const signed = bytes.slice()
  // A signature count below 128 is encoded as a single byte.
  signed.set(signature, 1 + 64 * message.signers.indexOf(signer))
  return signed
}

/** Returns the ID of a transaction, which is its first signature. */
export function nameOf(transaction: Uint8Array): string {
  return toBase58(transaction.slice(1, 65))
}

function transferIn(data: Uint8Array, from: string, to: string): SolanaInstruction['transfer'] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (data.length !== 12 || view.getUint32(0, true) !== 2) return undefined
  return { from, to, lamports: view.getBigUint64(4, true) }
}
