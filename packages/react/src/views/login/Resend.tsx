import { Button } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLoginText } from '../../i18n/useLoginText.ts'
import { useLogin } from './useLogin.ts'
import { useSecondsLeft } from './useSecondsLeft.ts'

/** What the button needs. */
export interface ResendProps {
  /** What is sent anew. */
  readonly what: 'otp' | 'device'
  /** The old code is of no use any more. */
  readonly onSent?: (() => void) | undefined
}

/** Another mail: counts down until it may be asked for, and keeps its focus meanwhile. */
export function Resend({ what, onSent }: ResendProps): ReactNode {
  const text = useLoginText()
  const { state, ask } = useLogin()
  const seconds = useSecondsLeft(state.resendAt)
  const sending = state.busy === 'email'
  return (
    <Button
      kind="quiet"
      size="small"
      busy={sending}
      aria-disabled={seconds > 0 || undefined}
      onClick={() => {
        if (seconds === 0) ask((login) => login.resend().then(onSent))
      }}
    >
      {seconds > 0 ? text(`${what}.resendIn`, { seconds: text.number(seconds) }) : text(`${what}.resend`)}
    </Button>
  )
}
