import type { State } from '../latchkey.ts'
import type { LatchkeyOptions, SocialProvider } from '../options.ts'

const all: readonly SocialProvider[] = ['google', 'apple', 'x', 'discord', 'github', 'facebook', 'farcaster']

/** The social log-ins that Connect offers: the host's, in its order, but for those that the embedded wallet says it has not. */
export function offeredSocials(
  options: Pick<LatchkeyOptions, 'features'>,
  { socials: working = all }: Pick<State['wallets'], 'socials'>,
): readonly SocialProvider[] {
  const { socials = all } = options.features ?? {}
  const named: readonly string[] = socials === false ? [] : socials
  return [...new Set(named)].filter(
    (one): one is SocialProvider => all.some((each) => each === one) && working.includes(one),
  )
}
