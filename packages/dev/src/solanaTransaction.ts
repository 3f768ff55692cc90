import { toBase58 } from '@latchkey/protocol/bytes'

/** An account in a message. */
export interface MessageAccount {
  readonly address: string
  readonly isSigner: boolean
  readonly isWritable: boolean
}

/** A message of a transaction. */
export interface SolanaMessage {
  /** The accounts in the message itself. The first one pays the fee. Accounts in lookup tables are omitted. */
  readonly accounts: readonly MessageAccount[]
  readonly blockhash: string
  readonly instructions: readonly {
    readonly program: string
    readonly accounts: readonly string[]
    readonly data: Uint8Array
  }[]
}

/** A transaction in the format that LiteSVM executes, with its parts. */
export interface SolanaTransaction {
  readonly transaction: {
    readonly messageBytes: Uint8Array
    readonly signatures: Readonly<Record<string, Uint8Array | null>>
  }
  /** The first signature in base58. */
  readonly signature: string
  readonly message: SolanaMessage
}

/**
 * Splits a serialized transaction into its signatures and its message. Returns `undefined` if it is not a valid transaction.
 */
export function readTransaction(bytes: Uint8Array): SolanaTransaction | undefined {
  try {
    const [count, start] = shortNumber(bytes, 0)
    const messageBytes = bytes.slice(start + 64 * count)
    const message = readMessage(messageBytes)
    const signers = message.accounts.filter(({ isSigner }) => isSigner)
    if (signers.length !== count) return undefined
    const signed = signers.map(({ address }, at) => {
      const signature = bytes.slice(start + 64 * at, start + 64 * (at + 1))
      return [address, signature.some((byte) => byte !== 0) ? signature : null] as const
    })
    const signature = toBase58(bytes.slice(start, start + 64))
    return { transaction: { messageBytes, signatures: Object.fromEntries(signed) }, signature, message }
  } catch {
    return undefined
  }
}

/**
 * Parses a message. Supports legacy and versioned messages.
 * @throws {RangeError} if it is not a message.
 */
export function readMessage(bytes: Uint8Array): SolanaMessage {
  const header = (bytes[0] ?? 0) >= 128 ? 1 : 0
  const [required = 0, readOnlySigners = 0, readOnlyOthers = 0] = bytes.slice(header, header + 3)
  const [count, start] = shortNumber(bytes, header + 3)
  const end = start + 32 * count
  if (required > count || end + 32 > bytes.length) throw new RangeError('The message ends too soon')
  const accounts = Array.from({ length: count }, (_, at) => ({
    address: toBase58(bytes.slice(start + 32 * at, start + 32 * (at + 1))),
    isSigner: at < required,
    isWritable: at < required ? at < required - readOnlySigners : at < count - readOnlyOthers,
  }))
  return {
    accounts,
    blockhash: toBase58(bytes.slice(end, end + 32)),
    instructions: readInstructions(bytes, end + 32, accounts),
  }
}

function readInstructions(
  bytes: Uint8Array,
  from: number,
  accounts: readonly MessageAccount[],
): SolanaMessage['instructions'] {
  const [count, first] = shortNumber(bytes, from)
  let next = first
  const take = (): Uint8Array => {
    const [length, start] = shortNumber(bytes, next)
    next = start + length
    if (next > bytes.length) throw new RangeError('The message ends too soon')
    return bytes.slice(start, next)
  }
  return Array.from({ length: count }, () => {
    const program = accounts[bytes[next] ?? -1]?.address
    if (program === undefined) throw new RangeError('The instruction has no program')
    next += 1
    const used = [...take()].flatMap((index) => accounts[index]?.address ?? [])
    return { program, accounts: used, data: take() }
  })
}

/** Decodes a Solana compact-u16, which has seven bits per byte, least significant first. */
function shortNumber(bytes: Uint8Array, from: number): readonly [value: number, next: number] {
  let value = 0
  for (let at = 0; at < 3; at += 1) {
    const byte = bytes[from + at]
    if (byte === undefined) throw new RangeError('The message ends too soon')
    value |= (byte & 127) << (7 * at)
    if (byte < 128) return [value, from + at + 1]
  }
  throw new RangeError('The number is too long')
}
