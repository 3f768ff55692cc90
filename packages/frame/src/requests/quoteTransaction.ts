import type { ChainId } from '@latchkey/protocol/caip'
import { hexToBigInt, isHex, toHex } from 'viem'
import type { ChainRpcClient } from '../chainRpcClient.ts'
import { type Contracts, readContracts } from '../decoders/contractFacts.ts'
import { type DecodedCall, decodeCall } from '../decoders/decodeCall.ts'
import type { Call } from '../decoders/requestedCall.ts'
import { emittersFor, readSimulation, type Simulation, simulate } from '../decoders/simulation.ts'
import { publicErrorMessage } from '../publicError.ts'

/** Everything needed to sign a transaction, and everything the user should know beforehand. */
export interface Prepared extends Quote {
  readonly nonce: number
  readonly gas: readonly bigint[]
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Networks without EIP-1559 have a single gas price. */
  readonly legacy: boolean
}

/** Who pays the fee instead of the user: the page, with the paymaster it specified, or the operator of this wallet. */
export type Payer = 'page' | 'operator'

/** The effects of calls, as far as the network can determine them. */
export interface Understanding {
  /** The decoded calls, in order. */
  readonly readings: readonly DecodedCall[]
  /** The simulated balance changes. */
  readonly simulation: Simulation
  /** Whether all events of the simulation were decoded and native transfers are included. Only changes without an event can be missing. */
  readonly tellsAll: boolean
  /** The contracts at the addresses in these calls. */
  readonly contracts: Contracts
}

/** Everything the user should know before a transaction. */
export interface Quote extends Understanding {
  /** The maximum network fee. */
  readonly fee: bigint
  readonly balance: bigint
  /** The node's reason if the transaction would fail. */
  readonly willFail: string | undefined
  /** Defaults to the account itself. */
  readonly payer?: Payer | undefined
  /** What the first user operation sets up: the smart account contract, or the delegation of the EOA (EIP-7702). */
  readonly begins?: 'contract' | 'code' | undefined
}

/** Estimates the cost and simulates the effects of `calls`, executed one after another. */
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
      // A 10% margin, because the state can change before the transaction is included.
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
    // A later call can depend on an earlier one, so an estimate proves a failure only for a single call.
    Promise.all(transactions.map(estimate)),
    understandCalls(rpc, { chain, account: from, calls }),
  ])
  if (transactions.length > 1) willFail = undefined
  const fee = gas.reduce((sum, item) => sum + item, 0n) * fees.maxFeePerGas
  return { nonce: Number(nonce), gas, ...fees, fee, balance, willFail, ...understanding }
}

/** Returns the current gas fees of the network. */
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
  // Enough for four increases of the base fee by an eighth.
  return {
    maxFeePerGas: (hexToBigInt(base) * 16n) / 10n + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
    legacy: false,
  }
}

/** Returns the effects of `calls`, based on the node's data about their contracts and its simulation. */
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
  // An unknown contract can transfer assets without an event, so a lack of events proves nothing.
  const isKnown = readings.every(({ kind }) => kind !== 'unknown')
  // Not every node includes native transfers in its simulation.
  const isTold = simulation.tellsCoin || calls.every(({ value }) => value === 0n)
  const tellsAll = simulation.isComplete && isTold
  return { readings, simulation: { ...simulation, isComplete: tellsAll && isKnown }, tellsAll, contracts }
}

/** Returns the number in a token call that is an amount in one standard and an item ID in another. */
function numbersIn({ data }: Call): readonly bigint[] {
  // After the recipient. In `transferFrom`, the holder precedes the recipient.
  const start = 10 + 64 * (data.toLowerCase().startsWith('0x23b872dd') ? 2 : 1)
  const number = `0x${data.slice(start, start + 64)}`
  return number.length === 66 && isHex(number) ? [hexToBigInt(number)] : []
}
