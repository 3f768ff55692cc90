import type { Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { AnalyticsEvents } from '../analytics/analyticsEvents.ts'
import type { ConnectorGroup } from '../latchkeyTypes.ts'
import { canBePaired } from '../wallets/canBePaired.ts'
import { inAppBrowserLink } from '../wallets/inAppBrowserLink.ts'
import { discoveredWallets } from '../wallets/matchDiscoveredWallets.ts'
import { type Route, route } from './views.ts'

/** The next step after the user selects a wallet: a view, or a link that opens the page in the wallet's in-app browser. */
export type StepAfterWalletChoice =
  | { readonly view: Route; readonly platform?: AnalyticsEvents['SELECT_WALLET']['platform'] }
  | { readonly away: string }

/** Returns the next step after the user selects a wallet. */
export function stepAfterWalletChoice(
  picked: ConnectorGroup | Wallet,
  now: {
    readonly shown: readonly ConnectorGroup[]
    /** Whether pairing with remote wallets is available. */
    readonly pairs: boolean
    readonly directory: boolean
    readonly mobile: boolean
    readonly namespace: Namespace | undefined
    readonly page: Window | undefined
  },
): StepAfterWalletChoice {
  if (!isConnector(picked)) {
    const here = discoveredWallets(now.shown.filter(({ type }) => type !== 'WALLET_CONNECT')).of(picked)
    if (here) return stepAfterWalletChoice(here, now)
    const away = now.mobile && now.page && inAppBrowserLink(picked, { namespace: now.namespace, page: now.page })
    if (away) return { away }
    if (now.pairs && canBePaired(picked))
      return {
        view: route('ConnectingWalletConnect', { wallet: picked }),
        platform: now.mobile ? 'mobile' : 'qrcode',
      }
    return { view: route('Downloads', { wallet: picked }) }
  }
  if (picked.members.every(({ type }) => type === 'WALLET_CONNECT'))
    // A phone cannot scan its own screen, so the user selects a wallet app instead.
    return now.mobile && now.directory
      ? { view: route('AllWallets') }
      : { view: route('ConnectingWalletConnect', {}), platform: now.mobile ? 'mobile' : 'qrcode' }
  if (picked.members.length > 1)
    return { view: route('ConnectingMultiChain', { name: picked.name }), platform: 'browser' }
  return {
    view: route('ConnectingExternal', { connectorId: picked.id, namespace: picked.namespace }),
    platform: 'browser',
  }
}

function isConnector(picked: ConnectorGroup | Wallet): picked is ConnectorGroup {
  return 'members' in picked
}
