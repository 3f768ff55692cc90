import type { ChainId } from '@latchkey/protocol/caip'
import { hexToBigInt, isHex, toHex } from 'viem'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { type Contracts, readContracts } from './contractFacts.ts'
import { type Call, type DecodedCall, decodeCall } from './decodeCall.ts'
import { emittersFor, readSimulation, type Simulation, simulate } from './simulateCalls.ts'

/** The effects of calls, to the extent that the node can determine them. */
export interface CallAnalysis {
  /** The decoded calls, in order. */
  readonly readings: readonly DecodedCall[]
  /** The simulated balance changes. */
  readonly simulation: Simulation
  /**
   * Whether all events in the simulation were decoded and native transfers are included. Only changes that emit no event can be
   * missing.
   */
  readonly tellsAll: boolean
  /** The facts about the contracts that are called or that emit events in the simulation. */
  readonly contracts: Contracts
}

/** Returns the effects of `calls`, based on the node's data about the contracts and its simulation. */
export async function analyzeCalls(
  rpc: ChainRpcClient,
  { chain, account, calls }: { chain: ChainId; account: string; calls: readonly Call[] },
): Promise<CallAnalysis> {
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
