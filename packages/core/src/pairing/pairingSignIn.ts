import type { Clock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { isLatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AuthenticateRequest, SignedCacao } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { State, Toast } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { AuthenticationAdapter } from '../signIn/signInTypes.ts'
import { answersRequest, sessionAuthenticateRequest, sessionOf } from './sessionAuthenticateRequest.ts'

/** The sign-in that a wallet performs while it pairs. */
export interface PairingSignIn {
  /** Resolves to the request for the next pairing, or to `undefined` if there is no EVM chain. */
  request(): Promise<AuthenticateRequest | undefined>
  /** Verifies and stores the signed messages. Rejects if a message is invalid, so that the account is not connected. */
  store(params: {
    readonly signed: readonly SignedCacao[]
    readonly request: AuthenticateRequest
    /** The text of the toast that is shown during verification. */
    readonly text: string
  }): Promise<void>
  /** Revokes the stored sign-in. Never rejects. */
  revoke(): Promise<void>
}

/** Creates the sign-in for pairing, using the host's authentication adapter. */
export function createPairingSignIn(dependencies: {
  readonly authentication: AuthenticationAdapter
  readonly state: ReadableStore<State>
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  track(event: AnalyticsEvent): void
  toast(kind: Toast['kind'], text: string): void
  hideToast(): void
}): PairingSignIn {
  const { authentication, track } = dependencies
  return {
    request: () =>
      sessionAuthenticateRequest(authentication, dependencies.state.get().networks, dependencies.clock.now()),
    async store({ signed, request, text }) {
      dependencies.toast('loading', text)
      try {
        if (!signed.every((cacao) => answersRequest(request, cacao))) throw failure('sign-in/invalid')
        await authentication.setSessions(signed.map(sessionOf))
        track({ event: 'SIWX_AUTH_SUCCESS' })
      } catch (error) {
        track({ event: 'SIWX_AUTH_ERROR', properties: { message: toLatchkeyError(error).message } })
        // A host's adapter can throw any error.
        throw isLatchkeyError(error) ? error : failure('sign-in/invalid', undefined, { cause: error })
      } finally {
        dependencies.hideToast()
      }
    },
    revoke: () =>
      authentication
        .setSessions([])
        .catch((error: unknown) => dependencies.log.warn('A sign-in session was not revoked', error)),
  }
}
