import type { Namespace } from '@latchkey/protocol/caip'
import { coinbaseWalletIds, phantomWalletId, solflareWalletId } from '@latchkey/protocol/constants'
import type { Wallet } from '@latchkey/protocol/http/contract'

/**
 * The address by which a phone opens this page in the wallet's own browser, for wallets that connect there and not by a pairing;
 * `undefined` for all others, and where the wallet is in the page already.
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
  // Binance has taken back its links into the app's browser (30 October 2026); it pairs like any other.
  return undefined
}
