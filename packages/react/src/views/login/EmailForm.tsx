import { Button, Icon, IconButton, LiveRegion, moreIcons, TextField } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { translateLoginError } from './translateLoginError.ts'
import { useClearErrorOnUnmount } from './useClearErrorOnUnmount.ts'
import { useLogin } from './useLogin.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Props for `EmailForm`. */
export interface EmailFormProps {
  /** Whether to render the form on a single line, for use next to other connection methods. */
  readonly compact?: boolean | undefined
  readonly disabled?: boolean | undefined
}

/** Renders a form for logging in with an email address. */
export function EmailForm({ compact, disabled = false }: EmailFormProps): ReactNode {
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const now = useLogin()
  const { state, loadFailed, runAction } = now
  useClearErrorOnUnmount(now, state.error)
  // The address is restored when the user returns to the form.
  const [typed, setTyped] = useState<string>()
  const email = typed ?? state.email ?? ''
  const inWindow = state.busy === 'window'
  const busy = inWindow || state.busy === 'email'
  const error = loadFailed
    ? text('login.loadFailed')
    : state.error && (state.busy === undefined || state.error.code === 'frame/unreachable')
      ? translateLoginError(text, state.error)
      : undefined

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!busy && !disabled && email.trim() !== '') runAction((login) => login.submitEmail(email.trim()))
  }
  return (
    <form className="email" data-compact={compact || undefined} noValidate onSubmit={submit}>
      <TextField
        type="email"
        inputMode="email"
        autoComplete="email"
        enterKeyHint="go"
        label={text('email.label')}
        hideLabel={compact}
        placeholder={compact ? text('email.label') : undefined}
        value={email}
        readOnly={busy}
        disabled={disabled}
        error={error}
        leading={compact ? <Icon name={moreIcons.mail} /> : undefined}
        trailing={
          compact ? (
            <IconButton
              type="submit"
              icon="forward"
              label={text('email.submit')}
              busy={busy}
              disabled={disabled || email.trim() === ''}
            />
          ) : undefined
        }
        onFocus={() => latchkey.track({ event: 'EMAIL_LOGIN_SELECTED' })}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          if (state.error) runAction((login) => login.clearError())
        }}
      />
      {!compact && (
        <Button type="submit" kind="primary" wide busy={busy} disabled={disabled || email.trim() === ''}>
          {text('email.submit')}
        </Button>
      )}
      <LiveRegion>{busy ? text(inWindow ? 'email.window' : 'email.sending') : ''}</LiveRegion>
    </form>
  )
}
