import type { Views } from '@latchkey/core'
import { Button } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Renders a button that returns to the email form and keeps the entered address. */
export function ChangeEmailAgainButton({ data }: { readonly data: Views['UpdateEmailPrimaryOtp'] }): ReactNode {
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  return (
    <Button kind="quiet" size="small" onClick={() => latchkey.modal.replace('UpdateEmailWallet', data)}>
      {text('update.again')}
    </Button>
  )
}
