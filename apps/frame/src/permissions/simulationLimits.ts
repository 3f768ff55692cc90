import type { Call } from '../decoders/requestedCall.ts'
import type { Simulation } from '../decoders/simulation.ts'
import { decodeTransfer } from './checkGrant.ts'

/** What the network says that calls would change. */
export interface SimulatedEffects {
  readonly simulation: Simulation
  /** Every event was understood, and coin was told of. */
  readonly tellsAll: boolean
}

/**
 * Whether calls that a grant covers move nothing of the account beyond what is counted of them, and give nobody a right. A contract may take
 * what its owner has allowed it long ago: a call of one is covered only where the network has told everything that it does. Coins and
 * transfers do what they say, so they need no simulation; but where there is one, it counts for them, too.
 */
export function simulationStaysWithin({ simulation, tellsAll }: SimulatedEffects, calls: readonly Call[]): boolean {
  const isPlain = calls.every(({ data }) => data === '0x' || decodeTransfer(data) !== undefined)
  if (simulation.kind === 'unavailable') return isPlain
  if (simulation.kind !== 'done' || simulation.rights.length > 0) return false
  if (simulation.mayLoseMore || !(isPlain || tellsAll)) return false
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
