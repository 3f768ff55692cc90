import { type AccountId, accountId, addressOf, type Namespace, namespaceOf, namespaces } from '@latchkey/protocol/caip'
import type { Network } from '../adapter.ts'
import type { AccountView, HostEvents } from '../latchkeyTypes.ts'
import type { Events } from '../lib/createEvents.ts'
import type { Log } from '../lib/log.ts'
import type { AuthenticationAdapter } from './signInTypes.ts'

/**
 * Returns a function to call after every change. It signs out the accounts of a chain family that has disconnected, and emits
 * `signOut` for those that were signed in. If no account is connected, it signs out all accounts, including accounts from earlier
 * page loads.
 */
export function createSignOutOnDisconnect({
  authentication,
  connected,
  account: accountIn,
  signedIn,
  networks,
  events,
  log,
}: {
  readonly authentication: Pick<AuthenticationAdapter, 'revokeSession' | 'setSessions' | 'signOutOnDisconnect'>
  /** The account that is already connected. */
  readonly connected: AccountId | undefined
  account(namespace: Namespace): Pick<AccountView, 'address' | 'chain' | 'status'>
  /** The accounts that are or might be signed in. Accounts that are signed out are removed. */
  readonly signedIn: Set<AccountId>
  /** The networks on which an account can be signed in. */
  networks(): readonly Pick<Network, 'caipNetworkId' | 'chainNamespace'>[]
  readonly events: Pick<Events<HostEvents>, 'emit'>
  readonly log: Pick<Log, 'warn'>
}): () => void {
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

  return () => {
    const views = namespaces.map((namespace) => ({ namespace, ...accountIn(namespace) }))
    for (const { namespace, chain, address, status } of views) {
      if (status !== 'connected' || !chain || !address) continue
      const all = used.get(namespace) ?? new Set()
      used.set(namespace, all.add(accountId(chain, address)))
    }
    const gone = views.flatMap(({ namespace, status }) => {
      const all = status === 'disconnected' ? used.get(namespace) : undefined
      return all && used.delete(namespace) ? [...all] : []
    })
    if (gone.length === 0 || authentication.signOutOnDisconnect === false) return
    const ended = gone.filter((account) => signedIn.delete(account))
    const warn = (error: unknown): void => log.warn('A sign-in session was not revoked', error)
    const revoked = views.every(({ status }) => status === 'disconnected')
      ? [authentication.setSessions([])]
      : [...onEachNetwork(gone)].map((account) => authentication.revokeSession(account))
    // Wait until the sessions are revoked, so that a listener that queries the server does not find the session that just ended.
    void Promise.all(revoked.map((done) => done.catch(warn))).then(() => {
      for (const account of ended) events.emit('signOut', { account })
    })
  }
}
