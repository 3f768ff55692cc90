import type { ReactNode } from 'react'
import { useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { CodeForm } from './CodeForm.tsx'
import { StartOver } from './StartOver.tsx'
import { useLogin } from './useLogin.ts'

/** The code from the current address: whoever has it may change the address. */
export function UpdateEmailPrimaryOtp({ data }: ViewProps<'UpdateEmailPrimaryOtp'>): ReactNode {
  const text = useLoginText()
  // The route knows the new address; this code went to the one there is.
  const { login } = useLogin()
  return (
    <CodeForm
      title={text('update.primary.title')}
      email={login?.currentEmail() ?? '…'}
      submit={(login, code) => login.submitPrimaryCode(code)}
    >
      {() => <StartOver data={data} />}
    </CodeForm>
  )
}
