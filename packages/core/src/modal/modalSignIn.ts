import type { ConnectorContext } from '../adapter.ts'
import type { Latchkey } from '../latchkey.ts'
import { createSignIn, type SignInDependencies } from '../signIn/createSignIn.ts'
import { isSignInRequired } from '../signIn/isSignInRequired.ts'
import type { SignIn } from '../signIn/signIn.ts'
import { createSignInOnLogin } from '../signIn/signInOnLogin.ts'
import type { Modal } from './modal.ts'
import { createSignInNavigation } from './signInNavigation.ts'

/** Creates sign-in from the other parts of the instance. Loaded only if the host uses sign-in. */
export function createModalSignIn(
  deps: Pick<SignInDependencies, 'keeper' | 'before' | 'own' | 'clock' | 'retries' | 'log' | 'events'> & {
    readonly latchkey: Pick<Latchkey, 'state' | 'account' | 'options' | 'supports'>
    readonly engine: Pick<Latchkey, 'session' | 'disconnect' | 'switchNetwork' | 'track' | 'toast'>
    readonly modal: Modal
    readonly accountType: ConnectorContext['accountType']
  },
): SignIn & { stop(): void; readonly onLogin: ConnectorContext['signInOnLogin'] } {
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
    lead: createSignInNavigation({ latchkey, modal, view: keeper.view ?? 'SIWXSignMessage' }),
    track: engine.track,
    toast: engine.toast,
  })
  return { ...signIn, onLogin: createSignInOnLogin({ keeper }) }
}
