import type { PopupProvider } from '@latchkey/protocol/frame/messages'
import { Button, Screen, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { ProgressStatus } from '../ProgressStatus.tsx'
import type { ViewProps } from '../viewProps.ts'
import css from './login.css?inline'
import { providerNames, SocialLogo } from './SocialLogo.tsx'
import { translateLoginError } from './translateLoginError.ts'
import { useClearErrorOnUnmount } from './useClearErrorOnUnmount.ts'
import { isFrameSlow, type UseLoginReturnType, useLogin } from './useLogin.ts'
import { type LoginTranslator, useLoginTranslations } from './useLoginTranslations.ts'
import { useOnUnmount } from './useOnUnmount.ts'

/** Renders the progress of a login in a social provider's popup. Leaving the view cancels the login. */
export function ConnectingSocial({ data }: ViewProps<'ConnectingSocial'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const now = useLogin()
  const provider = data.provider as PopupProvider
  const name = Object.hasOwn(providerNames, provider) ? providerNames[provider] : provider
  const status = now.loadFailed ? 'failed' : (now.state.social?.status ?? 'opening')
  const failed = status === 'failed'
  const copy = { ...copyOf(text, name, status, now), ...(isFrameSlow(now) && { body: text('login.unreachable') }) }
  useClearErrorOnUnmount(now, now.state.error)
  useOnUnmount(() => {
    const current = now.login?.state.get().social?.status
    if (current === 'opening' || current === 'leaving' || current === 'waiting') now.login?.cancelSocial()
  })
  return (
    <Screen title={name} align="center">
      <ProgressStatus
        state={failed ? 'failed' : 'waiting'}
        logo={
          <span className="mark">
            <SocialLogo provider={provider} />
          </span>
        }
        {...copy}
      />
      {failed ? (
        <>
          <Button kind="primary" wide icon="retry" onClick={() => now.runAction((login) => login.social(provider))}>
            {text('common.retry')}
          </Button>
          {now.state.error?.code === 'social/popup-blocked' && (
            <Button wide onClick={() => now.runAction((login) => login.social(provider, { here: true }))}>
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

function copyOf(
  text: LoginTranslator,
  provider: string,
  status: 'opening' | 'leaving' | 'waiting' | 'retrieving' | 'failed',
  { state, loadFailed }: UseLoginReturnType,
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
        body: loadFailed
          ? text('login.loadFailed')
          : state.error
            ? translateLoginError(text, state.error)
            : text('login.failed'),
      }
  }
}
