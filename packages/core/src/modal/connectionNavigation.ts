import { type AccountId, type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { Latchkey, State } from '../latchkey.ts'
import type { Modal } from './modal.ts'
import { includes, top } from './router.ts'
import { route, type ViewName } from './views.ts'

interface AccountSnapshot {
  readonly account: AccountId | undefined
  readonly address: string | undefined
  readonly connectorId: string | undefined
  readonly status: string
  readonly network: ChainId | undefined
}

/**
 * What leads to what. Watches the truth and turns the modal's pages; no view decides where to go next.
 * Answers how to stop watching.
 */
export function followConnections(deps: {
  latchkey: Pick<Latchkey, 'state' | 'account' | 'supports' | 'options'>
  modal: Modal
  /** Whether signing in follows connecting: then `leadSignIn` goes on. */
  signsIn: boolean
  filter(namespace: ReturnType<typeof namespaceOf>): void
}): () => void {
  const { latchkey, modal } = deps
  const { options } = latchkey
  let last = look()

  function look(): AccountSnapshot {
    const { account, address, status, connectorId } = latchkey.account()
    return { account, address, status, connectorId, network: latchkey.state.get().networks.active }
  }

  const unsupported = (network: ChainId | undefined): boolean =>
    network !== undefined &&
    !latchkey.supports(network) &&
    options.networkSwitching !== false &&
    !options.allowUnsupportedNetwork

  return latchkey.state.subscribe(() => {
    const before = last
    last = look()
    const { network, status } = last
    const connected = status === 'connected'
    const restored = connected && before.status === 'reconnecting'
    const now = latchkey.state.get().modal
    const changed = network !== before.network
    const namespaceChanged =
      changed && network && before.network && namespaceOf(network) !== namespaceOf(before.network)

    // A wallet on a network that the host does not know: switch, or leave. A page that was merely reloaded stays quiet.
    if (connected && !restored && unsupported(network) && (changed || before.status !== 'connected')) {
      if (!now.open) modal.open({ view: route('UnsupportedChain') })
      else modal.reset('UnsupportedChain')
      return
    }
    if (!now.open && !options.embedded) return
    const { view } = top(now.stack)
    if (view === 'ApproveTransaction') {
      // Nobody is left to approve anything: that takes the question back.
      if (before.address && !last.address && !namespaceChanged) modal.close({ force: true })
      return
    }
    // A sign-in has ends of its own, but for an account that goes away by itself.
    const { status: signIn } = latchkey.state.get().signIn
    if (signIn === 'cancelling' || (isSignIn(view) && last.address)) return

    // Somebody arrived.
    const arrived = before.status !== 'connected' || before.connectorId !== last.connectorId
    if (connected && arrived && !restored && isConnecting(now)) {
      if (deps.signsIn) return
      if (options.multiWallet && includes(now.stack, 'ProfileWallets')) modal.reset('ProfileWallets')
      else modal.close()
      return
    }
    // Somebody left; or was not found again, while they had already opened the modal to see.
    if (before.address && !last.address && !namespaceChanged && view !== 'ProfileWallets') {
      if (options.embedded || before.status === 'reconnecting') modal.reset('Connect')
      else modal.close({ force: true })
      return
    }
    if (!changed || !network) return
    // A network was chosen.
    if (namespaceChanged && before.address && !last.address && view !== 'ProfileWallets') {
      // Nobody is connected over there: what can be connected is what to see.
      deps.filter(namespaceOf(network))
      modal.reset('Connect')
    } else if (view === 'SwitchActiveChain') {
      deps.filter(namespaceOf(network))
      if (connected) modal.close()
      else modal.reset('Connect')
    } else if (view === 'Networks' || view === 'SwitchNetwork' || view === 'UnsupportedChain') {
      if (view === 'UnsupportedChain' && !connected) modal.push('Connect')
      else modal.afterSwitch()
    }
  })
}

/** Whether the page on screen is one that a finished connection has no more use for. */
export function isConnecting({ stack }: State['modal']): boolean {
  const { view } = top(stack)
  return (
    (view.startsWith('Connect') && !isSignIn(view)) ||
    view.startsWith('EmailVerify') ||
    view === 'EmailLogin' ||
    view === 'AllWallets' ||
    view === 'Downloads' ||
    view === 'GetWallet'
  )
}

function isSignIn(view: ViewName): boolean {
  return view === 'SIWXSignMessage' || view === 'ConnectingSiwe'
}
