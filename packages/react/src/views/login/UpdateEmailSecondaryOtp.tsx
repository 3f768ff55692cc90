import type { ReactNode } from 'react'
import type { ViewProps } from '../../modal/viewProps.ts'
import { ChangeEmailAgainButton } from './ChangeEmailAgainButton.tsx'
import { OtpForm } from './OtpForm.tsx'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Asks for the code sent to the new address, which verifies it. */
export function UpdateEmailSecondaryOtp({ data }: ViewProps<'UpdateEmailSecondaryOtp'>): ReactNode {
  const text = useLoginTranslations()
  return (
    <OtpForm
      title={text('update.secondary.title')}
      email={data.email}
      submit={(login, code) => login.submitSecondaryCode(code)}
    >
      {() => <ChangeEmailAgainButton data={data} />}
    </OtpForm>
  )
}
