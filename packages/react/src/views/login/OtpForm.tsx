import type { Login } from '@latchkey/core'
import { LiveRegion, OtpField, Screen, Stack, Text, useStyleSheet } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { EmailText } from './EmailText.tsx'
import css from './login.css?inline'
import { translateLoginError } from './translateLoginError.ts'
import { useClearErrorOnUnmount } from './useClearErrorOnUnmount.ts'
import { useLogin } from './useLogin.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Props for `OtpForm`. */
export interface OtpFormProps {
  readonly title: string
  /** The address to which the code was sent. */
  readonly email: string
  readonly submit: (login: Login, code: string) => Promise<unknown>
  /** Renders the actions for users who have not received a code. `clear` empties the field. */
  readonly children: (clear: () => void) => ReactNode
}

/** Renders a form for the emailed code. The form is submitted when the user enters the sixth digit. */
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
      ? translateLoginError(text, state.error)
      : undefined
  const send = (fullCode: string): void => runAction((login) => submit(login, fullCode))
  return (
    <Screen title={title} align="center">
      <Text tone="soft">{text.rich('otp.body', { email: <EmailText key="email">{email}</EmailText> })}</Text>
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
        {/* Both texts have the same height, so that the layout does not shift. */}
        <Text tone="soft">{text(busy ? 'otp.checking' : 'otp.spam')}</Text>
        {children(() => setCode(''))}
      </Stack>
      <LiveRegion>{busy ? text('otp.checking') : ''}</LiveRegion>
    </Screen>
  )
}
