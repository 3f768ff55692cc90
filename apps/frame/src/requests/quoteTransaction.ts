import type { ChainId } from '@latchkey/protocol/caip'
import { hexToBigInt, isHex, toHex } from 'viem'
import { type Contracts, readContracts } from '../decoders/contractFacts.ts'
import { type DecodedCall, decodeCall } from '../decoders/decodeCall.ts'
import type { Call } from '../decoders/requestedCall.ts'
import { emittersFor, readSimulation, type Simulation, simulate } from '../decoders/simulation.ts'
import type { NodeRpc } from '../nodeRpc.ts'
import { publicErrorMessage } from '../publicError.ts'

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

/** What calls do, as far as the network settles it. */
export interface Understanding {
  /** What each of them does, in their order. */
  readonly readings: readonly DecodedCall[]
  /** What comes and goes. */
  readonly simulation: Simulation
  /** Every event of the simulation was understood, and coin was told of: only what contracts do without a word is missing. */
  readonly tellsAll: boolean
  /** What stands at the addresses that these name. */
  readonly contracts: Contracts
}

/** What a person should know before a transaction. */
export interface Quote extends Understanding {
  /** The most that the network takes for it. */
  readonly fee: bigint
  readonly balance: bigint
  /** Why the network says that it would fail. */
  readonly willFail: string | undefined
  /** Absent: the account itself. */
  readonly payer?: Payer | undefined
  /** What the first use does: the contract comes to be, or the key gets its code. */
  readonly begins?: 'contract' | 'code' | undefined
}

/** Asks the network what `calls`, one after the other, would cost and change. */
export async function prepare(
  rpc: NodeRpc,
  { chain, from, calls }: { chain: ChainId; from: string; calls: readonly Call[] },
): Promise<Prepared> {
  const quantity = async (method: string, params: unknown): Promise<bigint> => {
    const response = await rpc<unknown>(chain, method, params)
    if (!isHex(response)) throw new Error(`${method}: no number`)
    return hexToBigInt(response)
  }
  const transactions = calls.map(({ to, value, data }) => ({ from, ...(to && { to }), value: toHex(value), data }))
  let willFail: string | undefined
  const estimate = (transaction: (typeof transactions)[number]): Promise<bigint> =>
    quantity('eth_estimateGas', [transaction]).then(
      // Ten in a hundred more: state moves on between the question and the block.
      (gas) => (gas === 21_000n ? gas : (gas * 110n) / 100n),
      (error: unknown) => {
        willFail ??= publicErrorMessage(error)
        return 500_000n
      },
    )
  const [nonce, balance, fees, gas, understanding] = await Promise.all([
    quantity('eth_getTransactionCount', [from, 'pending']),
    quantity('eth_getBalance', [from, 'latest']),
    feesNow(rpc, chain),
    // A later call may stand on an earlier one, so only a single call is judged by its estimate.
    Promise.all(transactions.map(estimate)),
    understandCalls(rpc, { chain, account: from, calls }),
  ])
  if (transactions.length > 1) willFail = undefined
  const fee = gas.reduce((sum, item) => sum + item, 0n) * fees.maxFeePerGas
  return { nonce: Number(nonce), gas, ...fees, fee, balance, willFail, ...understanding }
}

/** What the network wants to be paid for gas now. */
export async function feesNow(
  rpc: NodeRpc,
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

/** What `calls` of `account` do: decided by what the network says of the contracts that they name, and by its own simulation. */
export async function understandCalls(
  rpc: NodeRpc,
  { chain, account, calls }: { chain: ChainId; account: string; calls: readonly Call[] },
): Promise<Understanding> {
  const transactions = calls.map(({ to, value, data }) => ({
    from: account,
    ...(to && { to }),
    value: toHex(value),
    data,
  }))
  const [called, raw] = await Promise.all([
    readContracts(rpc, {
      chain,
      account,
      addresses: calls.flatMap(({ to, data }) => (to && data !== '0x' ? [to] : [])),
      numbersFor: (address) => calls.filter(({ to }) => to?.toLowerCase() === address).flatMap(numbersIn),
    }),
    simulate(rpc, { chain, calls: transactions }),
  ])
  const emitters = emittersFor(raw, { chain, account }).filter((address) => !Object.hasOwn(called, address))
  const contracts = { ...called, ...(await readContracts(rpc, { chain, account, addresses: emitters })) }
  const readings = calls.map((call, at) => {
    const isFirst = calls.slice(0, at).every(({ data }) => data === '0x')
    return decodeCall(call, { account, contracts, isFirst })
  })
  const simulation = readSimulation(raw, { chain, account, contracts })
  if (simulation.kind !== 'done') return { readings, simulation, tellsAll: false, contracts }
  // A contract that nobody knows may move things without a word: silence of its events is no proof.
  const isKnown = readings.every(({ kind }) => kind !== 'unknown')
  // Not every node that simulates tells of coin.
  const isTold = simulation.tellsCoin || calls.every(({ value }) => value === 0n)
  const tellsAll = simulation.isComplete && isTold
  return { readings, simulation: { ...simulation, isComplete: tellsAll && isKnown }, tellsAll, contracts }
}

/** What a token's call says that is an amount in one standard, and the number of an item in another. */
function numbersIn({ data }: Call): readonly bigint[] {
  // After who gets it; `transferFrom` names its holder first.
  const start = 10 + 64 * (data.toLowerCase().startsWith('0x23b872dd') ? 2 : 1)
  const number = `0x${data.slice(start, start + 64)}`
  return number.length === 66 && isHex(number) ? [hexToBigInt(number)] : []
}
