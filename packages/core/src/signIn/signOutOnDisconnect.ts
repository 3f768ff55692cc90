import { type AccountId, accountId, addressOf, type Namespace, namespaceOf, namespaces } from '@latchkey/protocol/caip'
import type { Network } from '../adapter.ts'
import type { AccountView, HostEvents } from '../latchkeyTypes.ts'
import type { Events } from '../lib/createEvents.ts'
import { isDefinitiveError } from '../lib/isDefinitiveError.ts'
import type { Log } from '../lib/log.ts'
import type { Retries } from '../lib/retries.ts'
import { retryAfterOf } from '../lib/retryAfter.ts'
import type { AuthenticationAdapter } from './signInTypes.ts'

/** The maximum number of attempts to end a session. The last one is made after about five minutes. */
const maxAttempts = 10

/** Signs out the accounts of wallets that disconnect. */
export interface SignOutOnDisconnect {
  /** Checks which wallets have disconnected. Call it after every change. */
  check(): void
  stop(): void
}

/**
 * Creates the functions that sign out the accounts of a chain family that has disconnected, and emit `signOut` for those that were
 * signed in. If no account is connected, all accounts are signed out, including accounts from earlier page loads. If a connection
 * ends before it is restored, its account is signed out only if the user ended the connection, and not if the wallet is missing.
 * After an outage, the request is repeated.
 */
export function createSignOutOnDisconnect({
  authentication,
  connected,
  disconnecting,
  account: accountIn,
  signedIn,
  networks,
  events,
  log,
  retries,
}: {
  readonly authentication: Pick<AuthenticationAdapter, 'revokeSession' | 'setSessions' | 'signOutOnDisconnect'>
  /** The account that is already connected. */
  readonly connected: AccountId | undefined
  /** The active accounts of the connections that the user is ending, restored or not. They are removed from this set. */
  readonly disconnecting: Set<AccountId>
  account(namespace: Namespace): Pick<AccountView, 'address' | 'chain' | 'status'>
  /** The accounts that are or might be signed in. Accounts that are signed out are removed. */
  readonly signedIn: Set<AccountId>
  /** The networks on which an account can be signed in. */
  networks(): readonly Pick<Network, 'caipNetworkId' | 'chainNamespace'>[]
  readonly events: Pick<Events<HostEvents>, 'emit'>
  readonly log: Pick<Log, 'warn'>
  readonly retries: Pick<Retries, 'schedule'>
}): SignOutOnDisconnect {
  /** The accounts that each family has used on this page. Disconnecting signs out all of them. */
  const used = new Map<Namespace, Set<AccountId>>()
  if (connected) used.set(namespaceOf(connected), new Set([connected]))

  const onEachNetwork = (accounts: readonly AccountId[]): ReadonlySet<AccountId> =>
    new Set(
      accounts.flatMap((account) => {
        const ofFamily = networks().filter(({ chainNamespace }) => chainNamespace === namespaceOf(account))
        return [account, ...ofFamily.map(({ caipNetworkId }) => accountId(caipNetworkId, addressOf(account)))]
      }),
    )

  const use = (account: AccountId): ReadonlySet<AccountId> => {
    const namespace = namespaceOf(account)
    const before = used.get(namespace)
    used.set(namespace, new Set(before).add(account))
    return before ?? new Set()
  }

  const revoke = async (accounts: ReadonlySet<AccountId>): Promise<void> => {
    const results = await Promise.allSettled([...accounts].map((account) => authentication.revokeSession(account)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  let scheduled: (() => void)[] = []
  /** Increases when a wallet connects, because the user might sign in again, which a repeated request would undo. */
  let generation = 0
  const cancelRetries = (): void => {
    generation += 1
    for (const cancel of scheduled) cancel()
    scheduled = []
  }
  const attempt = async (request: () => Promise<void>, failures = 0): Promise<void> => {
    const own = generation
    try {
      await request()
    } catch (error) {
      log.warn('A sign-in session was not revoked', error)
      if (own !== generation || failures + 1 >= maxAttempts || isDefinitiveError(error)) return
      const retry = { failures: failures + 1, minMs: retryAfterOf(error) }
      scheduled.push(retries.schedule(retry, () => void attempt(request, failures + 1)))
    }
  }

  const check = (): void => {
    for (const account of disconnecting) {
      // The session of an account that was not connected has not been looked up, so the account might be signed in.
      if (!use(account).has(account)) signedIn.add(account)
    }
    disconnecting.clear()
    const views = namespaces.map((namespace) => ({ namespace, ...accountIn(namespace) }))
    if (views.some(({ status }) => status === 'connecting')) cancelRetries()
    for (const { chain, address, status } of views)
      if (status === 'connected' && chain && address) use(accountId(chain, address))
    const gone = views.flatMap(({ namespace, status }) => {
      const all = status === 'disconnected' ? used.get(namespace) : undefined
      return all && used.delete(namespace) ? [...all] : []
    })
    if (gone.length === 0 || authentication.signOutOnDisconnect === false) return
    const ended = gone.filter((account) => signedIn.delete(account))
    const request = views.every(({ status }) => status === 'disconnected')
      ? () => authentication.setSessions([])
      : () => revoke(onEachNetwork(gone))
    // Wait until the sessions are revoked, so that a listener that queries the server does not find the session that just ended.
    void attempt(request).then(() => {
      for (const account of ended) events.emit('signOut', { account })
    })
  }

  return { check, stop: cancelRetries }
}
