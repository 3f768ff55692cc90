import { formatUnits } from '@latchkey/protocol/amount'
import type { HistoryAnswer, HistoryTransaction, TokenTransfer } from '@latchkey/protocol/http/chainApi'
import * as v from 'valibot'
import type { Clock } from '../../serverDependencies.ts'
import type { ChainConfig } from '../chainConfig.ts'
import { type CallNode, nodeResult } from '../nodeBatch.ts'
import { readCursor, writeCursor } from './historyCursor.ts'
import { type FoundTransaction, searchTransactions, type TransactionSearch } from './searchTransactions.ts'

/** The number of transactions on a page. Public nodes limit `getTransaction` to a few dozen calls at a time. */
export const solanaPageSize = 25

/** Reads a page of the history of a Solana account. */
export type SolanaHistory = (
  chain: ChainConfig,
  account: string,
  cursor: string | undefined,
  signal: AbortSignal,
) => Promise<HistoryAnswer>

const tokenPrograms = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb']
const wrappedSol = 'So11111111111111111111111111111111111111112'
/**
 * The maximum number of token accounts whose transactions are searched. A transfer to an existing token account only names that
 * account, so it is missing from the history of its owner.
 */
const maxTokenAccounts = 20
/** The maximum number of signatures that nodes return per request. */
const maxSignatures = 1000
/**
 * Payments from others of up to this many lamports (0.00001 SOL) are treated as spam. They are used to place lookalike
 * addresses in histories.
 */
const dustLamports = 10_000n

const signatureText = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/))
const addressText = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/))
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const signatures = v.pipe(v.array(v.object({ signature: signatureText, slot: whole })), v.maxLength(maxSignatures))
const tokenAccounts = v.object({ value: v.array(v.object({ pubkey: addressText })) })
const tokenBalance = v.object({
  accountIndex: whole,
  mint: addressText,
  owner: v.optional(addressText),
  uiTokenAmount: v.object({
    amount: v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
    decimals: v.pipe(whole, v.maxValue(77)),
  }),
})
const transactionSchema = v.object({
  slot: whole,
  // The latest time that a JavaScript `Date` can represent, in seconds.
  blockTime: v.nullish(v.pipe(whole, v.maxValue(8.64e12))),
  meta: v.object({
    err: v.unknown(),
    fee: whole,
    preBalances: v.array(whole),
    postBalances: v.array(whole),
    preTokenBalances: v.nullish(v.array(tokenBalance), []),
    postTokenBalances: v.nullish(v.array(tokenBalance), []),
  }),
  transaction: v.object({
    message: v.object({
      accountKeys: v.array(v.object({ pubkey: addressText, signer: v.optional(v.boolean(), false) })),
    }),
  }),
})

type SolanaTransaction = v.InferOutput<typeof transactionSchema>

/**
 * Creates the reader for Solana histories. Transfers are derived from the balances before and after each
 * transaction. The rent of the account's token accounts is treated as the account's own, and wrapped SOL as SOL.
 */
