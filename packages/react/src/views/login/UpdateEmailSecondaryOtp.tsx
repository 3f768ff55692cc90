import type { ReactNode } from 'react'
import { useLoginTranslations } from '../../i18n/useLoginTranslations.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { ChangeEmailAgainButton } from './ChangeEmailAgainButton.tsx'
import { OtpForm } from './OtpForm.tsx'

/** The code from the new address: it is the visitor's, and spelled right. */
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
