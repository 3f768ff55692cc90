import { isInTelegram } from '../lib/inAppBrowser.ts'

/** The properties of the page's environment that affect how a wallet is opened. */
export interface PlatformContext {
  readonly telegram: boolean
  readonly android: boolean
  /** Whether the page is in an iframe. */
  readonly framed: boolean
  /** Whether the device is a phone or tablet, where opening a wallet replaces the page. */
  readonly mobile: boolean
}

/** A link that opens a wallet and passes a pairing to it. */
export interface WalletLink {
  /** The URL to open. */
  readonly redirect: string
  /** The wallet's universal link with the same pairing, if the wallet has one. */
  readonly universal?: string
  /** The link to the app without the pairing, stored so that the wallet can be reopened. */
  readonly href: string
}

/** Returns the link that opens `uri` in the wallet app at `app`, such as `metamask:`, `trust://` or `https://w.app`. */
export function pairingLink(
  { app, universal, uri }: { app: string; universal?: string | undefined; uri: string },
  { telegram, android }: Pick<PlatformContext, 'telegram' | 'android'>,
): WalletLink {
  const isWeb = /^https?:\/\//.test(app)
  const href = withSlash(isWeb || app.includes('://') ? app : `${app.replace(/[/:]/g, '')}://`)
  // Telegram on Android decodes a link once before passing it to an app.
  const encoded = telegram && android && !isWeb ? encodeURIComponent(uri) : uri
  const suffix = (text: string): string => `wc?uri=${encodeURIComponent(text)}`
  return {
    redirect: href + suffix(encoded),
    href,
    ...(universal ? { universal: withSlash(universal) + suffix(uri) } : {}),
  }
}

/** Returns the link that opens a wallet for a pending request. The link contains no secret. */
export function requestLink(
  { href, requestId, topic }: { href: string; requestId: number; topic: string },
  { telegram, framed }: Pick<PlatformContext, 'telegram' | 'framed'>,
): { readonly url: string; readonly target: Target } {
  const base = href.replace(/\/$/, '')
  const query = `wc?requestId=${requestId}&sessionTopic=${topic}`
  if (/^https:\/\/t\.me(\/|$)/.test(href)) {
    const start = btoa(query).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
    return { url: `${base}?startapp=${start}`, target: '_blank' }
  }
  const isWeb = /^https?:\/\//.test(href)
  return { url: `${base}/${query}`, target: isWeb || telegram ? '_blank' : framed ? '_top' : '_self' }
}

/** The target of a link, as passed to `window.open`. */
export type Target = '_self' | '_blank' | '_top'

/** Returns the target for a wallet's link in this environment. */
export function linkTarget({ telegram, framed, mobile }: PlatformContext): Target {
  if (telegram || !mobile) return '_blank'
  return framed ? '_top' : '_self'
}

/** Detects the environment of the page. */
export function platformContext(page: Window = window): PlatformContext {
  const { userAgent, maxTouchPoints } = page.navigator
  const android = /Android/i.test(userAgent)
  return {
    telegram: isInTelegram(page),
    android,
    framed: page.parent !== page,
    mobile: android || /iPhone|iPad|iPod/i.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1),
  }
}

function withSlash(link: string): string {
  return link.endsWith('/') ? link : `${link}/`
}
