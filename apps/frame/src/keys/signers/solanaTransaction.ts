import { toBase58 } from '@latchkey/protocol/bytes'
import { KeyError } from '../errors.ts'

/** No Solana transaction is larger: it has to fit into one packet. */
const maxTransactionBytes = 1232

/** One call of a program. The numbers are places in `accounts`, behind which the looked-up accounts follow. */
export interface SolanaInstruction {
  readonly program: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

/** Accounts that a transaction names by their place in a table on the chain. */
export interface SolanaLookup {
  readonly table: string
  readonly writable: readonly number[]
  readonly readonly: readonly number[]
}

/** A Solana message, taken apart. */
export interface SolanaMessage {
  readonly version: 'legacy' | 0
  /** The accounts that must sign stand first; the very first pays. */
  readonly accounts: readonly string[]
  readonly signerCount: number
  readonly readonlySigners: number
  readonly readonlyOthers: number
  readonly blockhash: string
  readonly instructions: readonly SolanaInstruction[]
  readonly lookups: readonly SolanaLookup[]
}

/** A Solana transaction, taken apart: where its signatures stand, and what they sign. */
export interface SolanaTransaction {
  readonly message: SolanaMessage
  /** What is signed. */
  readonly messageBytes: Uint8Array
  /** Where the first signature stands. */
  readonly signaturesAt: number
  readonly signatureCount: number
}

/** A transaction from its bytes; throws `sign/malformed` unless it is one to its last byte. */
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

/** Whether bytes are a message that a validator would take: then they are no text to sign. */
export function isSolanaMessage(bytes: Uint8Array): boolean {
  try {
    parseSolanaMessage(bytes)
    return true
  } catch {
    return false
  }
}

/** The message of a transaction; throws `sign/malformed` unless it is one to its last byte. */
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
    // A program is never looked up, nor is it the payer.
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
  /** A count in one to three bytes of seven bits ("compact-u16"), in its shortest form. */
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
