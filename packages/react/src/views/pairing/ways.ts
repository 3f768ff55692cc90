import type { Reach, ShownConnector } from '@latchkey/core'
import { isSame } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/contract'

/** A tab: a way to reach a wallet, or the news that its extension is not here. */
export type Way = Reach | 'browser' | 'missing'

/** The ways to reach `wallet`, the best first. */
export function waysTo(
  wallet: Wallet | undefined,
  { mobile, shown }: { readonly mobile: boolean; readonly shown: readonly ShownConnector[] },
): readonly [Way, ...Way[]] {
  if (!wallet) return ['qrcode']
  const extension = !mobile && Boolean(wallet.rdns || wallet.injected?.length)
  const installed = shown.some((one) => one.members[0]?.type !== 'WALLET_CONNECT' && isSame(one, wallet))
  // A wallet whose app is a page is best reached as a page, but for phones, which reach it as an app.
  const isPage = Boolean(wallet.webapp_link) && wallet.webapp_link === wallet.mobile_link
  const ways: Way[] = []
  if (installed) ways.push('browser')
  if (isPage && !mobile) ways.push('web')
  if (wallet.mobile_link || wallet.link_mode) ways.push(mobile ? 'mobile' : 'qrcode')
  if (wallet.webapp_link && !isPage) ways.push('web')
  if (wallet.desktop_link && !mobile) ways.push('desktop')
  if (extension && !installed) ways.push('missing')
  const [first = 'qrcode', ...rest] = ways
  return [first, ...rest]
}
