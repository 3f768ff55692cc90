import { Icon, moreIcons, Screen, Text, useStyleSheet } from '@latchkey/ui'
import { type ReactNode, useEffect } from 'react'
import { ProgressStatus } from '../ProgressStatus.tsx'
import type { ViewProps } from '../viewProps.ts'
import { EmailText } from './EmailText.tsx'
import css from './login.css?inline'
import { ResendEmailButton } from './ResendEmailButton.tsx'
import { translateLoginError } from './translateLoginError.ts'
import { useLogin } from './useLogin.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Renders the view that is shown in a new browser. The user approves the browser by opening a link in an email. */
export function EmailVerifyDevice({ data }: ViewProps<'EmailVerifyDevice'>): ReactNode {
  useStyleSheet(css)
  const text = useLoginTranslations()
  const { login, state, loadFailed } = useLogin()

  useEffect(() => {
    if (!login) return
    let stop: (() => void) | undefined
    let unmounted = false
    // Strict Mode mounts the component twice, but the frame must only receive a single request.
    queueMicrotask(() => {
      if (!unmounted) stop = login.awaitDevice()
    })
    return () => {
      unmounted = true
      stop?.()
    }
  }, [login])

  const error = loadFailed ? text('login.loadFailed') : state.error ? translateLoginError(text, state.error) : undefined
  return (
    <Screen title={text('device.title')} align="center">
      <ProgressStatus
        state={error === undefined ? 'waiting' : 'failed'}
        logo={
          <span className="mark">
            <Icon name={moreIcons.mail} size={24} />
          </span>
        }
        title={error ?? text('device.waiting')}
        body={
          error === undefined && (
            <>
              <Text tone="soft">
                {text.rich('device.body', { email: <EmailText key="email">{data.email}</EmailText> })}
              </Text>
              <Text tone="soft">{text('device.next')}</Text>
            </>
          )
        }
      />
      <ResendEmailButton kind="device" />
    </Screen>
  )
}
