import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { connectNamespaces } from '../wallets/connectNamespaces.ts'
import type { LoginDependencies } from './loginContext.ts'

/**
 * Connects the account after a login. Connects the active namespace first and calls `connected`, then connects the other
 * namespaces.
 */
export async function connectEmbeddedAccount(
  dependencies: Pick<LoginDependencies, 'state' | 'log' | 'wallet' | 'connect' | 'namespaces'>,
  connected: () => void,
): Promise<void> {
  const { state, log } = dependencies
  const [first, ...others] = dependencies.namespaces()
  if (!first) throw new LatchkeyError('wallet/not-found', { connectorId: 'ID_AUTH' })
  await connectNamespaces({
    namespaces: [first, ...others],
    preferred: [state.get().networks.namespace],
    walletName: 'The embedded wallet',
    log,
    async connect(params) {
      await dependencies.connect(params)
      if (!params.secondary) connected()
    },
  })
  const { active: chain } = state.get().networks
  if (others.length > 0 && chain) {
    // A frame without Latchkey's extensions has only one current chain, so switch the frame back to the displayed chain.
    const wallet = await dependencies.wallet()
    wallet.notify('SWITCH_NETWORK', { chainId: chain })
  }
}
