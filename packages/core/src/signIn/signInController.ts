import { type AccountId, accountId, addressOf, type ChainId, type Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Session } from '../adapter.ts'
import type { AccountView, State } from '../latchkeyTypes.ts'
import type { Retries } from '../lib/retries.ts'
import type { ReadableStore } from '../lib/store.ts'
import { cancelSignIn } from './cancelSignIn.ts'
import { createSessionLookup } from './sessionLookup.ts'
import { createSignInAttempt } from './signInAttempt.ts'
import { createSignInOutcomes, type OutcomeDependencies } from './signInOutcomes.ts'
import type { AuthenticationAdapter, SignIn, SignInSession } from './signInTypes.ts'
import { signInWithWallet } from './signInWithWallet.ts'
import { createSignOutOnDisconnect } from './signOutOnDisconnect.ts'

/** The dependencies of the sign-in controller. */
export interface SignInDependencies extends OutcomeDependencies {
  readonly authentication: AuthenticationAdapter
  readonly required: () => boolean
  readonly state: ReadableStore<State>
  readonly clock: Clock
  readonly retries: Retries
  account(namespace?: Namespace): AccountView
  /** The active account when loading started. It might have been restored and connected since then. */
  readonly before: AccountSnapshot
  /** See `createSignOutOnDisconnect`. */
  readonly disconnecting: Set<AccountId>
  session(): Session | undefined
  /** Whether `chain` is one of the host's networks. */
  supports(chain: ChainId): boolean
  /** Whether the active account is known to be a contract. */
  isContract(): boolean
  switchNetwork(chain: ChainId): Promise<void>
}

/** The account and status of the active connection at a given time. */
export interface AccountSnapshot {
  readonly account: AccountId | undefined
  readonly status: AccountView['status']
}

/**
 * Creates the sign-in controller. It follows the active account, looks up its session, prompts the user if there is no session,
 * and signs out accounts that disconnect.
 */
export function createSignInController(dependencies: SignInDependencies): SignIn & { stop(): void } {
  const { authentication, own, state, required, events } = dependencies
  let last = dependencies.before
  let signing: Promise<SignInSession> | undefined
  /** The network on which the user was last signed in. */
  let lastSigned: ChainId | undefined
  /**
   * The accounts that are signed in, or whose session lookup has not received a response. When one of them is signed out,
   * `signOut` is emitted. This includes a session from an earlier page load that ends before the lookup has found it.
   */
  const signedInAccounts = new Set<AccountId>()

  const outcomes = createSignInOutcomes({ ...dependencies, account: () => last.account })
  const signedIn = (session: SignInSession): void => {
    outcomes.signedIn(session)
    const { chainId, expirationTime } = session.data
    lastSigned = chainId
    if (expirationTime) lookup.expireAt(Date.parse(expirationTime))
  }
  const lookup = createSessionLookup({
    ...dependencies,
    ...outcomes,
    authentication,
    account: () => last.account,
    prompts: required,
    checking: () => outcomes.set({ status: 'checking' }),
    found(session) {
      signedIn(session)
      dependencies.navigate('signed')
    },
    missing(prompts) {
      if (last.account) signedInAccounts.delete(last.account)
      outcomes.missing(prompts)
    },
  })
  const attempt = createSignInAttempt({
    ...dependencies,
    authentication,
    request: (signal) =>
      signInWithWallet({
        authentication,
        account: last.account,
        session: dependencies.session(),
        connection: dependencies.account(),
        isContract: dependencies.isContract,
        signal,
      }),
    signedIn(session) {
      if (last.account) signedInAccounts.add(last.account)
      signedIn(session)
      dependencies.track({ event: 'SIWX_AUTH_SUCCESS' })
      dependencies.navigate('signed')
    },
  })
  const signOutOnDisconnect = createSignOutOnDisconnect({
    ...dependencies,
    authentication,
    connected: last.status === 'connected' ? last.account : undefined,
    signedIn: signedInAccounts,
    networks: () => state.get().networks.known,
  })

  const follow = (): void => {
    signOutOnDisconnect.check()
    const before = last
    const now = snapshot(dependencies)
    const isOther = now.account !== before.account
    if (!isOther && now.status === before.status) return
    last = now
    if (isOther) {
      lookup.reset()
      attempt.cancel()
    }
    if (!now.account || now.status !== 'connected') {
      if (own.get().status !== 'unknown' && isOther) outcomes.set({ status: 'unknown' })
      return
    }
    if (!isOther && before.status === 'connected') return
    // A returning user has already seen the prompt, so do not prompt again unless sign-in is required.
    const restored = before.status === 'reconnecting'
    const moved = before.status === 'connected'
    const wasSignedIn = own.get().session !== undefined
    const prompts = required() || (moved ? wasSignedIn || !isSameAddress(before, now) : !restored)
    signedInAccounts.add(now.account)
    void lookup.start({ prompts, restored: restored || moved })
  }

  const sign = async (): Promise<SignInSession> => {
    if (lookup.hasFailed()) {
      // The session might already exist, so look it up before requesting a signature.
      await lookup.start({ prompts: false })
      const { session, error } = own.get()
      if (session) return session
      if (error) throw error
    }
    outcomes.set({ status: 'signing' })
    try {
      return await attempt.start()
    } catch (cause) {
      const error = toLatchkeyError(cause)
      outcomes.failed(error, cause)
      throw error
    }
  }

  const unfollow = state.subscribe(follow)
  follow()

  return {
    sign() {
      const { status, session } = own.get()
      if (status === 'signed-in' && session) return Promise.resolve(session)
      signing ??= sign().finally(() => {
        signing = undefined
      })
      return signing
    },
    cancel: () =>
      cancelSignIn({
        ...dependencies,
        account: last.account,
        lastSigned,
        hasAccount: () => last.account !== undefined,
        abort: attempt.cancel,
        set: outcomes.set,
      }),
    async signOut() {
      const { account } = last
      if (!account) return
      lookup.cancel()
      attempt.cancel()
      await authentication.revokeSession(account)
      lastSigned = undefined
      outcomes.set({ status: 'signed-out' })
      if (signedInAccounts.delete(account)) events.emit('signOut', { account })
      if (required()) await dependencies.disconnect()
    },
    stop() {
      lookup.stop()
      signOutOnDisconnect.stop()
      unfollow()
      attempt.cancel()
    },
  }
}

/** Returns the status of the active connection, and its account if the host supports the network. */
function snapshot({ account, supports }: Pick<SignInDependencies, 'account' | 'supports'>): AccountSnapshot {
  const { chain, address, status } = account()
  const held = chain && address && (status === 'connected' || status === 'reconnecting')
  return { account: held && supports(chain) ? accountId(chain, address) : undefined, status }
}

function isSameAddress(account: AccountSnapshot, other: AccountSnapshot): boolean {
  return !!account.account && !!other.account && addressOf(account.account) === addressOf(other.account)
}
