import type { Metadata } from '@latchkey/walletconnect'

/** Returns the name to show for a page. Prefers the page's host, which is harder to fake than its self-reported name. */
export function dappName({ url, name }: Metadata): string {
  return hostOf(url) || name || 'An unnamed page'
}

/** Returns the host and port of a URL, or an empty string if the URL is invalid. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
