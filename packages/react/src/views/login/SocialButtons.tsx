import { type Latchkey, offeredSocials, type SocialProvider } from '@latchkey/core'
import { Icon, Row, Skeleton } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useLoginTranslations } from '../../i18n/useLoginTranslations.ts'
import { providerNames, SocialLogo } from './SocialLogo.tsx'
import { useLogin } from './useLogin.ts'

/** How many fit in one line beside each other. */
const maxInline = 5

/** The providers that host and wallet offer, in the host's order. */
export function useProviders(): readonly SocialProvider[] {
  const { options } = useLatchkey()
  return offeredSocials(
    options,
    useStore((state) => state.wallets),
  )
}

/** What the buttons need. */
export interface SocialButtonsProps {
  readonly disabled: boolean
}

/** The providers in one line; where there are more than fit, the last button leads to all of them. */
export function SocialButtons({ disabled }: SocialButtonsProps): ReactNode {
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const startLogin = useStartLogin()
  const providers = useProviders()
  // Room for them until the server has said which there are.
  const loading = useStore((state) => state.wallets.socials === 'loading')
  if (loading) return <Skeleton kind="row" />
  const [first, ...others] = providers
  if (first === undefined) return null
  if (others.length === 0) return <SocialRow provider={first} disabled={disabled} />
  const shown = providers.length > maxInline ? providers.slice(0, maxInline - 1) : providers
  return (
    <ul className="socials" aria-label={text('login.ways')}>
      {shown.map((provider) => {
        const name = text('login.continue', { provider: providerNames[provider] })
        return (
          <li key={provider}>
            <button
              type="button"
              className="social"
              title={name}
              aria-label={name}
              disabled={disabled}
              onClick={() => startLogin(provider)}
            >
              <SocialLogo provider={provider} />
            </button>
          </li>
        )
      })}
      {shown.length < providers.length && (
        <li>
          <button
            type="button"
            className="social"
            title={text('login.more')}
            aria-label={text('login.more')}
            disabled={disabled}
            onClick={() => latchkey.modal.push('ConnectSocials')}
          >
            <Icon name="more" size={24} />
          </button>
        </li>
      )}
    </ul>
  )
}

/** One provider in a row of its own. */
export function SocialRow({
  provider,
  disabled,
}: {
  readonly provider: SocialProvider
  readonly disabled: boolean
}): ReactNode {
  const text = useLoginTranslations()
  const startLogin = useStartLogin()
  return (
    <Row
      icon={<SocialLogo provider={provider} />}
      trailing="chevron"
      disabled={disabled}
      onClick={() => startLogin(provider)}
    >
      {text('login.continue', { provider: providerNames[provider] })}
    </Row>
  )
}

/** Starts a log-in. A popup opens only within the click itself, so this waits for nothing that is here already. */
function useStartLogin(): (provider: SocialProvider) => void {
  const latchkey = useLatchkey()
  const { runAction } = useLogin()
  return (provider) => startLogin(latchkey, runAction, provider)
}

function startLogin(
  latchkey: Latchkey,
  runAction: ReturnType<typeof useLogin>['runAction'],
  provider: SocialProvider,
): void {
  // That view asks for the link itself, so that it may ask again.
  if (provider === 'farcaster') latchkey.modal.push('ConnectingFarcaster')
  else runAction((login) => login.social(provider))
}
