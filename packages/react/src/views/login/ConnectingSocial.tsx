import type { PopupProvider } from '@latchkey/protocol/frame/messages'
import { Button, Screen, useCss } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { type LoginText, useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { Waiting } from '../Waiting.tsx'
import css from './login.css?inline'
import { loginReason } from './loginReason.ts'
import { providerNames, SocialLogo } from './SocialLogo.tsx'
import { useLeaving } from './useLeaving.ts'
import { isFrameLate, type LoginNow, useLogin } from './useLogin.ts'
import { useOwnError } from './useOwnError.ts'

/** A popup of the provider is open: what it waits for, and the way out of it. Leaving gives the popup up. */
export function ConnectingSocial({ data }: ViewProps<'ConnectingSocial'>): ReactNode {
  useCss(css)
  const latchkey = useLatchkey()
  const text = useLoginText()
  const now = useLogin()
  const provider = data.provider as PopupProvider
  const name = Object.hasOwn(providerNames, provider) ? providerNames[provider] : provider
  const status = now.lost ? 'failed' : (now.state.social?.status ?? 'opening')
  const failed = status === 'failed'
  const said = { ...saying(text, name, status, now), ...(isFrameLate(now) && { body: text('login.unreachable') }) }
  useOwnError(now, now.state.error)
  useLeaving(() => {
    const going = now.login?.state.get().social?.status
    if (going === 'opening' || going === 'leaving' || going === 'waiting') now.login?.cancelSocial()
  })
  return (
    <Screen title={name} align="center">
      <Waiting
        state={failed ? 'failed' : 'waiting'}
        mark={
          <span className="mark">
            <SocialLogo provider={provider} />
          </span>
        }
        {...said}
      />
      {failed ? (
        <>
          <Button kind="primary" wide icon="retry" onClick={() => now.ask((login) => login.social(provider))}>
            {text('common.retry')}
          </Button>
          {now.state.error?.code === 'social/popup-blocked' && (
            <Button wide onClick={() => now.ask((login) => login.social(provider, { here: true }))}>
              {text('social.here')}
            </Button>
          )}
        </>
      ) : (
        status !== 'retrieving' && (
          <Button wide onClick={() => latchkey.modal.back()}>
            {text('social.cancel')}
          </Button>
        )
      )}
    </Screen>
  )
}

function saying(
  text: LoginText,
  provider: string,
  status: 'opening' | 'leaving' | 'waiting' | 'retrieving' | 'failed',
  { state, lost }: LoginNow,
): { readonly title: string; readonly body: string } {
  switch (status) {
    case 'opening':
      return { title: text('social.opening', { provider }), body: text('social.openingBody') }
    case 'leaving':
      return { title: text('social.opening', { provider }), body: text('social.leavingBody', { provider }) }
    case 'waiting':
      return { title: text('login.continue', { provider }), body: text('social.waitingBody') }
    case 'retrieving':
      return { title: text('social.retrieving'), body: text('social.retrievingBody') }
    case 'failed':
      return {
        title: text('social.failed', { provider }),
        body: lost ? text('login.loadFailed') : state.error ? loginReason(text, state.error) : text('login.failed'),
      }
  }
}
