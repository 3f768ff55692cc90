import type { ReactNode } from 'react'
import type { ViewProps } from '../viewProps.ts'
import { ChangeEmailAgainButton } from './ChangeEmailAgainButton.tsx'
import { OtpForm } from './OtpForm.tsx'
import { useLogin } from './useLogin.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Prompts the user for the code that was sent to the current address. The code authorizes the change. */
export function UpdateEmailPrimaryOtp({ data }: ViewProps<'UpdateEmailPrimaryOtp'>): ReactNode {
  const text = useLoginTranslations()
  // The route contains the new address, but this code was sent to the current one.
  const { login } = useLogin()
  return (
    <OtpForm
      title={text('update.primary.title')}
      email={login?.currentEmail() ?? '…'}
      submit={(login, code) => login.submitPrimaryCode(code)}
    >
      {() => <ChangeEmailAgainButton data={data} />}
    </OtpForm>
  )
}
