import { type AccountId, type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { Modal } from './modal.ts'
import { includes, top } from './routeStack.ts'
import { route, type ViewName } from './views.ts'

interface AccountSnapshot {
  readonly account: AccountId | undefined
  readonly address: string | undefined
  readonly connectorId: string | undefined
  readonly status: string
  readonly network: ChainId | undefined
}

/**
 * Navigates the modal when the connection state changes, so that views do not have to. Returns a function that stops following
 * the changes.
 */
export function followConnections(dependencies: {
  latchkey: Pick<Latchkey, 'state' | 'account' | 'supports' | 'options'>
  modal: Modal
  /** Whether users sign in after connecting. If so, `createSignInNavigation` handles the navigation after a connection. */
  signsIn: boolean
  filter(namespace: ReturnType<typeof namespaceOf>): void
}): () => void {
  const { latchkey, modal } = dependencies
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

    // If the wallet is on an unsupported network, the user must switch or disconnect. Do not prompt the user after a reload.
    if (connected && !restored && unsupported(network) && (changed || before.status !== 'connected')) {
      if (!now.open) modal.open({ view: route('UnsupportedChain') })
      else modal.reset('UnsupportedChain')
      return
    }
    if (!now.open && !options.embedded) return
    const { view } = top(now.stack)
    if (view === 'ApproveTransaction') {
      // Cancel the request, because the account that should approve it was disconnected.
      if (before.address && !last.address && !namespaceChanged) modal.close({ force: true })
      return
    }
    // Sign-in closes its own views, unless the wallet disconnects.
    const { status: signIn } = latchkey.state.get().signIn
    if (signIn === 'cancelling' || (isSignIn(view) && last.address)) return

    // A wallet connected.
    const arrived = before.status !== 'connected' || before.connectorId !== last.connectorId
    if (connected && arrived && !restored && isConnecting(now)) {
      if (dependencies.signsIn) return
      if (options.multiWallet && includes(now.stack, 'ProfileWallets')) modal.reset('ProfileWallets')
      else modal.close()
      return
    }
    // The wallet disconnected, or its connection could not be restored.
    if (before.address && !last.address && !namespaceChanged && view !== 'ProfileWallets') {
      if (options.embedded || before.status === 'reconnecting') modal.reset('Connect')
      else modal.close({ force: true })
      return
    }
    if (!changed || !network) return
    // The active network changed.
    if (namespaceChanged && before.address && !last.address && view !== 'ProfileWallets') {
      // No wallet is connected in that namespace, so list the wallets that support it.
      dependencies.filter(namespaceOf(network))
      modal.reset('Connect')
    } else if (view === 'SwitchActiveChain') {
      dependencies.filter(namespaceOf(network))
      if (connected) modal.close()
      else modal.reset('Connect')
    } else if (view === 'Networks' || view === 'SwitchNetwork' || view === 'UnsupportedChain') {
      if (view === 'UnsupportedChain' && !connected) modal.push('Connect')
      else modal.afterSwitch()
    }
  })
}

/** Whether the current view should close once a wallet is connected. */
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
