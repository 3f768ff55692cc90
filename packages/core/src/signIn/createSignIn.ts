import { toUtf8 } from '@latchkey/protocol/bytes'
import {
  type AccountId,
  accountId,
  type ChainId,
  type Namespace,
  namespaceOf,
  namespaces,
} from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { signInRequestMs } from '@latchkey/protocol/constants'
import { type ErrorCode, isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { writeMessage } from '@latchkey/siwx/message'
import type { Session } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { AccountView, HostEvents, State, Toast } from '../latchkey.ts'
import { abortable } from '../lib/abort.ts'
import type { Events } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { retryAfterOf } from '../lib/outage.ts'
import type { Retries } from '../lib/retries.ts'
import type { ReadableStore, Store } from '../lib/store.ts'
import { signatureText } from './signatureText.ts'
import type { AuthenticationAdapter, SignIn, SignInFields, SignInSession, SignInState } from './signIn.ts'

/**
 * The outcome of a sign-in step, which determines the next view: `ask` to sign in, `signed` in, `failed` in the wallet, `cancelled`, `unready`
 * if the lookup is not possible on this page, `unknown` while an outage prevents it.
 */
export type SignInOutcome = 'ask' | 'signed' | 'failed' | 'cancelled' | 'unready' | 'unknown'

/** The dependencies of the sign-in controller. */
export interface SignInDependencies {
  readonly keeper: AuthenticationAdapter
  readonly required: () => boolean
  readonly state: ReadableStore<State>
  readonly own: Store<SignInState>
  readonly clock: Clock
  readonly retries: Retries
  readonly log: Log
  readonly events: Pick<Events<HostEvents>, 'emit'>
  account(namespace?: Namespace): AccountView
  /** The active account when loading started. An account that was being restored then can be connected by now. */
  readonly before: AccountSnapshot
  session(): Session | undefined
  /** Whether `chain` is one of the host's networks. */
  supports(chain: ChainId): boolean
  /** Whether the active account is a contract, as far as the page knows. */
  isContract(): boolean
  disconnect(): Promise<void>
  switchNetwork(chain: ChainId): Promise<void>
  lead(turn: SignInOutcome): void
  track(event: AnalyticsEvent): void
  toast(kind: Toast['kind'], text: string): void
}

/** The state of the active connection at one moment. */
export interface AccountSnapshot {
  readonly account: AccountId | undefined
  readonly status: AccountView['status']
}

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

/** Creates the sign-in controller. It follows the active account, looks up its session, prompts if there is none, and signs out accounts that disconnect. */
export function createSignIn(deps: SignInDependencies): SignIn & { stop(): void } {
  const { keeper, own, clock, log, state } = deps
  let last = deps.before
  /** Counts the lookups. Responses for an earlier account are ignored. */
  let turns = 0
  let signing: Promise<SignInSession> | undefined
  /** Aborts the pending request to the wallet. */
  let attempt = new AbortController()
  /** Cancels the next lookup, scheduled for the session's expiry or after an outage. */
  let cancelExpiry = (): void => {}
  /** Consecutive failed lookups. */
  let failures = 0
  /** The network of the user's last sign-in. */
  let lastSigned: ChainId | undefined
  /** The accounts that each family has used on this page, the current account last. Disconnecting signs out all of them. */
  const had = new Map<Namespace, Set<AccountId>>()
  if (last.account && last.status === 'connected') had.set(namespaceOf(last.account), new Set([last.account]))
  let stopped = false

  const say = (next: Partial<SignInState> & Pick<SignInState, 'status'>): void =>
    own.set({ account: last.account, session: undefined, error: undefined, ...next })

  const look = (): AccountSnapshot => {
    const { chain, address, status } = deps.account()
    const held = chain && address && (status === 'connected' || status === 'reconnecting')
    return { account: held && deps.supports(chain) ? accountId(chain, address) : undefined, status }
  }

  const signedIn = (session: SignInSession): void => {
    const { account } = last
    const is = own.get()
    say({ status: 'signed-in', session })
    if (account && (is.status !== 'signed-in' || is.account !== account)) deps.events.emit('signIn', { account })
    lastSigned = session.data.chainId
    const { expirationTime } = session.data
    if (expirationTime) wait(Date.parse(expirationTime))
  }

  /** Schedules a lookup for the session's expiry. */
  const wait = (until: number): void => {
    cancelExpiry()
    const left = until - clock.now()
    // Past and invalid expiry dates are for the authentication adapter to reject.
    if (!(left > 0)) return
    const expired = (): void => void check({ asks: deps.required() })
    cancelExpiry = clock.after(Math.min(left, longestWaitMs), left > longestWaitMs ? () => wait(until) : expired)
  }

  /** Looks up the account's session. With `asks`, prompts the user if there is none. */
  const check = async ({
    asks,
    restored = false,
  }: {
    readonly asks: boolean
    readonly restored?: boolean
  }): Promise<void> => {
    const { account } = last
    if (!account) return
    const turn = ++turns
    cancelExpiry()
    // During retries, keep the error on display instead of showing `checking` again.
    if (failures === 0) say({ status: 'checking' })
    try {
      const [session] = await found(account)
      if (turn !== turns || stopped) return
      failures = 0
      if (session) {
        signedIn(session)
        deps.lead('signed')
      } else {
        say({ status: 'signed-out' })
        if (asks) deps.lead('ask')
      }
    } catch (cause) {
      if (turn !== turns || stopped) return
      const error = failure('sign-in/not-initialised', undefined, { cause })
      const reason = toLatchkeyError(cause)
      if (restored || !refusals.has(reason.code)) return unknown({ asks, error, reason })
      log.error(`${error.message}: ${withReason(reason)}`, cause)
      deps.track({ event: 'SIWX_AUTH_ERROR', properties: { message: reason.message } })
      say({ status: 'cancelling' })
      await deps.disconnect().catch((failed: unknown) => log.warn('Unable to disconnect', failed))
      say({ status: 'unknown', error })
      deps.lead('unready')
      deps.toast('error', error.message)
    }
  }

  /** Returns the sessions of `account`. Times out if the authentication adapter does not respond, like any other outage. */
  const found = (account: AccountId): Promise<readonly SignInSession[]> =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(lookUpMs, () =>
        reject(new LatchkeyError('request/timeout', { request: 'getSessions', afterMs: lookUpMs })),
      )
      keeper.getSessions(account).then(resolve, reject).finally(cancel)
    })

  /** Handles an outage: the user stays connected, is not treated as signed in, and the lookup is retried. */
  const unknown = ({
    asks,
    error,
    reason,
  }: {
    readonly asks: boolean
    readonly error: LatchkeyError
    readonly reason: LatchkeyError
  }): void => {
    failures += 1
    if (failures === 1) {
      log.warn(`${error.message}: ${withReason(reason)}. Retrying.`, reason)
      deps.track({ event: 'SIWX_AUTH_ERROR', properties: { message: reason.message } })
    }
    say({ status: 'unknown', error })
    cancelExpiry()
    cancelExpiry = deps.retries.schedule({ failures, minMs: retryAfterOf(reason) }, () => void check({ asks }))
    if (failures === 1) deps.lead('unknown')
  }

  /** Signs out accounts that have disconnected: those of their family, or all of them if no account is connected, including those of earlier page loads. */
  const forgetGone = (): void => {
    const views = namespaces.map((namespace) => ({ namespace, ...deps.account(namespace) }))
    for (const { namespace, chain, address, status } of views) {
      if (status !== 'connected' || !chain || !address) continue
      const all = had.get(namespace) ?? new Set()
      const account = accountId(chain, address)
      all.delete(account)
      had.set(namespace, all.add(account))
    }
    const gone = views.flatMap(({ namespace, status }) => {
      const all = status === 'disconnected' ? had.get(namespace) : undefined
      return all && had.delete(namespace) ? [[...all]] : []
    })
    if (gone.length === 0 || keeper.signOutOnDisconnect === false) return
    const warn = (error: unknown): void => log.warn('A sign-in session was not revoked', error)
    const revoked = views.every(({ status }) => status === 'disconnected')
      ? [keeper.setSessions([])]
      : [...onEachNetwork(gone.flat())].map((account) => keeper.revokeSession(account))
    // Wait until the sessions are revoked, so that a listener that queries the server does not find the session that just ended.
    void Promise.all(revoked.map((params) => params.catch(warn))).then(() => {
      for (const account of gone.flatMap((all) => all.slice(-1))) deps.events.emit('signOut', { account })
    })
  }

  const onEachNetwork = (accounts: readonly AccountId[]): ReadonlySet<AccountId> => {
    const { known } = state.get().networks
    return new Set(
      accounts.flatMap((account) => {
        const chains = known.filter(({ chainNamespace }) => chainNamespace === namespaceOf(account))
        return [account, ...chains.map(({ caipNetworkId }) => accountId(caipNetworkId, addressIn(account)))]
      }),
    )
  }

  const follow = (): void => {
    forgetGone()
    const before = last
    const now = look()
    if (now.account === before.account && now.status === before.status) return
    last = now
    if (now.account !== before.account) {
      turns += 1
      failures = 0
      cancelExpiry()
      attempt.abort()
    }
    if (!now.account || now.status !== 'connected') {
      if (own.get().status !== 'unknown' && now.account !== before.account) say({ status: 'unknown' })
      return
    }
    if (now.account === before.account && before.status === 'connected') return
    // Do not prompt a returning user who left sign-in open, unless sign-in is required.
    const restored = before.status === 'reconnecting'
    const moved = before.status === 'connected'
    const wasSignedIn = own.get().session !== undefined
    const asks = deps.required() || (moved ? wasSignedIn || !isSameAddress(before, now) : !restored)
    void check({ asks, restored: restored || moved })
  }

  /** Requests a signature from the wallet and stores the session. */
  const ask = async (signal: AbortSignal): Promise<SignInSession> => {
    const { account } = last
    const session = deps.session()
    const { chain, health, connectorId = '' } = deps.account()
    if (!session && health === 'unknown') throw new LatchkeyError('wallet/unreachable', { connectorId })
    if (!account && !chain)
      throw failure('sign-in/no-address', undefined, { cause: new Error('No account is connected. Connect first.') })
    if (!account || !chain) throw failure('sign-in/no-network')
    if (!session?.can.signMessage) throw failure('sign-in/no-client')
    const words = await keeper.createMessage({ account, chain })
    const data: SignInFields = { ...words, chainId: chain, accountAddress: addressIn(account) }
    const message = await (keeper.writeMessage?.(data) ?? writeMessage(data))
    // The user may have disconnected or changed the account while the message was created.
    if (signal.aborted) throw new LatchkeyError('request/aborted')
    const signed = await session.can.signMessage({ account, message: toUtf8(message) }).catch((cause: unknown) => {
      throw failure(deps.isContract() ? 'sign-in/no-smart-accounts' : 'sign-in/declined', undefined, { cause })
    })
    // The request has been cancelled, so ignore the signature.
    if (signal.aborted) throw new LatchkeyError('request/aborted')
    const proof: SignInSession = { data, message, signature: signatureText(namespaceOf(account), signed) }
    await keeper.addSession(proof).catch((cause: unknown) => {
      // A host's adapter can throw any error.
      throw isLatchkeyError(cause) ? cause : failure('sign-in/invalid', undefined, { cause })
    })
    return proof
  }

  const withdraw = ({ data: { chainId, accountAddress } }: SignInSession): void => {
    keeper
      .revokeSession(accountId(chainId, accountAddress))
      .catch((error: unknown) => log.warn('A sign-in session was not revoked', error))
  }

  const sign = async (): Promise<SignInSession> => {
    if (failures > 0) {
      // If the session may exist already, look it up before requesting a signature.
      await check({ asks: false })
      const { session, error } = own.get()
      if (session) return session
      if (error) throw error
    }
    say({ status: 'signing' })
    attempt = new AbortController()
    const { signal } = attempt
    try {
      const asking = ask(signal)
      // Revoke a session that was stored after the user disconnected or cancelled.
      asking.then(
        (late) => signal.aborted && withdraw(late),
        () => {},
      )
      const proof = await abortable(asking, signal)
      if (signal.aborted) {
        withdraw(proof)
        throw new LatchkeyError('request/aborted')
      }
      signedIn(proof)
      deps.track({ event: 'SIWX_AUTH_SUCCESS' })
      deps.lead('signed')
      return proof
    } catch (cause) {
      const error = toLatchkeyError(cause)
      if (error.code !== 'request/aborted') {
        // A rejection by the user is not an error. For other errors the UI shows a short message and the log has the reason.
        const saidNo = error.code === 'sign-in/declined' || error.code === 'sign-in/no-smart-accounts'
        log[saidNo ? 'warn' : 'error'](`Sign-in failed: ${withReason(error)}`, cause)
        say({ status: last.account ? 'signed-out' : 'unknown', error })
        deps.track({ event: 'SIWX_AUTH_ERROR', properties: { message: error.message } })
        deps.lead('failed')
        deps.toast('error', error.message)
      }
      throw error
    }
  }

  const unfollow = state.subscribe(follow)
  follow()

  return {
    sign() {
      if (own.get().status === 'signed-in') {
        const { session } = own.get()
        if (session) return Promise.resolve(session)
      }
      signing ??= sign().finally(() => {
        signing = undefined
      })
      return signing
    },
    async cancel() {
      const { account } = last
      attempt.abort()
      say({ status: 'cancelling' })
      deps.track({ event: 'CLICK_CANCEL_SIWX' })
      // The lookup for that network continues from here.
      if (deps.required() && (await returned(account))) return
      try {
        if (deps.required()) await deps.disconnect()
      } finally {
        say({ status: last.account ? 'signed-out' : 'unknown' })
        deps.lead('cancelled')
      }
    },
    async signOut() {
      const { account } = last
      if (!account) return
      turns += 1
      cancelExpiry()
      attempt.abort()
      await keeper.revokeSession(account)
      lastSigned = undefined
      say({ status: 'signed-out' })
      deps.events.emit('signOut', { account })
      if (deps.required()) await deps.disconnect()
    },
    stop() {
      stopped = true
      unfollow()
      cancelExpiry()
      attempt.abort()
    },
  }

  /** Switches back to the network on which the user is still signed in. Resolves to whether there is one. */
  async function returned(account: AccountId | undefined): Promise<boolean> {
    if (!account || !lastSigned || account.startsWith(`${lastSigned}:`)) return false
    if (namespaceOf(account) !== namespaceOf(lastSigned)) return false
    try {
      const [session] = await keeper.getSessions(accountId(lastSigned, addressIn(account)))
      if (session) await deps.switchNetwork(lastSigned)
      return session !== undefined
    } catch (error) {
      log.warn('Unable to switch back to the last network with a sign-in session', error)
      return false
    }
  }
}

function addressIn(account: AccountId): string {
  return account.slice(account.lastIndexOf(':') + 1)
}

/** Returns the error's message and that of its cause. */
function withReason({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== message ? `${message} (${cause.message})` : message
}

function isSameAddress(one: AccountSnapshot, other: AccountSnapshot): boolean {
  return !!one.account && !!other.account && addressIn(one.account) === addressIn(other.account)
}
