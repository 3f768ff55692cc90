import { isInTelegram } from '../lib/device.ts'

/** What a page must know about where it runs to open a wallet. */
export interface PlatformContext {
  readonly telegram: boolean
  readonly android: boolean
  /** Whether the page itself stands in a frame. */
  readonly framed: boolean
  /** Whether a wallet would open on this device in the place of the page: a phone or tablet. */
  readonly mobile: boolean
}

/** A link that opens a wallet with something in it. */
export interface WalletLink {
  /** What to open. */
  readonly redirect: string
  /** The same by the wallet's universal link, where it has one. */
  readonly universal?: string
  /** What is kept to reach the wallet again. */
  readonly href: string
}

/** Opens `uri` in the wallet whose app answers at `app`: `metamask:`, `trust://` or `https://w.app`. */
export function pairingLink(
  { app, universal, uri }: { app: string; universal?: string | undefined; uri: string },
  { telegram, android }: Pick<PlatformContext, 'telegram' | 'android'>,
): WalletLink {
  const isWeb = /^https?:\/\//.test(app)
  const href = withSlash(isWeb || app.includes('://') ? app : `${app.replace(/[/:]/g, '')}://`)
  // Telegram on Android decodes once itself before it hands a link to an app.
  const given = telegram && android && !isWeb ? encodeURIComponent(uri) : uri
  const suffix = (text: string): string => `wc?uri=${encodeURIComponent(text)}`
  return {
    redirect: href + suffix(given),
    href,
    ...(universal ? { universal: withSlash(universal) + suffix(uri) } : {}),
  }
}

/** Where the wallet of a session is reached when it has been asked for something: no secret stands in it. */
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

/** Where a link opens. */
export type Target = '_self' | '_blank' | '_top'

/** Where a wallet's link opens from here. */
export function linkTarget({ telegram, framed, mobile }: PlatformContext): Target {
  if (telegram || !mobile) return '_blank'
  return framed ? '_top' : '_self'
}

/** What this page runs in. */
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
