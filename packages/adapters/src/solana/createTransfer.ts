import type { TransferFee } from '@latchkey/core/adapter'
import { fromBase64, toBase58 } from '@latchkey/protocol/bytes'
import { parseAccountId } from '@latchkey/protocol/caip'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import * as v from 'valibot'
import { encodeTransaction, type Instruction, littleEndian } from './encodeTransaction.ts'
import { hasScaledAmounts, refusesTransfers, transferFeeOf } from './mintExtensions.ts'
import { associatedTokenAddress, associatedTokenProgram, isOnCurve, keyOf } from './programAddress.ts'
import { inContext, lamports, type SolanaNode } from './solanaNode.ts'

/** A transfer of SOL or of a token. */
export interface SolanaTransfer {
  readonly from: string
  readonly to: string
  /** The amount in base units. */
  readonly amount: bigint
  /** The mint, plain or in CAIP-10 format. Absent for SOL. */
  readonly token?: string | undefined
  /** The decimal places for which `amount` was computed. */
  readonly decimals?: number | undefined
  /** The most that the token may withhold from the amount. */
  readonly maxWithheld?: bigint | undefined
}

const systemProgram = '11111111111111111111111111111111'
const budgetProgram = 'ComputeBudget111111111111111111111111111111'
/** The Token program and Token-2022. */
export const tokenPrograms: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]

/** The compute unit limits for SOL, for tokens, and for tokens whose recipient needs a new token account. */
const computeUnits = { sol: 500n, token: 300_000n, tokenAndAccount: 400_000n } as const
/** The maximum price of a compute unit, in millionths of a lamport, and the maximum for all units together, in lamports. */
const maxUnitPrice = 20_000_000n
const maxPriorityFee = 100_000n
const lamportsPerSignature = 5_000n
/** The size of an account of the Token program and of Token-2022, in bytes. The latter has additional fields. */
const tokenAccountBytes = [165, 170] as const

/** An account as the node returns it. */
const account = v.object({
  executable: v.boolean(),
  lamports,
  owner: v.pipe(v.string(), v.maxLength(44)),
  data: v.tuple([v.pipe(v.string(), v.maxLength(500_000)), v.literal('base64')]),
})
type Account = v.InferOutput<typeof account>
const priorityFees = v.array(v.object({ prioritizationFee: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }))

/** The instructions and costs of a transfer, which depend on data from the node. */
interface Plan {
  readonly instructions: readonly Instruction[]
  readonly units: bigint
  readonly unitPrice: bigint
  /** The deposit for the recipient's token account, if the transfer opens it. */
  readonly deposit: bigint | undefined
  /** The maximum amount that the token withholds. `undefined` if the mint's fee has an unknown format. */
  readonly withheld: bigint | undefined
}

/**
 * Reads the fee of a transfer. On Solana, the exact fee is known in advance.
 *
 * @throws {LatchkeyError} `send/would-fail` if the network would not execute the transfer, for example because an account would
 * be left with less than the minimum balance, or if the recipient could not move the received amount.
 */
export async function readTransferFee(node: SolanaNode, transfer: SolanaTransfer): Promise<TransferFee> {
  const { units, unitPrice, deposit = 0n, withheld } = await planTransfer(node, transfer)
  const amount = lamportsPerSignature + (units * unitPrice + 999_999n) / 1_000_000n + deposit
  if (transfer.token === undefined) await assertMinimums(node, transfer, amount)
  return {
    amount,
    maxAmount: amount,
    ...(deposit > 0n && { deposit }),
    ...(withheld !== undefined && { withheld }),
  }
}

/** Resolves to the transaction of a transfer in wire format, to be signed by the sender. */
export async function createTransfer(node: SolanaNode, transfer: SolanaTransfer): Promise<Uint8Array> {
  const [{ instructions, withheld }, { blockhash }] = await Promise.all([
    planTransfer(node, transfer),
    node.call(
      'getLatestBlockhash',
      [{ commitment: 'confirmed' }],
      inContext(v.object({ blockhash: v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)) })),
    ),
  ])
  const { maxWithheld } = transfer
  if (maxWithheld !== undefined && (withheld === undefined || withheld > maxWithheld))
    throw accountFailure('send/would-fail', { reason: 'withheld' })
  return encodeTransaction({ payer: transfer.from, blockhash, instructions })
}

