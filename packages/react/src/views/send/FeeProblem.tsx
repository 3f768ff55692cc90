import type { SendState } from '@latchkey/core'
import { formatUnits } from '@latchkey/protocol/amount'
import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import type { FeeCurrency } from './SendFee.tsx'
import { sendFailureMessages } from './sendFailureMessages.ts'

const known = [
  'recipient-minimum',
  'sender-minimum',
  'not-a-recipient',
  'no-token',
  'token-refuses',
  'decimals',
] as const

/** Renders why a transfer would fail, or that its fee could not be estimated. Renders nothing unless the estimate failed. */
export function FeeProblem({
  fee,
  currency,
  network,
  onRetry,
}: {
  readonly fee: SendState['fee']
  readonly currency: FeeCurrency
  readonly network: string
  readonly onRetry: () => void
}): ReactNode {
  const text = useTranslations(sendFailureMessages)
  if (fee.status !== 'failed') return null
  const { error } = fee
  if (!isLatchkeyError(error, 'send/would-fail'))
    return (
      <Notice kind="warning" action={{ label: text('common.retry'), onClick: onRetry }}>
        {text('send.fee.failed')}
      </Notice>
    )
  const { reason, minimum = '0' } = error.details
  const found = known.find((name) => name === reason)
  const least = `${formatUnits(BigInt(minimum), currency.decimals)}\u2009${currency.symbol}`
  return (
    <Notice kind="error" title={text('send.fail.title')}>
      {found ? text(`send.fail.${found}`, { network, minimum: least }) : text('send.fail.node', { reason })}
    </Notice>
  )
}
