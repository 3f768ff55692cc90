import type { AccountId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { signInRequestMs } from '@latchkey/protocol/constants'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { retryAfterOf } from '../lib/isServerAnswer.ts'
import type { Retries } from '../lib/retries.ts'
import type { AuthenticationAdapter, SignInSession } from './signInTypes.ts'

/** Timeout of a lookup, after which it counts as an outage. */
const lookUpMs = signInRequestMs + 5_000

/** Errors that mean this page cannot sign users in. Retrying does not help. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'app/no-project',
  'app/origin-not-allowed',
  'input/invalid',
  'sign-in/no-message-params',
  'sign-in/no-storage',
])

/** The longest delay that browser timers support. */
const longestWaitMs = 2 ** 31 - 1

/** Looks up the sign-in session of the active account, again when it expires or after an outage. */
export interface SessionLookup {
  /**
   * Looks up the session. With `prompts`, the user is prompted if there is none. A lookup that is refused counts as an outage for
   * a connection that was `restored`.
   */
  start(params: { readonly prompts: boolean; readonly restored?: boolean }): Promise<void>
  /** Schedules a lookup for the session's expiry. */
  expireAt(time: number): void
  /** Whether an outage prevented the last lookup. */
  hasFailed(): boolean
  /** Ignores the response of a pending lookup and cancels the next one. */
  cancel(): void
  /** Cancels, and starts counting outages again, because the account has changed. */
  reset(): void
  stop(): void
}

/** Creates the lookup. Each outcome is reported to one of the callbacks. */
export function createSessionLookup({
  authentication,
  account: activeAccount,
  prompts: promptsOnExpiry,
  clock,
  retries,
  checking,
  found,
  missing,
  refused,
  delayed,
}: {
  readonly authentication: Pick<AuthenticationAdapter, 'getSessions'>
  account(): AccountId | undefined
  /** Whether the user is prompted when a session has expired. */
  prompts(): boolean
  readonly clock: Clock
  readonly retries: Retries
  checking(): void
  found(session: SignInSession): void
  missing(prompts: boolean): void
  /** This page cannot sign users in. */
  refused(error: LatchkeyError, reason: LatchkeyError): Promise<void>
  /** An outage prevented the lookup, which is retried. */
  delayed(error: LatchkeyError, reason: LatchkeyError, failures: number): void
}): SessionLookup {
  /** Counts the lookups. Responses for an earlier account are ignored. */
  let latest = 0
  /** Consecutive failed lookups. */
  let failures = 0
  /** Cancels the next lookup, scheduled for the session's expiry or after an outage. */
  let cancelNext = (): void => {}
  let stopped = false

  const start: SessionLookup['start'] = async ({ prompts, restored = false }) => {
    const account = activeAccount()
    if (!account) return
    const own = ++latest
    cancelNext()
    // During retries, keep the error on display instead of showing `checking` again.
    if (failures === 0) checking()
    try {
      const [session] = await getSessions(account)
      if (own !== latest || stopped) return
      failures = 0
      if (session) found(session)
      else missing(prompts)
    } catch (cause) {
      if (own !== latest || stopped) return
      const error = failure('sign-in/not-initialised', undefined, { cause })
      const reason = toLatchkeyError(cause)
      if (!restored && refusals.has(reason.code)) return refused(error, reason)
      failures += 1
      cancelNext()
      cancelNext = retries.schedule({ failures, minMs: retryAfterOf(reason) }, () => void start({ prompts }))
      delayed(error, reason, failures)
    }
  }

  /** Resolves to the sessions of `account`. Times out if the authentication adapter does not respond, like any other outage. */
  const getSessions = (account: AccountId): Promise<readonly SignInSession[]> =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(lookUpMs, () =>
        reject(new LatchkeyError('request/timeout', { request: 'getSessions', afterMs: lookUpMs })),
      )
      authentication.getSessions(account).then(resolve, reject).finally(cancel)
    })

  const expireAt = (time: number): void => {
    cancelNext()
    const left = time - clock.now()
    // Past and invalid expiry dates are for the authentication adapter to reject.
    if (!(left > 0)) return
    const expired = (): void => void start({ prompts: promptsOnExpiry() })
    cancelNext = clock.after(Math.min(left, longestWaitMs), left > longestWaitMs ? () => expireAt(time) : expired)
  }

  const cancel = (): void => {
    latest += 1
    cancelNext()
  }

  return {
    start,
    expireAt,
    hasFailed: () => failures > 0,
    cancel,
    reset() {
      failures = 0
      cancel()
    },
    stop() {
      stopped = true
      cancelNext()
    },
  }
}
