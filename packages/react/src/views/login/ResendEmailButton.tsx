import { Button } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useCountdown } from './useCountdown.ts'
import { useLogin } from './useLogin.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Props for `ResendEmailButton`. */
export interface ResendEmailButtonProps {
  /** The kind of email to resend. */
  readonly kind: 'otp' | 'device'
  /** Called after a new email has been sent, which invalidates the previous code. */
  readonly onSent?: (() => void) | undefined
}

/** Renders a button that resends an email. During the cooldown, it shows a countdown and can still be focused. */
export function ResendEmailButton({ kind, onSent }: ResendEmailButtonProps): ReactNode {
  const text = useLoginTranslations()
  const { state, runAction } = useLogin()
  const seconds = useCountdown(state.resendAt)
  const sending = state.busy === 'email'
  return (
    <Button
      kind="quiet"
      size="small"
      busy={sending}
      aria-disabled={seconds > 0 || undefined}
      onClick={() => {
        if (seconds === 0) runAction((login) => login.resend().then(onSent))
      }}
    >
      {seconds > 0 ? text(`${kind}.resendIn`, { seconds: text.number(seconds) }) : text(`${kind}.resend`)}
    </Button>
  )
}