export function createSolanaHistory({ callNode, clock }: { callNode: CallNode; clock: Clock }): SolanaHistory {
  async function tokenAccountsOf(chainId: string, account: string, signal: AbortSignal): Promise<readonly string[]> {
    const calls = tokenPrograms.map((programId) => ({
      method: 'getTokenAccountsByOwner',
      // Only the addresses are needed.
      params: [account, { programId }, { encoding: 'base64', dataSlice: { offset: 0, length: 0 } }],
    }))
    const answers = await callNode(chainId, calls, signal)
    return answers
      .flatMap((answer) => {
        // A node that does not know the second program rejects the call.
        const parsed = v.safeParse(tokenAccounts, answer)
        return parsed.success ? parsed.output.value.map(({ pubkey }) => pubkey) : []
      })
      .slice(0, maxTokenAccounts)
  }

  /** Searches the transactions that contain an address. Each step returns all matching transactions of a slot or none. */
  function searchOf(
    chainId: string,
    address: string,
    start: string | undefined,
    signal: AbortSignal,
  ): TransactionSearch {
    // Nodes search from a signature, not from a slot.
    let before = start
    return async ({ count }) => {
      const found: FoundTransaction[] = []
      for (;;) {
        const limit = found.length === 0 ? count : maxSignatures
        const params = [address, { limit, ...(before === undefined ? {} : { before }) }]
        const [result] = await callNode(chainId, [{ method: 'getSignaturesForAddress', params }], signal)
        const answer = nodeResult(signatures, result)
        found.push(...answer.map(({ signature, slot }) => ({ hash: signature, block: slot, index: 0, signature })))
        before = answer.at(-1)?.signature ?? before
        if (answer.length < limit) return { found, fromBlock: 0 }
        const [newest, oldest] = [found[0]?.block ?? 0, found.at(-1)?.block ?? 0]
        // The last slot can contain more transactions, so it is omitted here. The next step finds it again.
        if (oldest < newest) {
          before = found.findLast(({ block }) => block > oldest)?.hash
          return { found: found.filter(({ block }) => block > oldest), fromBlock: oldest + 1 }
        }
      }
    }
  }

  return async (chain, account, cursor, signal) => {
    const { chainId } = chain
    const of = { chainId, account }
    const before = cursor === undefined ? undefined : readCursor(of, cursor)
    const addresses = [account, ...(await tokenAccountsOf(chainId, account, signal))]
    const { found, next } = await searchTransactions({
      searches: addresses.map((address) => searchOf(chainId, address, before?.signature, signal)),
      before: before ?? { block: Number.MAX_SAFE_INTEGER, index: 0 },
      limit: solanaPageSize,
      isBlockWhole: true,
      clock,
    })
    const answers = await callNode(
      chainId,
      found.map(({ hash }) => ({
        method: 'getTransaction',
        params: [hash, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0, commitment: 'confirmed' }],
      })),
      signal,
    )
    const listed = new Map(chain.tokens.map((token) => [token.address, token]))
    const data = found.flatMap(({ hash }, at) => {
      const answer = answers[at]
      // Nodes keep the signatures of pruned transactions.
      return answer === null ? [] : [itemOf(hash, nodeResult(transactionSchema, answer), { chain, account, listed })]
    })
    return { data, next: next ? writeCursor(of, next) : null }
  }
}

interface Movement {
  /** Absent for SOL. */
  readonly mint?: string | undefined
  /** Negative if the account sent it. */
  readonly change: bigint
  readonly decimals: number
  readonly isSpam: boolean
}

function itemOf(
  signature: string,
  transaction: SolanaTransaction,
  { chain, account, listed }: { chain: ChainConfig; account: string; listed: ReadonlyMap<string, ListedToken> },
): HistoryTransaction {
  const { meta, blockTime } = transaction
  const keys = transaction.transaction.message.accountKeys
  const hasFailed = meta.err !== null && meta.err !== undefined
  const isOwn = keys.some(({ pubkey, signer }) => signer && pubkey === account)
  const movements = hasFailed ? [] : movementsOf(transaction, account, { isOwn, listed })
  const wanted = movements.filter(({ isSpam }) => !isSpam)
  const parties = partiesOf(transaction, account, wanted)
  return {
    id: `${chain.chainId}:${signature}`,
    metadata: {
      operationType: operationOf(wanted),
      hash: signature,
      minedAt: new Date((blockTime ?? 0) * 1000).toISOString(),
      sentFrom: parties.from,
      sentTo: parties.to,
      status: hasFailed ? 'failed' : 'confirmed',
      nonce: null,
      application: null,
      chain: chain.chainId,
    },
    transfers: (movements.length > 0
      ? movements
      : [{ change: isOwn ? -0n : 0n, decimals: chain.nativeCurrency.decimals, isSpam: false }]
    ).map((movement) => transferOf(movement, { chain, listed, isOwn })),
  }
}

type ListedToken = ChainConfig['tokens'][number]

