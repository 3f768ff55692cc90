import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { authNamespaces } from '@latchkey/protocol/specificationConstants'
import { type Route, route } from './views.ts'

/** Returns the view that opens when the user selects a network, or `undefined` if the network is already active. */
export function networkRoute(now: {
  active: ChainId | undefined
  target: ChainId
  connected(namespace: Namespace): boolean
  /** Whether the active namespace uses the embedded wallet, which can also switch to other chain families. */
  embeddedWallet: boolean
}): Route | undefined {
  if (now.active === now.target) return undefined
  const target = namespaceOf(now.target)
  const switches = route('SwitchNetwork', { network: now.target })
  if (now.embeddedWallet && authNamespaces.includes(target)) return switches
  const active = now.active && namespaceOf(now.active)
  if (active && active !== target && now.connected(active) && !now.connected(target)) {
    return route('SwitchActiveChain', { namespace: target, network: now.target })
  }
  return switches
}
