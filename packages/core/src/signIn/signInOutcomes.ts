import type { AccountId } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { HostEvents, Toast } from '../latchkeyTypes.ts'
import type { Events } from '../lib/createEvents.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../lib/store.ts'
import type { SignInSession, SignInState } from './signInTypes.ts'

/**
 * The outcome of a sign-in step, which determines the next view. `ask` prompts the user, and `failed` means that signing in failed.
 * `unready` means that this page cannot look up sessions, and `unknown` means that an outage prevents the lookup.
 */
export type SignInOutcome = 'ask' | 'signed' | 'failed' | 'cancelled' | 'unready' | 'unknown'

/** The parts of the instance that are notified of sign-in outcomes. */
export interface OutcomeDependencies {
  readonly own: Store<SignInState>
  readonly log: Pick<Log, 'error' | 'warn'>
  readonly events: Pick<Events<HostEvents>, 'emit'>
  disconnect(): Promise<void>
  navigate(outcome: SignInOutcome): void
  track(event: AnalyticsEvent): void
  toast(kind: Toast['kind'], text: string): void
}

/** The functions that publish the outcomes of sign-in steps to the state, the host, the log, the operator and the view. */
export interface SignInOutcomes {
  /** Sets the sign-in state of the active account. */
  set(next: Partial<SignInState> & Pick<SignInState, 'status'>): void
  /** Reports that the account has a session. */
  signedIn(session: SignInSession): void
  /** Reports that the lookup found no session. */
  missing(prompts: boolean): void
  /** Reports that this page cannot sign users in, because the lookup was refused for `reason`. */
  refused(error: LatchkeyError, reason: LatchkeyError): Promise<void>
  /** Reports that an outage prevented the lookup. The user stays connected but is not treated as signed in. */
  delayed(error: LatchkeyError, reason: LatchkeyError, failures: number): void
  /** Reports that signing in failed. A cancelled request is not a failure. */
  failed(error: LatchkeyError, cause: unknown): void
}

/** Creates the outcomes for the active account. */
export function createSignInOutcomes({
  own,
  account: activeAccount,
  log,
  events,
  disconnect,
  navigate,
  track,
  toast,
}: OutcomeDependencies & { account(): AccountId | undefined }): SignInOutcomes {
  const set: SignInOutcomes['set'] = (next) =>
    own.set({ account: activeAccount(), session: undefined, error: undefined, ...next })

  return {
    set,
    signedIn(session) {
      const account = activeAccount()
      const before = own.get()
      set({ status: 'signed-in', session })
      if (account && (before.status !== 'signed-in' || before.account !== account)) events.emit('signIn', { account })
    },
    missing(prompts) {
      set({ status: 'signed-out' })
      if (prompts) navigate('ask')
    },
    async refused(error, reason) {
      log.error(`${error.message}: ${withReason(reason)}`, error.cause)
      track({ event: 'SIWX_AUTH_ERROR', properties: { message: reason.message } })
      set({ status: 'cancelling' })
      await disconnect().catch((failed: unknown) => log.warn('Unable to disconnect', failed))
      set({ status: 'unknown', error })
      navigate('unready')
      toast('error', error.message)
    },
    delayed(error, reason, failures) {
      if (failures === 1) {
        log.warn(`${error.message}: ${withReason(reason)}. Retrying.`, reason)
        track({ event: 'SIWX_AUTH_ERROR', properties: { message: reason.message } })
      }
      set({ status: 'unknown', error })
      if (failures === 1) navigate('unknown')
    },
    failed(error, cause) {
      if (error.code === 'request/aborted') return
      // A rejected signature request is logged as a warning, and other failures as errors. The UI shows only the short message.
      const isRejection = error.code === 'sign-in/declined' || error.code === 'sign-in/no-smart-accounts'
      log[isRejection ? 'warn' : 'error'](`Sign-in failed: ${withReason(error)}`, cause)
      set({ status: activeAccount() ? 'signed-out' : 'unknown', error })
      track({ event: 'SIWX_AUTH_ERROR', properties: { message: error.message } })
      navigate('failed')
      toast('error', error.message)
    },
  }
}

/** Returns the error's message with the message of its cause. */
function withReason({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== message ? `${message} (${cause.message})` : message
}
