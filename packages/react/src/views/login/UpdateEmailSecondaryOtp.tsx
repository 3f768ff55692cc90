import type { ReactNode } from 'react'
import type { ViewProps } from '../viewProps.ts'
import { ChangeEmailAgainButton } from './ChangeEmailAgainButton.tsx'
import { OtpForm } from './OtpForm.tsx'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Prompts the user for the code that was sent to the new address. The code verifies the address. */
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
