import type { Login } from '@latchkey/core'
import { Button, Notice, Screen, Skeleton, Text, TextField, useStyleSheet } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './login.css?inline'
import { translateLoginError } from './translateLoginError.ts'
import { useClearErrorOnUnmount } from './useClearErrorOnUnmount.ts'
import { useLogin } from './useLogin.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Renders a form for changing the account's email address. */
export function UpdateEmailWallet({ data }: ViewProps<'UpdateEmailWallet'>): ReactNode {
  useStyleSheet(css)
  const text = useLoginTranslations()
  const { login, loadFailed } = useLogin()
  return (
    <Screen title={text('update.title')}>
      <Text tone="soft">{text('update.body')}</Text>
      {loadFailed ? (
        <Notice kind="error">{text('login.loadFailed')}</Notice>
      ) : login ? (
        <Form login={login} data={data} />
      ) : (
        <Skeleton kind="row" count={2} />
      )}
    </Screen>
  )
}

function Form({
  login,
  data,
}: {
  readonly login: Login
  readonly data: ViewProps<'UpdateEmailWallet'>['data']
}): ReactNode {
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const now = useLogin()
  const { state, runAction } = now
  useClearErrorOnUnmount(now, state.error)
  const current = login.currentEmail()
  const [email, setEmail] = useState(data?.email ?? current ?? '')
  const busy = state.busy === 'update'
  const error = state.error && !busy ? translateLoginError(text, state.error) : undefined
  const newEmail = email.trim()
  const changed = newEmail.length > 3 && newEmail.toLowerCase() !== current?.toLowerCase()
  const redirectView = data?.redirectView

  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (changed && !busy) runAction((login) => login.updateEmail(newEmail, redirectView))
  }
  return (
    <form className="email" noValidate onSubmit={save}>
      <TextField
        type="email"
        inputMode="email"
        autoComplete="email"
        enterKeyHint="done"
        label={text('email.label')}
        value={email}
        readOnly={busy}
        error={error}
        hint={!changed && newEmail.length > 3 ? text('update.same') : undefined}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          if (state.error) runAction((login) => login.clearError())
        }}
      />
      <Button type="submit" kind="primary" wide busy={busy} disabled={!changed}>
        {text('update.save')}
      </Button>
      {redirectView && (
        <Button wide onClick={() => latchkey.modal.back()}>
          {text('update.cancel')}
        </Button>
      )}
    </form>
  )
}