function movementsOf(
  { meta, transaction }: SolanaTransaction,
  account: string,
  { isOwn, listed }: { isOwn: boolean; listed: ReadonlyMap<string, ListedToken> },
): readonly Movement[] {
  const { accountKeys } = transaction.message
  const { preTokenBalances, postTokenBalances, preBalances, postBalances } = meta
  const held = [...preTokenBalances, ...postTokenBalances].filter(({ owner }) => owner === account)
  const own = new Set([
    ...accountKeys.flatMap(({ pubkey }, at) => (pubkey === account ? [at] : [])),
    ...held.map(({ accountIndex }) => accountIndex),
  ])
  const lamports = [...own].reduce((sum, at) => sum + BigInt(postBalances[at] ?? 0) - BigInt(preBalances[at] ?? 0), 0n)
  const fee = accountKeys[0]?.pubkey === account ? BigInt(meta.fee) : 0n
  const changes = new Map<string, { change: bigint; decimals: number }>()
  const add = (balances: typeof preTokenBalances, sign: bigint): void => {
    for (const { owner, mint, uiTokenAmount } of balances) {
      if (owner !== account || mint === wrappedSol) continue
      const change = (changes.get(mint)?.change ?? 0n) + sign * BigInt(uiTokenAmount.amount)
      changes.set(mint, { change, decimals: uiTokenAmount.decimals })
    }
  }
  add(preTokenBalances, -1n)
  add(postTokenBalances, 1n)
  const sol = lamports + fee
  return [
    ...(sol === 0n ? [] : [{ change: sol, decimals: 9, isSpam: !isOwn && sol > 0n && sol <= dustLamports }]),
    ...[...changes].flatMap(([mint, { change, decimals }]) =>
      change === 0n ? [] : [{ mint, change, decimals, isSpam: !isOwn && !listed.has(mint) }],
    ),
  ]
}

function operationOf(movements: readonly Movement[]): string {
  const hasIn = movements.some(({ change }) => change > 0n)
  const hasOut = movements.some(({ change }) => change < 0n)
  if (hasIn && hasOut) return 'trade'
  if (hasOut) return 'send'
  return hasIn ? 'receive' : 'execute'
}

/**
 * Returns the sender and recipient. The other party is only known if there is a single movement and exactly one other account
 * has the opposite change. Otherwise, an unknown sender is the fee payer, and an unknown recipient is empty.
 */
function partiesOf(
  { meta, transaction }: SolanaTransaction,
  account: string,
  movements: readonly Movement[],
): { from: string; to: string } {
  const { accountKeys } = transaction.message
  const payer = accountKeys[0]?.pubkey ?? ''
  const [movement] = movements
  if (!movement || movements.length > 1) return { from: payer, to: '' }
  const others = new Map<string, bigint>()
  const add = (owner: string | undefined, change: bigint): void => {
    if (owner !== undefined && owner !== account) others.set(owner, (others.get(owner) ?? 0n) + change)
  }
  if (movement.mint === undefined) {
    for (const [at, { pubkey }] of accountKeys.entries())
      add(
        pubkey,
        BigInt(meta.postBalances[at] ?? 0) - BigInt(meta.preBalances[at] ?? 0) + (at === 0 ? BigInt(meta.fee) : 0n),
      )
  } else {
    for (const [sign, balances] of [
      [-1n, meta.preTokenBalances],
      [1n, meta.postTokenBalances],
    ] as const)
      for (const { mint, owner, uiTokenAmount } of balances)
        if (mint === movement.mint) add(owner, sign * BigInt(uiTokenAmount.amount))
  }
  const opposite = [...others].filter(([, change]) => change === -movement.change)
  const other = opposite.length === 1 ? (opposite[0]?.[0] ?? '') : ''
  return movement.change < 0n ? { from: account, to: other } : { from: other || payer, to: account }
}

function transferOf(
  { mint, change, decimals, isSpam }: Movement,
  { chain, listed, isOwn }: { chain: ChainConfig; listed: ReadonlyMap<string, ListedToken>; isOwn: boolean },
): TokenTransfer {
  const amount = change < 0n ? -change : change
  const common = {
    direction: change < 0n || (change === 0n && isOwn) ? ('out' as const) : ('in' as const),
    quantity: { numeric: formatUnits(amount, decimals) },
    value: null,
    price: null,
    ...(isSpam ? { isSpam } : {}),
  }
  if (mint === undefined) {
    const { name, symbol } = chain.nativeCurrency
    return { ...common, fungible_info: { name, symbol, icon: null }, nft_info: null }
  }
  const token = listed.get(mint)
  const named = { ...common, token: `${chain.chainId}:${mint}`, ...(token ? {} : { isUnlisted: true }) }
  // A single unit of an indivisible, unlisted token is treated as an NFT.
  if (!token && decimals === 0 && amount === 1n)
    return { ...named, fungible_info: null, nft_info: { content: null, flags: { is_spam: isSpam } } }
  const icon = token?.logoUri ? { url: token.logoUri } : null
  return { ...named, fungible_info: { name: token?.name, symbol: token?.symbol, icon }, nft_info: null }
}
