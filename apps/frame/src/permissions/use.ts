import type { ChainId } from '@latchkey/protocol/caip'
import type { House } from '../house.ts'
import type { Call } from '../readable/call.ts'
import { check, type Outside } from './check.ts'
import { contextIn } from './context.ts'
import { type Foretold, staysWithin } from './foretold.ts'
import { targetsStand } from './targets.ts'

/** What has to be known of calls before they may be made without asking. */
interface Foreseen extends Foretold {
  /** The most that the network takes for them. */
  readonly fee: bigint
  readonly willFail: string | undefined
  /** Somebody else pays the fee. */
  readonly payer?: string | undefined
  /** What they would do for the first time. */
  readonly begins?: 'contract' | 'code' | undefined
}

/** Calls that a page wants made, and how they would be made. */
export interface Wanted<Prepared extends Foreseen, Result> {
  readonly asked: { readonly origin: string; readonly chain: ChainId; readonly params: unknown }
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
export async function unlessGranted<Prepared extends Foreseen, Result>(
  house: House,
  { asked: { origin, chain, params }, userId, account, calls, prepare, perform }: Wanted<Prepared, Result>,
  ask: () => Promise<Result>,
): Promise<Result> {
  const context = contextIn(params)
  if (context === undefined || !(await house.config()).smartSessions) return ask()
  const [grants, me] = await Promise.all([house.grants(), house.session.me()])
  const covered = (fee: bigint, write: boolean): Promise<Outside | undefined> =>
    grants.change(context, (grant, now) => {
      if (!grant) return { result: 'other-owner' as const }
      const verdict = check(grant, { userId, signedInAt: me?.since, origin, chain, account, calls, fee, now })
      if ('outside' in verdict) return { result: verdict.outside }
      return { result: undefined, ...(write && { grant: { ...grant, spent: verdict.spent } }) }
    })
  const made = await grants.inTurn(`${chain}:${account}`, async () => {
    // What is outside anyway need not ask the network first.
    if (await covered(0n, false)) return undefined
    const grant = await grants.change(context, (found) => ({ result: found }))
    // Whoever cannot be asked has said nothing: then the visitor decides.
    if (!grant || !(await targetsStand(house.rpc, grant, calls).catch(() => false))) return undefined
    const prepared = await prepare().catch(() => undefined)
    // A call that would fail costs its fee all the same, and a key that gets its code has it for good: that is for a person to decide.
    if (!prepared || prepared.willFail !== undefined || prepared.begins === 'code') return undefined
    if (!staysWithin(prepared, calls)) return undefined
    if (await covered(prepared.payer === undefined ? prepared.fee : 0n, true)) return undefined
    return { result: await perform(prepared) }
  })
  return made ? made.result : ask()
}