/**
 * Resolves to whether an address belongs to a program: it is not a public key, or its account is executable or not owned by the
 * system program.
 */
export async function isProgramAccount(node: SolanaNode, address: string): Promise<boolean> {
  if (!isOnCurve(keyOf(address))) return true
  const [found] = await readAccounts(node, [address])
  return found ? found.executable || found.owner !== systemProgram : false
}

/** Resolves to the decimal places of a token, or to `undefined` if `mint` is not a token. */
export async function readTokenDecimals(node: SolanaNode, mint: string): Promise<number | undefined> {
  const [found] = await readAccounts(node, [mint])
  return decimalsOf(found)
}

async function planTransfer(node: SolanaNode, transfer: SolanaTransfer): Promise<Plan> {
  const { from, to, amount, decimals } = transfer
  if (amount < 0n || amount >= 2n ** 64n) throw new LatchkeyError('wallet/failed', { message: 'Invalid amount.' })
  keyOf(to)
  const mint = transfer.token && (parseAccountId(transfer.token)?.address ?? transfer.token)
  const { steps, units, deposit, withheld } = mint
    ? await tokenSteps(node, { from, to, amount, decimals, mint })
    : {
        steps: [await solStep(node, { from, to, amount })],
        units: computeUnits.sol,
        deposit: undefined,
        withheld: undefined,
      }
  const unitPrice = await readUnitPrice(node, { accounts: [from, to], units })
  const budget: Instruction[] = [
    { program: budgetProgram, accounts: [], data: Uint8Array.from([2, ...littleEndian(units, 4)]) },
    { program: budgetProgram, accounts: [], data: Uint8Array.from([3, ...littleEndian(unitPrice, 8)]) },
  ]
  return { instructions: [...budget, ...steps], units, unitPrice, deposit, withheld }
}

async function solStep(node: SolanaNode, { from, to, amount }: SolanaTransfer): Promise<Instruction> {
  const [recipient] = await readAccounts(node, [to])
  // SOL that is sent to a program, a mint or a token account could never be moved.
  if (recipient?.executable || (recipient && tokenPrograms.includes(recipient.owner)))
    throw accountFailure('send/would-fail', { reason: 'not-a-recipient' })
  return {
    program: systemProgram,
    accounts: [
      { address: from, isSigner: true, isWritable: true },
      { address: to, isWritable: true },
    ],
    data: Uint8Array.from([...littleEndian(2n, 4), ...littleEndian(amount, 8)]),
  }
}

async function tokenSteps(
  node: SolanaNode,
  { from, to, amount, mint, decimals: expected }: SolanaTransfer & { readonly mint: string },
): Promise<{ steps: Instruction[]; units: bigint; deposit: bigint | undefined; withheld: bigint | undefined }> {
  const [mintAccount, recipient] = await readAccounts(node, [mint, to])
  const decimals = decimalsOf(mintAccount)
  if (!mintAccount || decimals === undefined) throw accountFailure('send/would-fail', { reason: 'no-token' })
  if (expected !== undefined && expected !== decimals) throw accountFailure('send/would-fail', { reason: 'decimals' })
  const tokenProgram = mintAccount.owner
  const mintBytes = fromBase64(mintAccount.data[0]) ?? new Uint8Array()
  if (hasScaledAmounts(mintBytes)) throw accountFailure('send/would-fail', { reason: 'decimals' })
  if (refusesTransfers(mintBytes)) throw accountFailure('send/would-fail', { reason: 'token-refuses' })
  const withheld = transferFeeOf(mintBytes, amount)
  // A token account cannot own another one, so tokens sent to it could never be moved.
  if (recipient && tokenPrograms.includes(recipient.owner))
    throw accountFailure('send/would-fail', { reason: 'not-a-recipient' })
  const [source, target] = await Promise.all(
    [from, to].map((owner) => associatedTokenAddress({ owner, mint, tokenProgram })),
  )
  if (!source || !target) throw new RangeError('There are two addresses.')
  const [sourceAccount, targetAccount] = await readAccounts(node, [source, target])
  if (!sourceAccount) throw accountFailure('send/would-fail', { reason: 'no-token' })
  // The owner of a token account can transfer it to another owner, and its address stays the same.
  if (targetAccount && !isOwnedBy(targetAccount, to))
    throw accountFailure('send/would-fail', { reason: 'not-a-recipient' })
  const transfer: Instruction = {
    program: tokenProgram,
    accounts: [
      { address: source, isWritable: true },
      { address: mint },
      { address: target, isWritable: true },
      { address: from, isSigner: true },
    ],
    // TransferChecked, which fails if the mint has different decimals than those for which the amount was computed.
    data: Uint8Array.from([12, ...littleEndian(amount, 8), expected ?? decimals]),
  }
  if (targetAccount) return { steps: [transfer], units: computeUnits.token, deposit: undefined, withheld }
  const open: Instruction = {
    program: associatedTokenProgram,
    accounts: [
      { address: from, isSigner: true, isWritable: true },
      { address: target, isWritable: true },
      { address: to },
      { address: mint },
      { address: systemProgram },
      { address: tokenProgram },
    ],
    // CreateIdempotent, which also succeeds if the account has been created in the meantime.
    data: Uint8Array.of(1),
  }
  const deposit = await minimumBalance(node, tokenAccountBytes[tokenProgram === tokenPrograms[0] ? 0 : 1])
  return { steps: [open, transfer], units: computeUnits.tokenAndAccount, deposit, withheld }
}

