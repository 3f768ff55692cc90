import type { ReactNode } from 'react'
import { useLoginTranslations } from '../../i18n/useLoginTranslations.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { ChangeEmailAgainButton } from './ChangeEmailAgainButton.tsx'
import { OtpForm } from './OtpForm.tsx'
import { useLogin } from './useLogin.ts'

/** The code from the current address: whoever has it may change the address. */
export function UpdateEmailPrimaryOtp({ data }: ViewProps<'UpdateEmailPrimaryOtp'>): ReactNode {
  const text = useLoginTranslations()
  // The route knows the new address; this code went to the one there is.
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
