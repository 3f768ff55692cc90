import type { Call } from '../decoders/decodeCall.ts'
import type { Simulation } from '../decoders/simulateCalls.ts'
import { decodeTransfer } from './checkGrant.ts'

/** The simulated effects of calls. */
export interface SimulatedEffects {
  readonly simulation: Simulation
  /** Whether every event was decoded and the node reported native transfers. */
  readonly tellsAll: boolean
}

/**
 * Whether calls that are covered by a grant only move assets that are counted as usage, and grant no approvals. A contract can
 * spend what the user approved earlier, so contract calls are only covered if the node reports all effects. Native and token
 * transfers have known effects and do not require a simulation. If a simulation is available, these transfers are checked as
 * well.
 */
export function checkSimulation({ simulation, tellsAll }: SimulatedEffects, calls: readonly Call[]): boolean {
  const isPlain = calls.every(({ data }) => data === '0x' || decodeTransfer(data) !== undefined)
  if (simulation.kind === 'unavailable') return isPlain
  if (simulation.kind !== 'done' || simulation.rights.length > 0) return false
  if (simulation.canLoseMore || !(isPlain || tellsAll)) return false
  return simulation.changes.every((change) => {
    if (change.kind === 'item') return change.count >= 0n
    return -change.amount <= (change.kind === 'coin' ? totalCoinValue(calls) : totalTokenAmount(calls, change.token))
  })
}

function totalCoinValue(calls: readonly Call[]): bigint {
  return calls.reduce((sum, { value }) => sum + value, 0n)
}

function totalTokenAmount(calls: readonly Call[], token: string): bigint {
  return calls.reduce(
    (sum, { to, data }) =>
      sum + (to?.toLowerCase() === token.toLowerCase() ? (decodeTransfer(data)?.amount ?? 0n) : 0n),
    0n,
  )
}
