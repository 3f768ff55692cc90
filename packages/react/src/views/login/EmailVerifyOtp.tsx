import type { ReactNode } from 'react'
import { useLoginTranslations } from '../../i18n/useLoginTranslations.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { OtpForm } from './OtpForm.tsx'
import { ResendEmailButton } from './ResendEmailButton.tsx'

/** Asks for the login code. */
export function EmailVerifyOtp({ data }: ViewProps<'EmailVerifyOtp'>): ReactNode {
  const text = useLoginTranslations()
  return (
    <OtpForm title={text('otp.title')} email={data.email} submit={(login, code) => login.submitCode(code)}>
      {(clear) => <ResendEmailButton kind="otp" onSent={clear} />}
    </OtpForm>
  )
}
