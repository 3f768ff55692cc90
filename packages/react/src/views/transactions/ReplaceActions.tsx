import type { PendingTransaction } from '@latchkey/core'
import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { Button, Notice, Stack, useStyleSheet } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import type { UseTransactionsReturnType } from '../../hooks/useTransactions.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import css from './replaceActions.css?inline'
import { replaceMessages } from './replaceMessages.ts'

/** Renders the buttons that speed up or cancel a pending transaction. The user confirms both in the wallet. */
export function ReplaceActions({
  sent,
  failed,
  replace,
}: {
  readonly sent: PendingTransaction
  /** Whether the last attempt has failed. */
  readonly failed: boolean
  readonly replace: UseTransactionsReturnType['replace']
}): ReactNode {
  useStyleSheet(css)
  const text = useTranslations(replaceMessages)
  const [status, setStatus] = useState<'idle' | 'speeding' | 'cancelling' | 'failed'>(failed ? 'failed' : 'idle')
  const isBusy = status === 'speeding' || status === 'cancelling'
  const run = (cancels: boolean): void => {
    if (isBusy) return
    setStatus(cancels ? 'cancelling' : 'speeding')
    const label = cancels ? text('activity.cancelled', { label: sent.label }) : sent.label
    replace({ transaction: sent, cancels, label }).then(
      () => setStatus('idle'),
      (error: unknown) => setStatus(isLatchkeyError(error, 'user/rejected') ? 'idle' : 'failed'),
    )
  }
  return (
    <Stack gap={8}>
      <div className="tx-actions">
        <Button size="small" busy={status === 'speeding'} onClick={() => run(false)}>
          {text('activity.speedUp')}
        </Button>
        <Button size="small" kind="quiet" busy={status === 'cancelling'} onClick={() => run(true)}>
          {text('activity.cancelPending')}
        </Button>
      </div>
      {status === 'failed' && <Notice kind="warning">{text('activity.replaceFailed')}</Notice>}
    </Stack>
  )
}
