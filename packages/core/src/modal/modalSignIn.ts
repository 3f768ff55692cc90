import type { ConnectorContext } from '../adapter.ts'
import type { Latchkey } from '../latchkeyTypes.ts'
import { isSignInRequired } from '../signIn/isSignInRequired.ts'
import { createSignInController, type SignInDependencies } from '../signIn/signInController.ts'
import { createSignInOnLogin } from '../signIn/signInOnLogin.ts'
import type { SignIn } from '../signIn/signInTypes.ts'
import type { Modal } from './modal.ts'
import { createSignInNavigation } from './signInNavigation.ts'

/** Creates sign-in with navigation in the modal. This module is loaded only if the host uses sign-in. */
export function createModalSignIn(
  dependencies: Pick<
    SignInDependencies,
    'authentication' | 'before' | 'disconnecting' | 'own' | 'clock' | 'retries' | 'log' | 'events'
  > & {
    readonly latchkey: Pick<Latchkey, 'state' | 'account' | 'options' | 'supports'>
    readonly actions: Pick<Latchkey, 'session' | 'disconnect' | 'switchNetwork' | 'track' | 'toast'>
    readonly modal: Modal
    readonly accountType: ConnectorContext['accountType']
  },
): SignIn & { stop(): void; readonly onLogin: ConnectorContext['signInOnLogin'] } {
  const { authentication, latchkey, actions, modal } = dependencies
  const signIn = createSignInController({
    ...dependencies,
    state: latchkey.state,
    required: () => isSignInRequired(latchkey.options),
    account: latchkey.account,
    session: () => actions.session(),
    supports: latchkey.supports,
    isContract() {
      const { connector } = actions.session() ?? {}
      return connector?.type === 'AUTH' && dependencies.accountType(connector.namespace) === 'smartAccount'
    },
    disconnect() {
      const { namespace } = latchkey.state.get().networks
      return actions.disconnect(namespace ? { namespace } : {})
    },
    switchNetwork: actions.switchNetwork,
    navigate: createSignInNavigation({ latchkey, modal, view: authentication.view ?? 'SIWXSignMessage' }),
    track: actions.track,
    toast: actions.toast,
  })
  return { ...signIn, onLogin: createSignInOnLogin({ authentication }) }
}
