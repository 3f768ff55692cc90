import type { ReactNode } from 'react'
import { useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { CodeForm } from './CodeForm.tsx'
import { StartOver } from './StartOver.tsx'

/** The code from the new address: it is the visitor's, and spelled right. */
export function UpdateEmailSecondaryOtp({ data }: ViewProps<'UpdateEmailSecondaryOtp'>): ReactNode {
  const text = useLoginText()
  return (
    <CodeForm
      title={text('update.secondary.title')}
      email={data.email}
      submit={(login, code) => login.submitSecondaryCode(code)}
    >
      {() => <StartOver data={data} />}
    </CodeForm>
  )
}
