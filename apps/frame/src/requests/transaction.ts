import type { ChainId } from '@latchkey/protocol/caip'
import { hexToBigInt, isHex, toHex } from 'viem'
import type { Call, CallReading } from '../readable/call.ts'
import { sentenceFor } from '../refusal.ts'
import type { Rpc } from '../rpc.ts'
import { type TokenFacts, tokenFacts } from './tokenFacts.ts'

/** All that a transaction needs to be signed, and all that a person should know before. */
export interface Prepared extends Quote {
  readonly nonce: number
  readonly gas: readonly bigint[]
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Networks without EIP-1559 have one price. */
  readonly legacy: boolean
}

/** Who pays a fee in the place of the visitor: the page, by a paymaster that it named, or the operator of this wallet. */
export type Payer = 'page' | 'operator'

/** What a person should know before a transaction. */
export interface Quote {
  /** The most that the network takes for it. */
  readonly fee: bigint
  readonly balance: bigint
  /** Why the network says that it would fail. */
  readonly willFail: string | undefined
  /** What comes and goes, as the network's own simulation says; `undefined` where it has none. */
  readonly changes: readonly Change[] | undefined
  readonly tokens: Readonly<Record<string, TokenFacts>>
  /** Absent: the account itself. */
  readonly payer?: Payer | undefined
  /** What the first use does: the contract comes to be, or the key gets its code. */
  readonly begins?: 'contract' | 'code' | undefined
}

/** What one simulation changes for the account. */
export interface Change {
  /** `undefined` for the network's own coin. */
  readonly token: string | undefined
  /** Negative for what goes. */
  readonly amount: bigint
}

/** Asks the network what `calls`, one after the other, would cost and change. */
export async function prepare(
  rpc: Rpc,
  {
    chain,
    from,
    calls,
    readings,
  }: { chain: ChainId; from: string; calls: readonly Call[]; readings: readonly CallReading[] },
): Promise<Prepared> {
  const quantity = async (method: string, params: unknown): Promise<bigint> => {
    const said = await rpc<unknown>(chain, method, params)
    if (!isHex(said)) throw new Error(`${method}: no number`)
    return hexToBigInt(said)
  }
  const transactions = calls.map(({ to, value, data }) => ({ from, ...(to && { to }), value: toHex(value), data }))
  let willFail: string | undefined
  const estimate = (transaction: (typeof transactions)[number]): Promise<bigint> =>
    quantity('eth_estimateGas', [transaction]).then(
      // Ten in a hundred more: state moves on between the question and the block.
      (gas) => (gas === 21_000n ? gas : (gas * 110n) / 100n),
      (error: unknown) => {
        willFail ??= sentenceFor(error)
        return 500_000n
      },
    )
  const [nonce, balance, fees, gas, changes, tokens] = await Promise.all([
    quantity('eth_getTransactionCount', [from, 'pending']),
    quantity('eth_getBalance', [from, 'latest']),
    feesNow(rpc, chain),
    // A later call may stand on an earlier one, so only a single call is judged by its estimate.
    Promise.all(transactions.map(estimate)),
    simulated(rpc, chain, from, transactions),
    tokensOf(rpc, chain, readings),
  ])
  if (transactions.length > 1) willFail = undefined
  const fee = gas.reduce((sum, one) => sum + one, 0n) * fees.maxFeePerGas
  return { nonce: Number(nonce), gas, ...fees, fee, balance, willFail, changes, tokens }
}

/** What the network wants to be paid for gas now. */
export async function feesNow(
  rpc: Rpc,
  chain: ChainId,
): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint; legacy: boolean }> {
  const block = await rpc<{ baseFeePerGas?: unknown } | null>(chain, 'eth_getBlockByNumber', ['latest', false])
  const base = block?.baseFeePerGas
  if (!isHex(base)) {
    const price = await rpc<unknown>(chain, 'eth_gasPrice', [])
    const maxFeePerGas = isHex(price) ? hexToBigInt(price) : 0n
    return { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas, legacy: true }
  }
  const tip = await rpc<unknown>(chain, 'eth_maxPriorityFeePerGas', []).catch(() => undefined)
  const maxPriorityFeePerGas = isHex(tip) ? hexToBigInt(tip) : 1_000_000_000n
  // Room for the base fee to rise by an eighth four times.
  return {
    maxFeePerGas: (hexToBigInt(base) * 16n) / 10n + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
    legacy: false,
  }
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Where `eth_simulateV1` logs what moves of the network's own coin. */
const coin = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** What `calls` of `from` would change for it, as the network's own simulation says. */
export async function simulated(
  rpc: Rpc,
  chain: ChainId,
  from: string,
  calls: readonly object[],
): Promise<readonly Change[] | undefined> {
  try {
    const blocks = await rpc<readonly { calls: readonly { status: string; logs: readonly Log[] }[] }[]>(
      chain,
      'eth_simulateV1',
      [{ blockStateCalls: [{ calls }], traceTransfers: true }, 'latest'],
    )
    const results = blocks[0]?.calls
    if (!results || results.some(({ status }) => status !== '0x1')) return undefined
    const sums = new Map<string, bigint>()
    for (const { address, topics, data } of results.flatMap(({ logs }) => logs)) {
      const [topic, source = '', target = '', id] = topics
      // With a fourth topic it is an item, not an amount.
      if (topic !== transferTopic || id !== undefined || !isHex(data) || data === '0x') continue
      const key = address.toLowerCase()
      const amount = hexToBigInt(data)
      const own = from.slice(2).toLowerCase()
      const sign = (target.toLowerCase().endsWith(own) ? 1n : 0n) - (source.toLowerCase().endsWith(own) ? 1n : 0n)
      if (sign !== 0n) sums.set(key, (sums.get(key) ?? 0n) + sign * amount)
    }
    return [...sums].map(([key, amount]) => ({ token: key === coin ? undefined : key, amount }))
  } catch {
    // A node that cannot simulate says nothing about the transaction.
    return undefined
  }
}

interface Log {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** What the tokens of these calls call themselves. */
export function tokensOf(
  rpc: Rpc,
  chain: ChainId,
  readings: readonly CallReading[],
): Promise<Readonly<Record<string, TokenFacts>>> {
  return tokenFacts(
    rpc,
    chain,
    readings.flatMap((reading) => ('token' in reading ? [reading.token] : [])),
  )
}
