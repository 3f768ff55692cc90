import { formatUnits } from '@latchkey/protocol/amount'
import { toBase58 } from '@latchkey/protocol/bytes'
import type { SolanaMessage } from './solanaTransaction.ts'

/** An account as the runtime stores it. */
export interface StoredAccount {
  readonly lamports: bigint
  /** The program that owns the account. */
  readonly owner: string
  readonly data: Uint8Array
}

/** The programs that own token accounts: SPL Token and Token-2022. */
export const tokenPrograms = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
] as const

/** The amount of a token in a token account, in the format of the RPC API. */
interface TokenHolding {
  readonly mint: string
  readonly owner: string
  readonly tokenAmount: {
    readonly amount: string
    readonly decimals: number
    readonly uiAmount: number
    readonly uiAmountString: string
  }
}

/** A transaction with the accounts before and after it. */
export interface RecordedTransaction {
  readonly signature: string
  readonly slot: number
  readonly blockTime: number
  readonly message: SolanaMessage
  readonly before: Balances
  readonly after: Balances
  readonly logs: readonly string[]
  readonly unitsConsumed: number
}

/** The balances of a message's accounts, in the order of the message. */
interface Balances {
  readonly lamports: readonly number[]
  readonly tokens: readonly (TokenHolding & { readonly programId: string; readonly accountIndex: number })[]
}

/** A filter of `getSignaturesForAddress`. */
export interface SignatureFilter {
  readonly limit?: number | undefined
  readonly before?: string | undefined
  readonly until?: string | undefined
}

const lamportsPerSignature = 5_000
const budgetProgram = 'ComputeBudget111111111111111111111111111111'
/** The maximum number of transactions in the history. The oldest are removed first. */
const maxEntries = 10_000
const maxSignatures = 1_000

/**
 * The executed transactions of the local Solana node, in order. Contains no failed transactions, because the node rejects them.
 */
export interface SolanaTransactionHistory {
  /** Reads the balances of a message's accounts. */
  balances(message: SolanaMessage): Balances
  add(entry: RecordedTransaction): void
  /** Returns the signatures of the transactions that contain an address, newest first. */
  signatures(address: string, filter: SignatureFilter): readonly object[]
  /** Returns the slot of a transaction, or `undefined` if the transaction is unknown. */
  slot(signature: string): number | undefined
  /**
   * Returns a transaction in the `jsonParsed` format, without parsing its instructions. `null` if the transaction is unknown.
   */
  transaction(signature: string): object | null
  /** Returns the holding of a token account, or `undefined` if the account is not a token account. */
  holding(account: StoredAccount): TokenHolding | undefined
}

/** Creates an empty history. `read` returns an account, or `undefined` if it does not exist. */
export function createSolanaTransactionHistory(
  read: (address: string) => StoredAccount | undefined,
): SolanaTransactionHistory {
  const entries: RecordedTransaction[] = []

  function holding({ owner: program, data }: StoredAccount): TokenHolding | undefined {
    // A token account has 165 bytes. With Token-2022 extensions, it is longer, and byte 165 is the account type.
    const isAccount = data.length === 165 || (data.length > 165 && data[165] === 2)
    if (!tokenPrograms.some((known) => known === program) || !isAccount) return undefined
    const mint = toBase58(data.slice(0, 32))
    const decimals = read(mint)?.data[44] ?? 0
    const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(64, true)
    const text = formatUnits(amount, decimals)
    return {
      mint,
      owner: toBase58(data.slice(32, 64)),
      tokenAmount: { amount: String(amount), decimals, uiAmount: Number(text), uiAmountString: text },
    }
  }

  return {
    holding,
    balances({ accounts }) {
      const stored = accounts.map(({ address }) => read(address))
      return {
        lamports: stored.map((account) => Number(account?.lamports ?? 0n)),
        tokens: stored.flatMap((account, accountIndex) => {
          const held = account && holding(account)
          return held ? [{ ...held, programId: account.owner, accountIndex }] : []
        }),
      }
    },
    add(entry) {
      entries.push(entry)
      if (entries.length > maxEntries) entries.shift()
    },
    signatures(address, { limit = maxSignatures, before, until }) {
      const newest = entries.toReversed()
      const place = (signature: string | undefined, otherwise: number): number => {
        const found = newest.findIndex((entry) => entry.signature === signature)
        return found < 0 ? otherwise : found
      }
      return newest
        .slice(place(before, -1) + 1, place(until, newest.length))
        .filter(({ message }) => message.accounts.some((account) => account.address === address))
        .slice(0, Math.min(limit, maxSignatures))
        .map(({ signature, slot, blockTime }) => ({
          signature,
          slot,
          blockTime,
          err: null,
          memo: null,
          confirmationStatus: 'finalized',
        }))
    },
    slot: (signature) => entries.find((entry) => entry.signature === signature)?.slot,
    transaction(signature) {
      const entry = entries.find((item) => item.signature === signature)
      return entry ? answerOf(entry) : null
    },
  }
}

function answerOf({
  signature,
  slot,
  blockTime,
  message,
  before,
  after,
  logs,
  unitsConsumed,
}: RecordedTransaction): object {
  const tokens = ({ tokens }: Balances) =>
    tokens.map(({ tokenAmount, ...rest }) => ({ ...rest, uiTokenAmount: tokenAmount }))
  return {
    slot,
    blockTime,
    version: 'legacy',
    meta: {
      err: null,
      status: { Ok: null },
      fee: feeOf(message),
      preBalances: before.lamports,
      postBalances: after.lamports,
      preTokenBalances: tokens(before),
      postTokenBalances: tokens(after),
      logMessages: logs,
      computeUnitsConsumed: unitsConsumed,
      rewards: [],
    },
    transaction: {
      signatures: [signature],
      message: {
        accountKeys: message.accounts.map(({ address, isSigner, isWritable }) => ({
          pubkey: address,
          signer: isSigner,
          writable: isWritable,
          source: 'transaction',
        })),
        recentBlockhash: message.blockhash,
        instructions: message.instructions.map(({ program, accounts, data }) => ({
          programId: program,
          accounts,
          data: toBase58(data),
        })),
      },
    },
  }
}

/** Returns the fee in lamports: a fee per signature, plus the compute unit limit times the compute unit price. */
function feeOf({ accounts, instructions }: SolanaMessage): number {
  const budget = instructions.filter(({ program }) => program === budgetProgram).map(({ data }) => data)
  const view = (kind: number): DataView | undefined => {
    const data = budget.find(([first]) => first === kind)
    return data && new DataView(data.buffer, data.byteOffset)
  }
  const units = view(2)?.getUint32(1, true) ?? 200_000 * (instructions.length - budget.length)
  const price = view(3)?.getBigUint64(1, true) ?? 0n
  const priority = Number((BigInt(units) * price + 999_999n) / 1_000_000n)
  return lamportsPerSignature * accounts.filter(({ isSigner }) => isSigner).length + priority
}
