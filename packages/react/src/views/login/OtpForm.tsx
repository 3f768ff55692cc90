import type { Login } from '@latchkey/core'
import { LiveRegion, OtpField, Screen, Stack, Text, useStyleSheet } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLoginTranslations } from '../../i18n/useLoginTranslations.ts'
import { EmailAddress } from './EmailAddress.tsx'
import css from './login.css?inline'
import { loginErrorCopy } from './loginErrorCopy.ts'
import { useClearErrorOnUnmount } from './useClearErrorOnUnmount.ts'
import { useLogin } from './useLogin.ts'

/** What a place for a code needs. */
export interface OtpFormProps {
  readonly title: string
  /** Where the code was sent. */
  readonly email: string
  readonly submit: (login: Login, code: string) => Promise<unknown>
  /** The way on for whoever has no code; `clear` empties the field. */
  readonly children: (clear: () => void) => ReactNode
}

/** A place for the code that was mailed. The sixth digit sends it; a refused one is marked, so that the next digit begins anew. */
export function OtpForm({ title, email, submit, children }: OtpFormProps): ReactNode {
  useStyleSheet(css)
  const text = useLoginTranslations()
  const loginState = useLogin()
  const { state, loadFailed, runAction } = loginState
  useClearErrorOnUnmount(loginState, state.error)
  const [code, setCode] = useState('')
  const busy = state.busy === 'code' || state.busy === 'update'
  const error = loadFailed
    ? text('login.loadFailed')
    : state.error && !busy
      ? loginErrorCopy(text, state.error)
      : undefined
  const send = (fullCode: string): void => runAction((login) => submit(login, fullCode))
  return (
    <Screen title={title} align="center">
      <Text tone="soft">{text.rich('otp.body', { email: <EmailAddress key="email">{email}</EmailAddress> })}</Text>
      <form
        className="code"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && code.length === 6) send(code)
        }}
      >
        <OtpField
          label={text('otp.label')}
          value={code}
          error={error}
          busy={busy}
          autoFocus
          onChange={(value) => {
            setCode(value)
            if (state.error) runAction((login) => login.clearError())
          }}
          onComplete={send}
        />
      </form>
      <Stack gap={4} align="center">
        {/* As tall while it waits, so that nothing moves. */}
        <Text tone="soft">{text(busy ? 'otp.checking' : 'otp.spam')}</Text>
        {children(() => setCode(''))}
      </Stack>
      <LiveRegion>{busy ? text('otp.checking') : ''}</LiveRegion>
    </Screen>
  )
}
