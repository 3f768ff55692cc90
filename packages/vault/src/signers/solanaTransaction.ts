import { toBase58 } from '@latchkey/protocol/bytes'
import { KeyError } from '../errors.ts'

/** The maximum size of a Solana transaction in bytes. A transaction must fit into a single packet. */
const maxTransactionBytes = 1232

/** An instruction. Its indices refer to the message's `accounts`, followed by the accounts from lookup tables. */
export interface SolanaInstruction {
  /** The index of the program that is called. */
  readonly program: number
  /** The indices of the accounts that the program receives, in order. */
  readonly accounts: readonly number[]
  /** The program's input. */
  readonly data: Uint8Array
}

/** Accounts that a transaction references by their index in an on-chain lookup table. */
export interface SolanaLookup {
  /** The address of the lookup table. */
  readonly table: string
  /** The table indices of the accounts that the transaction can modify. */
  readonly writable: readonly number[]
  /** The table indices of the accounts that the transaction only reads. */
  readonly readonly: readonly number[]
}

/** A parsed Solana message. */
export interface SolanaMessage {
  /** The version of the message. Only version `0` supports lookup tables. */
  readonly version: 'legacy' | 0
  /** The addresses of the accounts. The signers come first, starting with the fee payer. */
  readonly accounts: readonly string[]
  /** The number of accounts that sign. */
  readonly signerCount: number
  /** The number of read-only signers. They are the last of the signers. */
  readonly readonlySigners: number
  /** The number of read-only accounts that do not sign. They are the last of the accounts. */
  readonly readonlyOthers: number
  /** A recent blockhash, or the value of a durable nonce, in base58. */
  readonly blockhash: string
  /** The instructions, in the order in which they are executed. */
  readonly instructions: readonly SolanaInstruction[]
  /** The accounts from lookup tables. Empty in a legacy message. */
  readonly lookups: readonly SolanaLookup[]
}

/** A parsed Solana transaction: the signed message and the position of the signatures. */
export interface SolanaTransaction {
  /** The parsed message. */
  readonly message: SolanaMessage
  /** The bytes that are signed. */
  readonly messageBytes: Uint8Array
  /** The offset of the first signature. */
  readonly signaturesAt: number
  /** The number of signatures, including empty ones. */
  readonly signatureCount: number
}

/**
 * Parses a transaction.
 * @throws {KeyError} `sign/malformed` if the bytes are invalid or have trailing data.
 */
export function parseSolanaTransaction(bytes: Uint8Array): SolanaTransaction {
  if (bytes.length > maxTransactionBytes) throw new KeyError('sign/malformed', 'transaction too large')
  const reader = createReader(bytes)
  const signatureCount = reader.count()
  const signaturesAt = reader.at()
  reader.take(signatureCount * 64)
  const messageBytes = bytes.subarray(reader.at())
  const message = parseSolanaMessage(messageBytes)
  if (message.signerCount !== signatureCount) throw new KeyError('sign/malformed', 'signatures')
  return { message, messageBytes, signaturesAt, signatureCount }
}

/** Whether the bytes are a valid Solana message. Such bytes must not be signed as text. */
export function isSolanaMessage(bytes: Uint8Array): boolean {
  try {
    parseSolanaMessage(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * Parses a transaction's message.
 * @throws {KeyError} `sign/malformed` if the bytes are invalid or have trailing data.
 */
export function parseSolanaMessage(bytes: Uint8Array): SolanaMessage {
  const reader = createReader(bytes)
  const versioned = (bytes[0] ?? 0) >= 0x80
  if (versioned && reader.byte() !== 0x80) throw new KeyError('sign/malformed', 'version')
  const [signerCount, readonlySigners, readonlyOthers] = [reader.byte(), reader.byte(), reader.byte()]
  const accounts = reader.list(() => toBase58(reader.take(32)))
  if (signerCount < 1 || readonlySigners >= signerCount || signerCount + readonlyOthers > accounts.length) {
    throw new KeyError('sign/malformed', 'header')
  }
  const blockhash = toBase58(reader.take(32))
  const instructions = reader.list(() => ({
    program: reader.byte(),
    accounts: reader.list(() => reader.byte()),
    data: reader.take(reader.count()),
  }))
  const lookups = versioned
    ? reader.list(() => ({
        table: toBase58(reader.take(32)),
        writable: reader.list(() => reader.byte()),
        readonly: reader.list(() => reader.byte()),
      }))
    : []
  if (reader.at() !== bytes.length) throw new KeyError('sign/malformed', 'transaction length')
  const accountCount = lookups.reduce(
    (sum, lookup) => sum + lookup.writable.length + lookup.readonly.length,
    accounts.length,
  )
  for (const { program, accounts: indices } of instructions) {
    // A program cannot be loaded from a lookup table and cannot be the fee payer.
    if (program < 1 || program >= accounts.length || indices.some((accountIndex) => accountIndex >= accountCount)) {
      throw new KeyError('sign/malformed', 'instruction')
    }
  }
  const version = versioned ? 0 : 'legacy'
  return { version, accounts, signerCount, readonlySigners, readonlyOthers, blockhash, instructions, lookups }
}

interface Reader {
  at(): number
  byte(): number
  take(length: number): Uint8Array
  /** Reads a compact-u16: one to three bytes that contain seven bits each, in the shortest form. */
  count(): number
  list<Item>(item: () => Item): Item[]
}

function createReader(bytes: Uint8Array): Reader {
  let at = 0
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new KeyError('sign/malformed', 'transaction ends early')
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = (): number => take(1)[0]!
  const count = (): number => {
    let value = 0
    for (let accountIndex = 0; accountIndex < 3; accountIndex++) {
      const next = byte()
      value |= (next & 0x7f) << (accountIndex * 7)
      if (next < 0x80) {
        if ((accountIndex > 0 && next === 0) || value > 0xffff) break
        return value
      }
    }
    throw new KeyError('sign/malformed', 'count')
  }
  const list = <Item>(item: () => Item): Item[] => Array.from({ length: count() }, item)
  return { at: () => at, byte, take, count, list }
}
