import type { ChainId } from '@latchkey/protocol/caip'
import type { Call } from '../decoders/requestedCall.ts'
import type { FrameContext } from '../frameContext.ts'
import { checkGrant, type DenialReason } from './checkGrant.ts'
import { areTargetsUnchanged } from './inspectTargets.ts'
import { readPermissionContext } from './permissionContext.ts'
import { type SimulatedEffects, simulationStaysWithin } from './simulationLimits.ts'

/** What has to be known of calls before they may be made without asking. */
interface PreparedCalls extends SimulatedEffects {
  /** The most that the network takes for them. */
  readonly fee: bigint
  readonly willFail: string | undefined
  /** Somebody else pays the fee. */
  readonly payer?: string | undefined
  /** What they would do for the first time. */
  readonly begins?: 'contract' | 'code' | undefined
}

/** Calls that a page wants made, and how they would be made. */
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
 * Makes the calls where the page names a permission that covers all of them; everything else goes to `ask`, in front of the visitor.
 * What they use up is written down before anything is signed, and stays used up whatever becomes of them.
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
    // What is outside anyway need not ask the network first.
    if (await checkCoverage(0n, false)) return undefined
    const grant = await grants.change(permissionContext, (found) => ({ result: found }))
    // Whoever cannot be asked has said nothing: then the visitor decides.
    if (!grant || !(await areTargetsUnchanged(context.rpc, grant, calls).catch(() => false))) return undefined
    const prepared = await prepare().catch(() => undefined)
    // A call that would fail costs its fee all the same, and a key that gets its code has it for good: that is for a person to decide.
    if (!prepared || prepared.willFail !== undefined || prepared.begins === 'code') return undefined
    if (!simulationStaysWithin(prepared, calls)) return undefined
    if (await checkCoverage(prepared.payer === undefined ? prepared.fee : 0n, true)) return undefined
    return { result: await perform(prepared) }
  })
  return permitted ? permitted.result : askOwner()
}
