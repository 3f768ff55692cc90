import type { Metadata } from '@latchkey/walletconnect'

/** The name of a page in messages for the user: its host, which is harder to fake than the name that it reports. */
export function dappName({ url, name }: Metadata): string {
  return hostOf(url) || name || 'An unnamed page'
}

/** The host and port of a URL, or an empty string if it is invalid. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