/** Returns the decimals of a mint. `undefined` if the account is not a mint of a token program. */
function decimalsOf(mint: Account | undefined): number | undefined {
  if (!mint || !tokenPrograms.includes(mint.owner)) return undefined
  const data = fromBase64(mint.data[0])
  // A mint has 82 bytes. With the extensions of Token-2022, it is longer than an account, and byte 165 is its type.
  const isMint = data?.length === 82 || (data !== undefined && data.length > 165 && data[165] === 1)
  return isMint ? data?.[44] : undefined
}

/** Whether a token account belongs to a wallet, whose key is in the bytes 32 to 63. */
function isOwnedBy({ data }: Account, wallet: string): boolean {
  const owner = fromBase64(data[0])?.slice(32, 64)
  return owner?.length === 32 && toBase58(owner) === wallet
}

/** Reads accounts. Accounts that do not exist are `undefined`. */
export async function readAccounts(
  node: SolanaNode,
  addresses: readonly string[],
): Promise<readonly (Account | undefined)[]> {
  const found = await node.call(
    'getMultipleAccounts',
    [addresses, { encoding: 'base64', commitment: 'confirmed' }],
    inContext(v.pipe(v.array(v.nullable(account)), v.length(addresses.length))),
  )
  return found.map((item) => item ?? undefined)
}

const minimumBalance = (node: SolanaNode, bytes: number): Promise<bigint> =>
  node.call('getMinimumBalanceForRentExemption', [bytes], lamports)

/** Reads the 75th percentile of the compute unit prices of recent transactions with these accounts, up to the maximum. */
async function readUnitPrice(
  node: SolanaNode,
  { accounts, units }: { readonly accounts: readonly string[]; readonly units: bigint },
): Promise<bigint> {
  const recent = await node.call('getRecentPrioritizationFees', [accounts], priorityFees)
  const prices = recent.map(({ prioritizationFee }) => BigInt(prioritizationFee)).sort((a, b) => (a < b ? -1 : 1))
  const price = prices[Math.floor(prices.length * 0.75)] ?? 0n
  return least(price, maxUnitPrice, (maxPriorityFee * 1_000_000n) / units)
}

function least(first: bigint, ...others: readonly bigint[]): bigint {
  // biome-ignore lint/complexity/useMathMinMax: Math.min() does not accept bigints
  return others.reduce((smallest, value) => (value < smallest ? value : smallest), first)
}

/**
 * Rejects if a new recipient would receive less than the minimum balance, or the sender would keep less than that but not zero.
 * The network does not execute such transactions.
 */
async function assertMinimums(node: SolanaNode, { from, to, amount }: SolanaTransfer, fee: bigint): Promise<void> {
  const [[sender, recipient], minimum] = await Promise.all([readAccounts(node, [from, to]), minimumBalance(node, 0)])
  if (!recipient && amount < minimum)
    throw accountFailure('send/would-fail', { reason: 'recipient-minimum', minimum: String(minimum) })
  const rest = (sender?.lamports ?? 0n) - amount - fee
  if (rest > 0n && rest < minimum)
    throw accountFailure('send/would-fail', { reason: 'sender-minimum', minimum: String(minimum) })
}
