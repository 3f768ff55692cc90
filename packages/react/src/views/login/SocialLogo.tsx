import type { SocialProvider } from '@latchkey/core'
import type { ReactNode } from 'react'

/** The providers' names, in their official spelling. */
export const providerNames: Readonly<Record<SocialProvider, string>> = {
  google: 'Google',
  x: 'X',
  discord: 'Discord',
  farcaster: 'Farcaster',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
}

// The logos come from Simple Icons (CC0). They use a 24 px grid, and the coordinates are rounded.
const marks: Readonly<Record<SocialProvider, string>> = {
  apple:
    'M12.2 6.9c-1 0-2.5-1.1-4-1C6.1 5.8 4.2 7 3.2 8.9c-2.1 3.6-.6 9.1 1.5 12.1 1 1.4 2.2 3 3.8 3 1.5 0 2.1-1 3.9-1s2.4 1 4 1 2.7-1.5 3.7-3c1.1-1.7 1.6-3.3 1.6-3.4 0 0-3.2-1.2-3.2-4.9 0-3 2.5-4.5 2.6-4.5a5.6 5.6 0 0 0-4.4-2.4c-2-.1-3.7 1.1-4.5 1.1zM15.5 3.8A5.3 5.3 0 0 0 16.8 0a5.3 5.3 0 0 0-4.8 5.5c1.3.1 2.7-.7 3.5-1.7',
  discord:
    'M20.3 4.4a20 20 0 0 0-4.9-1.5l-.7 1.3a18 18 0 0 0-5.5 0l-.6-1.3a20 20 0 0 0-5 1.5A20.5 20.5 0 0 0 .1 18a20 20 0 0 0 6 3.1l1.3-2a13 13 0 0 1-2-1l.5-.3a14.3 14.3 0 0 0 12.2 0l.4.3-1.9 1 1.2 2a20 20 0 0 0 6-3.1c.6-5.2-.8-9.7-3.5-13.6zM8 15.3c-1.2 0-2.2-1-2.2-2.4S6.8 10.5 8 10.5s2.2 1.1 2.2 2.4S9.2 15.3 8 15.3zm8 0c-1.2 0-2.2-1-2.2-2.4s1-2.4 2.2-2.4 2.2 1.1 2.2 2.4-1 2.4-2.2 2.4z',
  facebook:
    'M24 12a12 12 0 1 0-14.9 11.7v-8H6.6V12h2.5v-1.5c0-4.1 1.8-6 5.9-6 .8 0 2 .2 2.6.3v3.3l-1.4-.1c-2 0-2.7.8-2.7 2.7V12h3.9l-.7 3.7h-3.2v8.2A12 12 0 0 0 24 12z',
  farcaster:
    'M18.2.2H5.8A5.8 5.8 0 0 0 0 6v12a5.8 5.8 0 0 0 5.8 5.8h12.4A5.8 5.8 0 0 0 24 18V6A5.8 5.8 0 0 0 18.2.2m.9 17.2v.5c.3 0 .5.2.5.5v.6h-5.1v-.6c0-.3.2-.5.5-.5v-.5c0-.2.2-.4.4-.5V12.6a3.4 3.4 0 0 0-6.9 0V16.9c.2 0 .5.2.5.5v.5c.3 0 .6.2.6.5v.6H4.4v-.6c0-.3.2-.5.5-.5v-.5c0-.3.2-.5.5-.5V9H4.9L4.3 7h2.6V5h10v2h2.8l-.6 2h-.5v7.9c.3 0 .5.2.5.5',
  github:
    'M12 .3a12 12 0 0 0-3.8 23.4c.6.1.8-.3.8-.6v-2c-3.3.7-4-1.6-4-1.6-.6-1.4-1.4-1.8-1.4-1.8-1-.7.1-.7.1-.7 1.2.1 1.8 1.2 1.8 1.2 1.1 1.8 2.8 1.3 3.5 1 .1-.8.4-1.3.8-1.6-2.7-.3-5.5-1.3-5.5-5.9 0-1.3.5-2.4 1.2-3.2-.1-.3-.5-1.5.1-3.2 0 0 1-.3 3.3 1.2a11.5 11.5 0 0 1 6 0c2.3-1.5 3.3-1.2 3.3-1.2.6 1.7.2 2.9.1 3.2.8.8 1.2 1.9 1.2 3.2 0 4.6-2.8 5.6-5.5 5.9.4.4.8 1.1.8 2.2v3.3c0 .3.2.7.8.6A12 12 0 0 0 12 .3',
  google:
    'M12.5 10.9v3.3h7.8c-.2 1.8-.9 3.2-1.8 4.1a8.1 8.1 0 0 1-6 2.4A8.6 8.6 0 0 1 12.5 3.3c2.6 0 4.5 1 5.9 2.3l2.3-2.3A11.5 11.5 0 0 0 12.5 0 12.1 12.1 0 1 0 12.5 24c3.6 0 6.3-1.2 8.4-3.4s2.8-5.2 2.8-7.6c0-.8 0-1.5-.2-2.1z',
  x: 'm14.2 10.2 8.8-10.2h-2.1l-7.6 8.8L7.3 0h-7l9.2 13.3L.3 24h2l8-9.3 6.4 9.3h7zm-2.8 3.3-.9-1.3L3.1 1.6h3.2l6 8.5.9 1.3 7.7 11.1h-3.2z',
}

/** Props for `SocialLogo`. */
export interface SocialLogoProps {
  readonly provider: SocialProvider
  /** The size in px. Defaults to 24. */
  readonly size?: 24 | 40 | undefined
}

/** Renders a provider's logo in the text color. It is hidden from screen readers, because the button has an accessible name. */
export function SocialLogo({ provider, size = 24 }: SocialLogoProps): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={marks[provider]} />
    </svg>
  )
}
