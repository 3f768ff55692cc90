import type { State } from '../latchkeyTypes.ts'
import { isInTelegram } from '../lib/inAppBrowser.ts'
import type { LatchkeyOptions, SocialProvider } from '../options.ts'

const all: readonly SocialProvider[] = ['google', 'apple', 'x', 'discord', 'github', 'facebook', 'farcaster']

/**
 * Returns the social logins to offer, in the host's order. Omits logins that the embedded wallet does not support or that do not
 * work in the page's environment.
 *
 * @example
 * const socials = offeredSocials(latchkey.options, latchkey.state.get().wallets)
 */
export function offeredSocials(
  options: Pick<LatchkeyOptions, 'features'>,
  { socials: working }: Pick<State['wallets'], 'socials'>,
  page: Window | undefined = globalThis.window,
): readonly SocialProvider[] {
  const { socials = all } = options.features ?? {}
  const named: readonly string[] = socials === false ? [] : socials
  const has: readonly string[] = typeof working === 'object' ? working : all
  const refused: readonly string[] = page ? refusedIn(page) : []
  return [...new Set(named)].filter(
    (provider): provider is SocialProvider =>
      all.some((social) => social === provider) && has.includes(provider) && !refused.includes(provider),
  )
}

/** Returns the providers that do not allow logins in Telegram's webview on this operating system. */
function refusedIn(page: Window): readonly SocialProvider[] {
  if (!isInTelegram(page)) return []
  const { userAgent, maxTouchPoints } = page.navigator
  if (/Android/i.test(userAgent)) return ['facebook', 'x']
  const isMac = userAgent.includes('Macintosh')
  // iPads report themselves as Macs, but Macs have no touch points.
  if (/iPhone|iPad|iPod/i.test(userAgent) || (isMac && maxTouchPoints > 1)) return ['google']
  return isMac ? ['x'] : []
}
