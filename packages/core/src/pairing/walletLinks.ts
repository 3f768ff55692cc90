import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { canCarrySecret, isSafeLink } from '@latchkey/protocol/safeLinks'
import type { PairingUri } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { Log } from '../lib/log.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'
import { linkTarget, pairingLink, platformContext, requestLink } from './deepLink.ts'
import type { ConnectionMethod, OpenableLink } from './pairingTypes.ts'

/** The links that open wallet apps, and the stored link of the connected wallet. */
export interface WalletLinks {
  /** Returns the link that opens `wallet` with the offer, or `undefined` if the wallet has no link for the method. */
  link(params: {
    readonly wallet: Wallet
    readonly by: Exclude<ConnectionMethod, 'qrcode'>
    readonly offer: PairingUri
  }): OpenableLink | undefined
  /** Opens a link without a click, unless the page is not focused. Returns whether the link was opened. */
  open(link: OpenableLink): boolean
  /** Stores the link to the connected wallet's app, or clears the stored link if the wallet was not opened by a link. */
  store(params: { readonly wallet: Wallet | undefined; readonly by: ConnectionMethod; readonly name: string }): void
  /** Reopens the stored app when a request is pending there. */
  openStored(params: { readonly requestId: number; readonly topic: string }): void
}

/** Creates the wallet links for the platform that `page` runs on. */
export function createWalletLinks(dependencies: {
  readonly page: Window
  readonly records: Pick<StorageSchema, 'deepLink'>
  readonly log: Pick<Log, 'warn'>
  /** Whether universal links are preferred over custom URL schemes on mobile. */
  readonly universalLinks: boolean
  mobile(): boolean
  track(event: AnalyticsEvent): void
}): WalletLinks {
  const { page, records, log } = dependencies

  const openUnlessHidden = ({ url, target }: OpenableLink, loggedUrl: string): boolean => {
    // Any script on the page could have written the stored link.
    if (!isSafeLink(url)) return false
    if (!page.document.hasFocus()) {
      // Opening the link would bring a background page to the front, or the browser would block the popup.
      log.warn(failure('link/skipped', { href: loggedUrl }).message)
      return false
    }
    page.open(url, target, 'noreferrer noopener')
    return true
  }

  return {
    link({ wallet, by, offer }) {
      const links = appLinks(wallet, by)
      if (!links) return undefined
      const platform = platformContext(page)
      try {
        const { redirect, universal } = pairingLink({ ...links, uri: offer.uri }, platform)
        const url = [...(dependencies.universalLinks && universal ? [universal] : []), redirect].find(canCarrySecret)
        if (!url) return undefined
        // A web wallet opens in a new tab, because this page must stay open to wait for it.
        const isApp = by === 'mobile' && links.app !== wallet.webapp_link
        return { url, target: isApp ? linkTarget({ ...platform, mobile: dependencies.mobile() }) : '_blank' }
      } catch (error) {
        const { message } = toLatchkeyError(error)
        dependencies.track({ event: 'CONNECT_PROXY_ERROR', properties: { message, name: wallet.name } })
        return undefined
      }
    },
    // Log the link without its secret.
    open: (link) => openUnlessHidden(link, link.url.split(/[?#]/)[0] ?? ''),
    store({ wallet, by, name }) {
      const app = wallet && by !== 'qrcode' ? appLinks(wallet, by)?.app : undefined
      if (app) records.deepLink.set({ href: pairingLink({ app, uri: '' }, platformContext(page)).href, name })
      else records.deepLink.clear()
    },
    openStored({ requestId, topic }) {
      const stored = records.deepLink.get()
      if (!stored) return
      openUnlessHidden(requestLink({ href: stored.href, requestId, topic }, platformContext(page)), stored.href)
    },
  }
}

function appLinks(
  { mobile_link, link_mode, desktop_link, webapp_link }: Wallet,
  by: Exclude<ConnectionMethod, 'qrcode'>,
): { app: string; universal?: string } | undefined {
  const app = by === 'mobile' ? (mobile_link ?? link_mode) : by === 'desktop' ? desktop_link : webapp_link
  return app ? { app, ...(by === 'mobile' && link_mode ? { universal: link_mode } : {}) } : undefined
}
