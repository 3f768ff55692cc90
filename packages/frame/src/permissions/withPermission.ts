import type { ChainId } from '@latchkey/protocol/caip'
import type { Call } from '../decoders/decodeCall.ts'
import type { FrameContext } from '../frameContext.ts'
import { checkGrant, type DenialReason } from './checkGrant.ts'
import { checkSimulation, type SimulatedEffects } from './checkSimulation.ts'
import { areTargetsUnchanged } from './inspectTargets.ts'
import { readPermissionContext } from './permissionContext.ts'

/** Information that is required before calls can be made without approval. */
interface PreparedCalls extends SimulatedEffects {
  /** The maximum network fee, in wei. */
  readonly fee: bigint
  readonly willFail: string | undefined
  /** The payer of the fee, if it is sponsored. */
  readonly payer?: string | undefined
  /** What the calls set up when the account is used for the first time. */
  readonly begins?: 'contract' | 'code' | undefined
}

/** Calls requested by a page, and functions to prepare and make them. */
export interface PermittedCalls<Prepared extends PreparedCalls, Result> {
  readonly request: { readonly origin: string; readonly chain: ChainId; readonly params: unknown }
  readonly userId: string
  /** The account that makes the calls. */
  readonly account: string
  readonly calls: readonly Call[]
  readonly prepare: () => Promise<Prepared>
  readonly perform: (prepared: Prepared) => Promise<Result>
}

/**
 * Makes the calls if the request includes a permission that covers all of them. Otherwise, calls `askOwner` for approval. Usage
 * is stored before anything is signed, and still counts if the calls fail.
 */
export async function withPermission<Prepared extends PreparedCalls, Result>(
  context: FrameContext,
  { request: { origin, chain, params }, userId, account, calls, prepare, perform }: PermittedCalls<Prepared, Result>,
  askOwner: () => Promise<Result>,
): Promise<Result> {
  const permissionContext = readPermissionContext(params)
  if (permissionContext === undefined || !(await context.config()).smartSessions) return askOwner()
  const [grants, me] = await Promise.all([context.grants(), context.session.me()])
  const checkCoverage = (fee: bigint, write: boolean): Promise<DenialReason | undefined> =>
    grants.change(permissionContext, (grant, now) => {
      if (!grant) return { result: 'other-owner' as const }
      const verdict = checkGrant(grant, { userId, signedInAt: me?.since, origin, chain, account, calls, fee, now })
      if ('outside' in verdict) return { result: verdict.outside }
      return { result: undefined, ...(write && { grant: { ...grant, spent: verdict.spent } }) }
    })
  const permitted = await grants.inTurn(`${chain}:${account}`, async () => {
    // Avoids network requests for calls that are not covered anyway.
    if (await checkCoverage(0n, false)) return undefined
    const grant = await grants.change(permissionContext, (found) => ({ result: found }))
    // If this check fails, the user is asked for approval.
    if (!grant || !(await areTargetsUnchanged(context.rpc, grant, calls).catch(() => false))) return undefined
    const prepared = await prepare().catch(() => undefined)
    // A failing call still costs a fee, and an EIP-7702 delegation is permanent. Both require the user's approval.
    if (!prepared || prepared.willFail !== undefined || prepared.begins === 'code') return undefined
    if (!checkSimulation(prepared, calls)) return undefined
    if (await checkCoverage(prepared.payer === undefined ? prepared.fee : 0n, true)) return undefined
    return { result: await perform(prepared) }
  })
  return permitted ? permitted.result : askOwner()
}
