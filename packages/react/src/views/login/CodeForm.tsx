import type { Login } from '@latchkey/core'
import { Live, OtpField, Screen, Stack, Text, useCss } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLoginText } from '../../i18n/useLoginText.ts'
import css from './login.css?inline'
import { loginReason } from './loginReason.ts'
import { useLogin } from './useLogin.ts'
import { useOwnError } from './useOwnError.ts'
import { Whole } from './Whole.tsx'

/** What a place for a code needs. */
export interface CodeFormProps {
  readonly title: string
  /** Where the code was sent. */
  readonly email: string
  readonly submit: (login: Login, code: string) => Promise<unknown>
  /** The way on for whoever has no code; `clear` empties the field. */
  readonly children: (clear: () => void) => ReactNode
}

/** A place for the code that was mailed. The sixth digit sends it; a refused one is marked, so that the next digit begins anew. */
export function CodeForm({ title, email, submit, children }: CodeFormProps): ReactNode {
  useCss(css)
  const text = useLoginText()
  const now = useLogin()
  const { state, lost, ask } = now
  useOwnError(now, state.error)
  const [code, setCode] = useState('')
  const busy = state.busy === 'code' || state.busy === 'update'
  const error = lost ? text('login.loadFailed') : state.error && !busy ? loginReason(text, state.error) : undefined
  const send = (whole: string): void => ask((login) => submit(login, whole))
  return (
    <Screen title={title} align="center">
      <Text tone="soft">{text.rich('otp.body', { email: <Whole key="email">{email}</Whole> })}</Text>
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
            if (state.error) ask((login) => login.clearError())
          }}
          onComplete={send}
        />
      </form>
      <Stack gap={4} align="center">
        {/* As tall while it waits, so that nothing moves. */}
        <Text tone="soft">{text(busy ? 'otp.checking' : 'otp.spam')}</Text>
        {children(() => setCode(''))}
      </Stack>
      <Live>{busy ? text('otp.checking') : ''}</Live>
    </Screen>
  )
}
