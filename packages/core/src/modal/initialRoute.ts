import type { RouterContext } from './router.ts'
import { type Route, route } from './views.ts'

/**
 * Returns the route with which the modal opens: AllWallets or ConnectingWalletConnectBasic if the host has no adapters or controls
 * WalletConnect itself, and otherwise `requested`, Account or Connect.
 */
export function initialRoute(now: RouterContext, requested?: Route): Route {
  const unguided = now.manual || (now.adapters === 0 && !now.connected)
  if (unguided) return route(now.mobile ? 'AllWallets' : 'ConnectingWalletConnectBasic')
  return requested ?? defaultRoute(now)
}

/** Returns the default route, to which an embedded modal also returns when it closes. */
export function defaultRoute(now: Pick<RouterContext, 'connected'>): Route {
  return route(now.connected ? 'Account' : 'Connect')
}
