import type { Latchkey } from '../latchkey.ts'
import type { SignInOutcome } from '../signIn/createSignIn.ts'
import { isConnecting } from './connectionNavigation.ts'
import type { Modal } from './modal.ts'
import { includes, top } from './router.ts'
import { route } from './views.ts'

/** What signing in leads to; `view` is the one that asks. */
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
    // Also where a host guides its visitors itself, and the modal would begin elsewhere (R2.3).
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
      // Who is on their way in reads there why it does not go on; nobody else is interrupted.
      if (now.open && (waits || isConnecting(now))) modal.reset(view)
    } else if (turn === 'cancelled' && latchkey.account().account) modal.close({ force: true })
    // Whoever cannot go on may begin anew (R4.10, R4.11).
    else if (now.open) modal.reset('Connect')
  }
}
