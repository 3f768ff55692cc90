import { fromUtf8, toHex } from '@latchkey/protocol/bytes'
import type { SolanaInstruction, SolanaMessage } from '@latchkey/vault/signers/solanaTransaction'
import { base58 } from '@scure/base'
import { maxDecimals } from './contractFacts.ts'
import { type UntrustedText, untrusted } from './untrustedText.ts'

/**
 * The effect of an instruction, or `unknown` if the effect cannot be determined. Amounts are in the smallest unit. Accounts from
 * a lookup table are shown by their index. If `hasRules` is `true`, the token uses Token-2022, where a mint can charge fees, call
 * other programs or take tokens back. The transaction does not include these rules.
 */
export type SolanaStep =
  | { readonly kind: 'send'; readonly from: string; readonly to: string; readonly amount: bigint }
  | {
      readonly kind: 'sendToken'
      readonly from: string
      readonly to: string
      readonly token: string | undefined
      readonly amount: bigint
      readonly decimals: number | undefined
      readonly hasRules: boolean
    }
  | {
      readonly kind: 'allow'
      readonly account: string
      readonly spender: string
      readonly amount: bigint | 'unlimited'
      readonly decimals: number | undefined
    }
  | { readonly kind: 'handOver'; readonly account: string; readonly to: string }
  | { readonly kind: 'close'; readonly account: string; readonly to: string }
  | { readonly kind: 'burn'; readonly account: string; readonly amount: bigint }
  | { readonly kind: 'open'; readonly account: string; readonly owner: string }
  | { readonly kind: 'memo'; readonly text: UntrustedText }
  | { readonly kind: 'unknown'; readonly program: string; readonly data: string }

/** The steps of a transaction and its network fee. */
export interface SolanaReading {
  readonly steps: readonly SolanaStep[]
  /** The fee in lamports, charged to the payer. */
  readonly fee: bigint
  readonly payer: string
  /** The number of accounts from lookup tables, which only the network can resolve. */
  readonly hidden: number
}

const system = '11111111111111111111111111111111'
const token = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const associated = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const memos = ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVddwQDwFMNo']
const budget = 'ComputeBudget111111111111111111111111111111'

const lamportsPerSignature = 5_000n
const unitsPerInstruction = 200_000n

/** Decodes a transaction message for the approval screen. */
export function readSolana(message: SolanaMessage): SolanaReading {
  const steps: SolanaStep[] = []
  let price = 0n
  let units: bigint | undefined
  for (const instruction of message.instructions) {
    const program = message.accounts[instruction.program] ?? ''
    if (program === budget) {
      const set = budgetOf(instruction.data)
      price = set.price ?? price
      units = set.units ?? units
      if (set.units !== undefined || set.price !== undefined || set.harmless) continue
    }
    steps.push(stepOf(message, program, instruction) ?? { kind: 'unknown', program, data: toHex(instruction.data) })
  }
  const extra = (price * (units ?? unitsPerInstruction * BigInt(steps.length)) + 999_999n) / 1_000_000n
  return {
    steps,
    fee: lamportsPerSignature * BigInt(message.signerCount) + extra,
    payer: message.accounts[0] ?? '',
    hidden: message.lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0),
  }
}

function stepOf(
  message: SolanaMessage,
  program: string,
  { accounts, data }: SolanaInstruction,
): SolanaStep | undefined {
  /** Returns the account at a position in the instruction. Accounts from a lookup table are shown by their index. */
  const at: AccountAt = (place) => {
    const index = accounts[place]
    return index === undefined ? '' : (message.accounts[index] ?? `#${index + 1}`)
  }
  const has = (count: number): boolean => accounts.length >= count
  if (memos.includes(program)) {
    const text = fromUtf8(data)
    return text === undefined ? undefined : { kind: 'memo', text: untrusted(text) }
  }
  if (program === system) return systemStep(at, has, data)
  if (program === token || program === token2022) return tokenStep(at, has, data, program === token2022)
  // Empty data and 0 create an account. 1 creates it only if it does not exist yet.
  if (program === associated && has(6) && (data.length === 0 || (data.length === 1 && (data[0] ?? 2) < 2)))
    return { kind: 'open', account: at(1), owner: at(2) }
  return undefined
}

