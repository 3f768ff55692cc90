import type { AccountId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { signInRequestMs } from '@latchkey/protocol/specificationConstants'
import type { Retries } from '../lib/retries.ts'
import { retryAfterOf } from '../lib/retryAfter.ts'
import type { AuthenticationAdapter, SignInSession } from './signInTypes.ts'

/** The timeout for a lookup. A lookup that takes longer is treated as an outage. */
const lookUpMs = signInRequestMs + 5_000

/** The errors that mean that this page cannot sign users in. Retrying does not help. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'app/no-project',
  'app/origin-not-allowed',
  'input/invalid',
  'sign-in/no-message-params',
  'sign-in/no-storage',
])

/** The longest delay that browser timers support. */
const longestWaitMs = 2 ** 31 - 1

/** The lookup of the active account's sign-in session, which is repeated when the session expires and after an outage. */
export interface SessionLookup {
  /**
   * Looks up the session. If `prompts` is set and there is no session, the user is prompted. If the connection was `restored`, a
   * refused lookup is treated as an outage.
   */
  start(params: { readonly prompts: boolean; readonly restored?: boolean }): Promise<void>
  /** Schedules a lookup for `time`, when the session expires. */
  expireAt(time: number): void
  /** Whether an outage prevented the last lookup. */
  hasFailed(): boolean
  /** Ignores the response to a pending lookup and cancels the next lookup. */
  cancel(): void
  /** Cancels the lookup and resets the number of failures, because the account has changed. */
  reset(): void
  stop(): void
}

/** Creates the session lookup, which reports each outcome to one of the callbacks. */
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
  /** Called if this page cannot sign users in. */
  refused(error: LatchkeyError, reason: LatchkeyError): Promise<void>
  /** Called if an outage prevented the lookup. The lookup is retried. */
  delayed(error: LatchkeyError, reason: LatchkeyError, failures: number): void
}): SessionLookup {
  /** The number of the latest lookup. Responses to earlier lookups are ignored. */
  let latest = 0
  /** The number of consecutive failed lookups. */
  let failures = 0
  /** Cancels the next lookup, which is scheduled for the session's expiry or after an outage. */
  let cancelNext = (): void => {}
  let stopped = false

  const start: SessionLookup['start'] = async ({ prompts, restored = false }) => {
    const account = activeAccount()
    if (!account) return
    const own = ++latest
    cancelNext()
    // Keep displaying the error during retries instead of showing `checking` again.
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

  /** Resolves to the sessions for `account`. Rejects after a timeout if the authentication adapter does not respond. */
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
    // The authentication adapter rejects past and invalid expiry dates.
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
