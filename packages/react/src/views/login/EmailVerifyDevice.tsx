import { Icon, Screen, Text, useCss } from '@latchkey/ui'
import { type ReactNode, useEffect } from 'react'
import { useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { Waiting } from '../Waiting.tsx'
import css from './login.css?inline'
import { loginReason } from './loginReason.ts'
import { Resend } from './Resend.tsx'
import { useLogin } from './useLogin.ts'
import { Whole } from './Whole.tsx'

/** A browser that the account does not know: a link in a mail says that it is the visitor's. */
export function EmailVerifyDevice({ data }: ViewProps<'EmailVerifyDevice'>): ReactNode {
  useCss(css)
  const text = useLoginText()
  const { login, state, lost } = useLogin()

  useEffect(() => {
    if (!login) return
    let stop: (() => void) | undefined
    let left = false
    // Strict mode mounts twice; the frame is asked once.
    queueMicrotask(() => {
      if (!left) stop = login.awaitDevice()
    })
    return () => {
      left = true
      stop?.()
    }
  }, [login])

  const error = lost ? text('login.loadFailed') : state.error ? loginReason(text, state.error) : undefined
  return (
    <Screen title={text('device.title')} align="center">
      <Waiting
        state={error === undefined ? 'waiting' : 'failed'}
        mark={
          <span className="mark">
            <Icon name="mail" size={24} />
          </span>
        }
        title={error ?? text('device.waiting')}
        body={
          error === undefined && (
            <>
              <Text tone="soft">{text.rich('device.body', { email: <Whole key="email">{data.email}</Whole> })}</Text>
              <Text tone="soft">{text('device.next')}</Text>
            </>
          )
        }
      />
      <Resend what="device" />
    </Screen>
  )
}
