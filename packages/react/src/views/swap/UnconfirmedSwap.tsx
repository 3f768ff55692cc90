import type { Swap } from '@latchkey/core'
import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { swapNoticeMessages } from './swapNoticeMessages.ts'

/** Renders the warning that a transaction may have been sent. The user must dismiss it before starting another swap. */
export function UnconfirmedSwap({ swap }: { readonly swap: Swap }): ReactNode {
  const text = useTranslations(swapNoticeMessages)
  return (
    <Notice
      kind="warning"
      title={text('swap.unconfirmed.title')}
      action={{ label: text('swap.unconfirmed.confirm'), icon: 'check', onClick: () => swap.dismissUnconfirmed() }}
    >
      {text('swap.unconfirmed.body')}
    </Notice>
  )
}
