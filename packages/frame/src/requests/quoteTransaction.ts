import type { ChainId } from '@latchkey/protocol/caip'
import { hexToBigInt, isHex, toHex } from 'viem'
import type { ChainRpcClient } from '../chainRpcClient.ts'
import { type Contracts, readContracts } from '../decoders/contractFacts.ts'
import { type DecodedCall, decodeCall } from '../decoders/decodeCall.ts'
import type { Call } from '../decoders/requestedCall.ts'
import { emittersFor, readSimulation, type Simulation, simulate } from '../decoders/simulation.ts'
import { publicErrorMessage } from '../publicError.ts'

/** The values needed to sign a transaction, and the information that the user needs before approving it. */
export interface Prepared extends Quote {
  readonly nonce: number
  readonly gas: readonly bigint[]
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Whether the network has no EIP-1559 support and therefore uses a single gas price. */
  readonly legacy: boolean
}

/** Who pays the fee instead of the user: the page, through the paymaster that it specified, or the operator of this wallet. */
export type Payer = 'page' | 'operator'

/** The effects of calls, to the extent that the node can determine them. */
export interface Understanding {
  /** The decoded calls, in order. */
  readonly readings: readonly DecodedCall[]
  /** The simulated balance changes. */
  readonly simulation: Simulation
  /**
   * Whether all events in the simulation were decoded and native transfers are included. Only changes that emit no event can be
   * missing.
   */
  readonly tellsAll: boolean
  /** The contracts at the addresses used in these calls. */
  readonly contracts: Contracts
}

/** The information that the user needs before approving a transaction. */
export interface Quote extends Understanding {
  /** The maximum network fee. */
  readonly fee: bigint
  readonly balance: bigint
  /** The reason given by the node if the transaction would fail. */
  readonly willFail: string | undefined
  /** Who pays the fee. If absent, the account itself pays. */
  readonly payer?: Payer | undefined
  /** What the first user operation sets up: the smart account contract, or the EOA's delegation (EIP-7702). */
  readonly begins?: 'contract' | 'code' | undefined
}

/** Estimates the cost and simulates the effects of `calls`, which are executed in sequence. */
export async function prepare(
  rpc: ChainRpcClient,
  { chain, from, calls }: { chain: ChainId; from: string; calls: readonly Call[] },
): Promise<Prepared> {
  const quantity = async (method: string, params: unknown): Promise<bigint> => {
    const response = await rpc<unknown>(chain, method, params)
    if (!isHex(response)) throw new Error(`${method}: not a number`)
    return hexToBigInt(response)
  }
  const transactions = calls.map(({ to, value, data }) => ({ from, ...(to && { to }), value: toHex(value), data }))
  let willFail: string | undefined
  const estimate = (transaction: (typeof transactions)[number]): Promise<bigint> =>
    quantity('eth_estimateGas', [transaction]).then(
      // Adds a 10% margin, because the state can change before the transaction is included.
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
    // A later call can depend on an earlier one, so a failed estimate is only conclusive if there is a single call.
    Promise.all(transactions.map(estimate)),
    understandCalls(rpc, { chain, account: from, calls }),
  ])
  if (transactions.length > 1) willFail = undefined
  const fee = gas.reduce((sum, item) => sum + item, 0n) * fees.maxFeePerGas
  return { nonce: Number(nonce), gas, ...fees, fee, balance, willFail, ...understanding }
}

/** Returns the network's current gas fees. */
export async function feesNow(
  rpc: ChainRpcClient,
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
  // The maximum covers four increases in the base fee of one eighth each.
  return {
    maxFeePerGas: (hexToBigInt(base) * 16n) / 10n + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
    legacy: false,
  }
}

/** Returns the effects of `calls`, based on the node's data about the contracts and its simulation. */
export async function understandCalls(
  rpc: ChainRpcClient,
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
  // An unknown contract can transfer assets without emitting an event, so the absence of events proves nothing.
  const isKnown = readings.every(({ kind }) => kind !== 'unknown')
  // Some nodes do not include native transfers in a simulation.
  const isTold = simulation.tellsCoin || calls.every(({ value }) => value === 0n)
  const tellsAll = simulation.isComplete && isTold
  return { readings, simulation: { ...simulation, isComplete: tellsAll && isKnown }, tellsAll, contracts }
}

/** Returns the number in a token call that can be an amount or an item ID, depending on the token's standard. */
function numbersIn({ data }: Call): readonly bigint[] {
  // The number follows the recipient. In `transferFrom`, the recipient follows the holder.
  const start = 10 + 64 * (data.toLowerCase().startsWith('0x23b872dd') ? 2 : 1)
  const number = `0x${data.slice(start, start + 64)}`
  return number.length === 66 && isHex(number) ? [hexToBigInt(number)] : []
}
