import { type Latchkey, offeredSocials, type SocialProvider } from '@latchkey/core'
import { Icon, moreIcons, Row, Skeleton } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { providerNames, SocialLogo } from './SocialLogo.tsx'
import { useLogin } from './useLogin.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** The maximum number of providers on one line. */
const maxInline = 5

/** Returns the providers that are offered by both the host and the wallet, in the host's order. */
export function useProviders(): readonly SocialProvider[] {
  const { options } = useLatchkey()
  return offeredSocials(
    options,
    useStore((state) => state.wallets),
  )
}

/** Props for `SocialButtons`. */
export interface SocialButtonsProps {
  readonly disabled: boolean
}

/**
 * Renders a single provider as a row, or several providers as buttons on one line. If there are too many, the last button opens
 * the full list.
 */
export function SocialButtons({ disabled }: SocialButtonsProps): ReactNode {
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const startLogin = useStartLogin()
  const providers = useProviders()
  // A placeholder is shown until the server has returned the available providers.
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
            <Icon name={moreIcons.more} size={24} />
          </button>
        </li>
      )}
    </ul>
  )
}

/** Renders a row for a single provider. */
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

/**
 * Returns a function that starts a login. It opens the popup synchronously, because browsers allow popups only during a click.
 */
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
  // The ConnectingFarcaster view requests the link, so that it can offer a retry.
  if (provider === 'farcaster') latchkey.modal.push('ConnectingFarcaster')
  else runAction((login) => login.social(provider))
}
