import { type AccountId, accountId, addressOf, type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { OutcomeDependencies, SignInOutcomes } from './signInOutcomes.ts'
import type { AuthenticationAdapter } from './signInTypes.ts'

interface SwitchBackDependencies extends Pick<OutcomeDependencies, 'log'> {
  readonly authentication: AuthenticationAdapter
  switchNetwork(chain: ChainId): Promise<void>
}

/**
 * Cancels the sign-in of `account`. If sign-in is required, switches back to `lastSigned`, the network on which the user was last
 * signed in, or else disconnects the wallet. If sign-in is optional, the wallet stays connected. The prompt closes in both cases.
 * Rejects with `disconnect/failed` if the wallet cannot be disconnected.
 */
export async function cancelSignIn({
  account,
  lastSigned,
  hasAccount,
  abort,
  set,
  required,
  disconnect,
  navigate,
  track,
  ...dependencies
}: SwitchBackDependencies &
  Pick<OutcomeDependencies, 'disconnect' | 'navigate' | 'track'> & {
    /** Whether the user must sign in. */
    required(): boolean
    readonly account: AccountId | undefined
    readonly lastSigned: ChainId | undefined
    /** Whether an account is connected, now or after disconnecting. */
    hasAccount(): boolean
    /** Aborts the request to the wallet. */
    abort(): void
    readonly set: SignInOutcomes['set']
  }): Promise<void> {
  abort()
  set({ status: 'cancelling' })
  track({ event: 'CLICK_CANCEL_SIWX' })
  // Switching back starts a lookup on that network.
  if (required() && (await switchBack(dependencies, { account, chain: lastSigned }))) return
  try {
    if (required()) await disconnect()
  } finally {
    set({ status: hasAccount() ? 'signed-out' : 'unknown' })
    navigate('cancelled')
  }
}

/**
 * Switches back to `chain`, the network on which the user was last signed in, if the user is still signed in there. Resolves to
 * `false` if the user is no longer signed in there.
 */
async function switchBack(
  { authentication, switchNetwork, log }: SwitchBackDependencies,
  { account, chain }: { readonly account: AccountId | undefined; readonly chain: ChainId | undefined },
): Promise<boolean> {
  if (!account || !chain || account.startsWith(`${chain}:`) || namespaceOf(account) !== namespaceOf(chain)) return false
  try {
    const [session] = await authentication.getSessions(accountId(chain, addressOf(account)))
    if (session) await switchNetwork(chain)
    return session !== undefined
  } catch (error) {
    log.warn('Unable to switch back to the last network with a sign-in session', error)
    return false
  }
}
