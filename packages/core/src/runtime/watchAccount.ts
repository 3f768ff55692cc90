import { addressOf, namespaceOf } from '@latchkey/protocol/caip'
import type { BalanceAndIdentity } from '../account/balanceAndIdentity.ts'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { LazyValue } from '../lib/lazyValue.ts'
import type { Log } from '../lib/log.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import { type Store, slice } from '../lib/store.ts'
import type { InitialState, LatchkeyOptions } from '../options.ts'
import { stateCookie } from '../stateCookie.ts'

/** Updates the account data and the state cookie when the active account changes. Returns a function that stops the updates. */
export function watchAccount(dependencies: {
  readonly state: Store<State> & { readonly initial: State }
  readonly account: Latchkey['account']
  readonly options: Pick<LatchkeyOptions, 'cookie' | 'id'>
  readonly queries: Pick<LazyValue<BalanceAndIdentity>, 'get'>
  readonly log: Pick<Log, 'error'>
}): () => void {
  const { state, options, queries, log } = dependencies
  let last = ''
  const update = (): void => {
    const { account, chain, status } = dependencies.account()
    const now = `${status}|${account}|${chain}`
    if (now === last) return
    last = now
    // Do not fetch or clear account data while a stored account is being restored.
    if (status === 'reconnecting' || status === 'connecting') return
    if (options.cookie && typeof document !== 'undefined') {
      const stored: InitialState | undefined = account &&
        chain && { namespace: namespaceOf(chain), address: addressOf(account), chain }
      // biome-ignore lint/suspicious/noDocumentCookie: not all browsers support the Cookie Store API.
      document.cookie = stateCookie(stored, { id: options.id, secure: location.protocol === 'https:' })
    }
    if (account) queries.get().then((loaded) => loaded.refresh(), logLoadFailure(log, 'account'))
    else slice(state, 'account').set(state.initial.account)
  }
  update()
  return state.subscribe(update)
}
