import type { ReactNode } from 'react'
import { useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { CodeForm } from './CodeForm.tsx'
import { Resend } from './Resend.tsx'

/** The code that logs in. */
export function EmailVerifyOtp({ data }: ViewProps<'EmailVerifyOtp'>): ReactNode {
  const text = useLoginText()
  return (
    <CodeForm title={text('otp.title')} email={data.email} submit={(login, code) => login.submitCode(code)}>
      {(clear) => <Resend what="otp" onSent={clear} />}
    </CodeForm>
  )
}
