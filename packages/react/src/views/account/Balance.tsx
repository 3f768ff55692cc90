import type { QueryResult } from '@latchkey/core'
import type { NativeBalance } from '@latchkey/core/adapter'
import { balanceText } from '@latchkey/protocol/balanceText'
import { AmountText, IconButton, Skeleton, VisuallyHidden } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { accountMessages } from './accountMessages.ts'

/** Balances with more characters are shown in a smaller size. */
const longBalance = 13

/** Renders the native balance with its loading and error states. The last known balance stays visible during a refresh. */
export function Balance({ reading }: { readonly reading: QueryResult<NativeBalance> }): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(accountMessages)
  const value = 'value' in reading ? reading.value : undefined
  const shown = value && balanceText(value.value, value.decimals, text.locale)
  return (
    <div
      className="me-balance"
      aria-busy={reading.status === 'loading' || undefined}
      data-long={(shown !== undefined && shown.length > longBalance) || undefined}
      data-failed={(value === undefined && reading.status === 'failed') || undefined}
    >
      <VisuallyHidden>{text('account.balance')}</VisuallyHidden>
      {value !== undefined && <AmountText whole={shown ?? ''} symbol={value.symbol} />}
      {value === undefined && reading.status !== 'failed' && (
        <>
          <Skeleton width="96px" />
          <VisuallyHidden>{text('account.balanceLoading')}</VisuallyHidden>
        </>
      )}
      {reading.status === 'failed' && (
        <>
          {value === undefined && <span>{text('account.balanceFailed')}</span>}
          <IconButton
            icon="retry"
            label={text('common.retry')}
            onClick={() => void latchkey.refresh({ force: true }).catch(() => undefined)}
          />
        </>
      )}
    </div>
  )
}