type AccountAt = (place: number) => string
/** Whether an instruction has at least this many accounts. */
type Has = (count: number) => boolean

function systemStep(at: AccountAt, has: Has, data: Uint8Array): SolanaStep | undefined {
  const code = numberIn(data, 0, 4)
  const lamports = numberIn(data, 4, 8)
  // Transfer, or CreateAccount, which also transfers lamports to the new account.
  const isTransfer = (code === 2n && data.length === 12) || (code === 0n && data.length === 52)
  if (isTransfer && has(2) && lamports !== undefined) return { kind: 'send', from: at(0), to: at(1), amount: lamports }
  // Assign, which makes a program the owner of the account.
  if (code === 1n && data.length === 36 && has(1))
    return { kind: 'handOver', account: at(0), to: base58.encode(data.slice(4)) }
  return undefined
}

function tokenStep(at: AccountAt, has: Has, data: Uint8Array, hasRules: boolean): SolanaStep | undefined {
  const amount = numberIn(data, 1, 8)
  const decimals = data[9]
  const isPlain = data.length === 9 && amount !== undefined
  const isChecked = data.length === 10 && amount !== undefined && decimals !== undefined && decimals <= maxDecimals
  switch (data[0]) {
    case 3:
      if (!isPlain || !has(3)) return undefined
      return { kind: 'sendToken', from: at(0), to: at(1), token: undefined, amount, decimals: undefined, hasRules }
    case 12:
      if (!isChecked || !has(4)) return undefined
      return { kind: 'sendToken', from: at(0), to: at(2), token: at(1), amount, decimals, hasRules }
    case 4:
      if (!isPlain || !has(3)) return undefined
      return { kind: 'allow', account: at(0), spender: at(1), amount: limited(amount), decimals: undefined }
    case 13:
      if (!isChecked || !has(4)) return undefined
      return { kind: 'allow', account: at(0), spender: at(2), amount: limited(amount), decimals }
    case 6:
      // SetAuthority with type 2 changes the account owner. The other authority types apply to mints or grant fewer rights.
      if (data.length !== 35 || data[1] !== 2 || data[2] !== 1 || !has(2)) return undefined
      return { kind: 'handOver', account: at(0), to: base58.encode(data.slice(3)) }
    case 8:
      return isPlain && has(3) ? { kind: 'burn', account: at(0), amount } : undefined
    case 15:
      return isChecked && has(3) ? { kind: 'burn', account: at(0), amount } : undefined
    case 9:
      return data.length === 1 && has(3) ? { kind: 'close', account: at(0), to: at(1) } : undefined
    default:
      return undefined
  }
}

/** Returns the amount, or `'unlimited'` if it is in the upper half of the range. */
function limited(amount: bigint): bigint | 'unlimited' {
  return amount >> 63n ? 'unlimited' : amount
}

function budgetOf(data: Uint8Array): { price?: bigint | undefined; units?: bigint | undefined; harmless?: boolean } {
  if (data[0] === 2 && data.length === 5) return { units: numberIn(data, 1, 4) }
  if (data[0] === 3 && data.length === 9) return { price: numberIn(data, 1, 8) }
  // 1 requests heap memory, and 4 limits the size of loaded accounts.
  return { harmless: (data[0] === 1 || data[0] === 4) && data.length === 5 }
}

/** Reads a little-endian integer of `bytes` bytes, starting at index `at`. */
function numberIn(data: Uint8Array, at: number, bytes: number): bigint | undefined {
  if (data.length < at + bytes) return undefined
  let value = 0n
  for (let place = at + bytes - 1; place >= at; place--) value = (value << 8n) | BigInt(data[place] ?? 0)
  return value
}
