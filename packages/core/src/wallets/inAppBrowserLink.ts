import type { Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { coinbaseWalletIds, phantomWalletId, solflareWalletId } from '@latchkey/protocol/specificationConstants'

/**
 * Returns the link that opens this page in a mobile wallet's in-app browser, for wallets that connect there instead of by
 * pairing. Returns `undefined` for all other wallets and namespaces, or if the page is already open in that browser.
 */
export function inAppBrowserLink(
  { id }: Pick<Wallet, 'id'>,
  { namespace, page }: { readonly namespace: Namespace | undefined; readonly page: Window },
): string | undefined {
  const has = (name: string): boolean => Boolean((page as unknown as Readonly<Record<string, unknown>>)[name])
  const { href, origin } = page.location
  const here = encodeURIComponent(href)
  if (id === phantomWalletId && !has('phantom'))
    return `https://phantom.app/ul/browse/${here}?ref=${encodeURIComponent(origin)}`
  if (id === solflareWalletId && !has('solflare')) return `https://solflare.com/ul/v1/browse/${here}?ref=${here}`
  if ((coinbaseWalletIds as readonly string[]).includes(id) && namespace === 'solana' && !has('coinbaseSolana'))
    return `https://go.cb-w.com/dapp?cb_url=${here}`
  // Binance is not included, because it withdrew its in-app browser links on 30 October 2026. It supports pairing.
  return undefined
}
