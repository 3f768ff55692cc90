import type { Latchkey } from '../latchkeyTypes.ts'
import type { SignInOutcome } from '../signIn/signInOutcomes.ts'
import { isConnecting } from './connectionNavigation.ts'
import type { Modal } from './modal.ts'
import { includes, top } from './routeStack.ts'
import { route } from './views.ts'

/** Returns a function that navigates after each sign-in outcome. `view` prompts the user to sign in. */
export function createSignInNavigation({
  latchkey,
  modal,
  view,
}: {
  readonly latchkey: Pick<Latchkey, 'state' | 'account' | 'options'>
  readonly modal: Modal
  readonly view: 'SIWXSignMessage' | 'ConnectingSiwe'
}): (turn: SignInOutcome) => void {
  const ask = (): void => {
    if (!latchkey.state.get().modal.open) modal.open({ view: route(view) })
    // With manual WalletConnect control, `open` ignores the requested view, so set the view again.
    modal.reset(view)
  }
  return (turn) => {
    const now = latchkey.state.get().modal
    const { view: shown } = top(now.stack)
    const waits = shown === view || shown === 'ApproveTransaction'
    if (turn === 'ask') ask()
    else if (turn === 'signed') {
      if (!now.open && !latchkey.options.embedded) return
      if (latchkey.options.multiWallet && includes(now.stack, 'ProfileWallets')) modal.reset('ProfileWallets')
      else if (waits || isConnecting(now)) modal.close({ force: true })
    } else if (turn === 'failed') {
      if (!now.open || shown === 'ApproveTransaction') ask()
    } else if (turn === 'unknown') {
      // Display the error if the user is connecting or signing in. Do not interrupt other views.
      if (now.open && (waits || isConnecting(now))) modal.reset(view)
    } else if (turn === 'cancelled' && latchkey.account().account) modal.close({ force: true })
    // Let the user start over.
    else if (now.open) modal.reset('Connect')
  }
}
