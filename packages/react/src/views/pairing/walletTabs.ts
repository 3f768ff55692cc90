import type { ConnectorGroup, Reach } from '@latchkey/core'
import { isSame } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'

/** A tab, which is either a way to connect to the wallet or a note that the wallet's extension is not installed. */
export type WalletTab = Reach | 'browser' | 'missing'

/** Returns the tabs for `wallet`, starting with the preferred connection method. */
export function walletTabsFor(
  wallet: Wallet | undefined,
  { mobile, shown }: { readonly mobile: boolean; readonly shown: readonly ConnectorGroup[] },
): readonly [WalletTab, ...WalletTab[]] {
  if (!wallet) return ['qrcode']
  const extension = !mobile && Boolean(wallet.rdns || wallet.injected?.length)
  const installed = shown.some(
    (connector) => connector.members[0]?.type !== 'WALLET_CONNECT' && isSame(connector, wallet),
  )
  // A wallet with the same mobile link and web link is a web app. It opens as a web page on a desktop and as an app on a phone.
  const isPage = Boolean(wallet.webapp_link) && wallet.webapp_link === wallet.mobile_link
  const tabs: WalletTab[] = []
  if (installed) tabs.push('browser')
  if (isPage && !mobile) tabs.push('web')
  if (wallet.mobile_link || wallet.link_mode) tabs.push(mobile ? 'mobile' : 'qrcode')
  if (wallet.webapp_link && !isPage) tabs.push('web')
  if (wallet.desktop_link && !mobile) tabs.push('desktop')
  if (extension && !installed) tabs.push('missing')
  const [first = 'qrcode', ...rest] = tabs
  return [first, ...rest]
}
