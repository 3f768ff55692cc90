import { accountId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { abortable } from '../lib/abortable.ts'
import type { Log } from '../lib/log.ts'
import type { AuthenticationAdapter, SignInSession } from './signInTypes.ts'

/** A sign-in request to the wallet that can be cancelled. */
export interface SignInAttempt {
  /** Sends the request. Rejects with `request/aborted` when the request is cancelled, even if the wallet responds later. */
  start(): Promise<SignInSession>
  cancel(): void
}

/** Creates the attempt. If the request succeeds after it was cancelled, its session is revoked. */
export function createSignInAttempt({
  authentication,
  log,
  request,
  signedIn,
}: {
  readonly authentication: Pick<AuthenticationAdapter, 'revokeSession'>
  readonly log: Pick<Log, 'warn'>
  request(signal: AbortSignal): Promise<SignInSession>
  signedIn(session: SignInSession): void
}): SignInAttempt {
  let controller = new AbortController()

  const revoke = ({ data: { chainId, accountAddress } }: SignInSession): void => {
    authentication
      .revokeSession(accountId(chainId, accountAddress))
      .catch((error: unknown) => log.warn('A sign-in session was not revoked', error))
  }

  return {
    async start() {
      controller = new AbortController()
      const { signal } = controller
      const requested = request(signal)
      requested.then(
        (late) => signal.aborted && revoke(late),
        () => {},
      )
      const session = await abortable(requested, signal)
      if (signal.aborted) {
        revoke(session)
        throw new LatchkeyError('request/aborted')
      }
      signedIn(session)
      return session
    },
    cancel: () => controller.abort(),
  }
}
