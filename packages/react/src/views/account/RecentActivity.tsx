import type { Network } from '@latchkey/core/adapter'
import { LiveRegion, moreIcons, Notice, Row, Skeleton, Stack, Text, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTransactions } from '../../hooks/useTransactions.ts'
import { SentRow, TransactionRow } from '../transactions/TransactionRow.tsx'
import { useTransactionFormat } from '../transactions/useTransactionFormat.ts'
import { useLazyModule } from '../useLazyModule.ts'
import css from './accountLists.css?inline'

const loadReplaceActions = async () => (await import('../transactions/ReplaceActions.tsx')).ReplaceActions

/** The number of rows. */
const recentRows = 4

/** Renders the account's latest activity: first the transactions that the page sent, then the history. */
export function RecentActivity({ network }: { readonly network: Network | undefined }): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const { transactions, spam, pending, loading, error, refresh, canReplace, replaceFailed, replace } = useTransactions()
  const format = useTransactionFormat(network)
  const { text } = format
  const sent = pending.slice(0, recentRows)
  const mined = transactions.slice(0, recentRows - sent.length)
  const { value: ReplaceActions } = useLazyModule(loadReplaceActions, sent.some(canReplace))
  const isEmpty = sent.length + mined.length === 0
  return (
    <Stack gap={8}>
      <LiveRegion>{loading && isEmpty ? text('activity.loading') : ''}</LiveRegion>
      {error !== undefined && (
        <Notice
          kind="warning"
          title={text('activity.failed')}
          action={{ label: text('common.retry'), busy: loading, onClick: () => void refresh() }}
        />
      )}
      {isEmpty && loading && (
        <div className="tokens">
          <Skeleton kind="row" count={recentRows} />
        </div>
      )}
      {isEmpty && !loading && error === undefined && (
        <Stack align="center">
          <Text tone="soft">{text('activity.empty.title')}</Text>
        </Stack>
      )}
      {!isEmpty && (
        <ul className="tokens" aria-label={text('activity.title')}>
          {sent.map((transaction) => (
            <li key={transaction.hash}>
              <SentRow sent={transaction} format={format} />
              {ReplaceActions && canReplace(transaction) && (
                <ReplaceActions sent={transaction} failed={replaceFailed(transaction)} replace={replace} />
              )}
            </li>
          ))}
          {mined.map((transaction) => (
            <li key={transaction.id}>
              <TransactionRow transaction={transaction} format={format} />
            </li>
          ))}
        </ul>
      )}
      {(!isEmpty || spam.length > 0) && (
        <Row
          icon={moreIcons.activity}
          trailing="chevron"
          onClick={() => {
            latchkey.track({ event: 'CLICK_TRANSACTIONS' })
            latchkey.modal.push('Transactions')
          }}
        >
          {text('activity.all')}
        </Row>
      )}
    </Stack>
  )
}
