import type { BridgeHost } from './adapter.ts'
import type { Latchkey } from './latchkey.ts'
import type { Modal } from './modal/modal.ts'
import { leadSignIn } from './modal/signInJourney.ts'
import { createSignIn, type SignInDeps } from './signIn/createSignIn.ts'
import { isSignInRequired } from './signIn/isSignInRequired.ts'
import { createLoginSignIn } from './signIn/loginSignIn.ts'
import type { SignIn } from './signIn/signIn.ts'

/** Signing in, with what the other parts of the instance give to it. Loaded where a host wants it. */
export function openSignIn(
  deps: Pick<SignInDeps, 'keeper' | 'before' | 'own' | 'clock' | 'retries' | 'log' | 'events'> & {
    readonly latchkey: Pick<Latchkey, 'state' | 'account' | 'options' | 'supports'>
    readonly engine: Pick<Latchkey, 'session' | 'disconnect' | 'switchNetwork' | 'track' | 'toast'>
    readonly modal: Modal
    readonly accountType: BridgeHost['accountType']
  },
): SignIn & { stop(): void; readonly onLogin: BridgeHost['signInOnLogin'] } {
  const { keeper, latchkey, engine, modal } = deps
  const signIn = createSignIn({
    ...deps,
    state: latchkey.state,
    required: () => isSignInRequired(latchkey.options),
    account: latchkey.account,
    session: () => engine.session(),
    supports: latchkey.supports,
    isContract() {
      const { connector } = engine.session() ?? {}
      return connector?.type === 'AUTH' && deps.accountType(connector.namespace) === 'smartAccount'
    },
    disconnect() {
      const { namespace } = latchkey.state.get().networks
      return engine.disconnect(namespace ? { namespace } : {})
    },
    switchNetwork: engine.switchNetwork,
    lead: leadSignIn({ latchkey, modal, view: keeper.view ?? 'SIWXSignMessage' }),
    track: engine.track,
    toast: engine.toast,
  })
  return { ...signIn, onLogin: createLoginSignIn({ keeper }) }
}
