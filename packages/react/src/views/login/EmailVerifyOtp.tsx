import type { ReactNode } from 'react'
import type { ViewProps } from '../viewProps.ts'
import { OtpForm } from './OtpForm.tsx'
import { ResendEmailButton } from './ResendEmailButton.tsx'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Prompts the user for the login code from the email. */
export function EmailVerifyOtp({ data }: ViewProps<'EmailVerifyOtp'>): ReactNode {
  const text = useLoginTranslations()
  return (
    <OtpForm title={text('otp.title')} email={data.email} submit={(login, code) => login.submitCode(code)}>
      {(clear) => <ResendEmailButton kind="otp" onSent={clear} />}
    </OtpForm>
  )
}
