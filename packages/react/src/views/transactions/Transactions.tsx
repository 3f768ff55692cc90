import type { PendingTransaction } from '@latchkey/core'
import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { Button, LiveRegion, Notice, Screen, Skeleton, Stack, Text, useStyleSheet, VirtualList } from '@latchkey/ui'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { type UseTransactionsReturnType, useTransactions } from '../../hooks/useTransactions.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { explorerLink } from '../explorerLink.ts'
import { translateError } from '../translateError.ts'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import { SentRow, TransactionRow } from './TransactionRow.tsx'
import css from './transactionList.css?inline'
import { transactionListMessages } from './transactionListMessages.ts'
import { transactionMessages } from './transactionMessages.ts'
import { useTransactionFormat } from './useTransactionFormat.ts'

const messages = { ...transactionMessages, ...transactionListMessages } as const

/** A row of the list: a heading, a transaction that the page sent, or a transaction of the history. */
type Entry =
  | { readonly kind: 'month'; readonly key: string; readonly date: Date; readonly isFirstOfYear: boolean }
  | { readonly kind: 'spam'; readonly key: string }
  | { readonly kind: 'sent'; readonly key: string; readonly sent: PendingTransaction }
  | { readonly kind: 'mined'; readonly key: string; readonly transaction: HistoryTransaction; readonly isSpam: boolean }

const placeholders = 3

/** Renders the account's transactions by year and month, newest first. Further pages load on scroll. Spam is hidden at first. */
export function Transactions(_: ViewProps<'Transactions'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const { network } = useNetwork()
  const history = useTransactions()
  const { transactionsByYear, spam, pending, loading, error, hasNextPage } = history
  const [showsSpam, setShowsSpam] = useState(false)
  const format = useTransactionFormat(network)
  const text = useTranslations(messages)
  const viewText = useTranslations(viewMessages)

  // Cache the entries of each month, because creating ten thousand entries for each page takes longer than a frame.
  const [monthEntries] = useState(() => new WeakMap<readonly HistoryTransaction[], readonly Entry[]>())
  const entries = useMemo(
    () => entriesOf({ transactionsByYear, spam: showsSpam ? spam : [], pending }, monthEntries),
    [transactionsByYear, spam, showsSpam, pending, monthEntries],
  )
  const dates = useMemo(
    () => ({
      month: new Intl.DateTimeFormat(text.locale, { month: 'long' }),
      year: new Intl.DateTimeFormat(text.locale, { year: 'numeric' }),
    }),
    [text.locale],
  )
  const draw = useCallback(
    (entry: Entry) => {
      switch (entry.kind) {
        case 'month':
          return (
            <div className="tx-head">
              {entry.isFirstOfYear && <h3>{dates.year.format(entry.date)}</h3>}
              <h4>{dates.month.format(entry.date)}</h4>
            </div>
          )
        case 'spam':
          return (
            <div className="tx-head">
              <h3>{text('activity.spam.tag')}</h3>
            </div>
          )
        case 'sent':
          return <SentRow sent={entry.sent} format={format} />
        case 'mined':
          return <TransactionRow transaction={entry.transaction} isSpam={entry.isSpam} format={format} />
      }
    },
    [format, text, dates],
  )
  const loadMore = (): void => {
    if (loading) return
    latchkey.track({ event: 'LOAD_MORE_TRANSACTIONS' })
    void history.fetchNextPage()
  }
  const isEmpty = entries.length === 0
  return (
    <Screen title={text('activity.title')}>
      <LiveRegion>{loading ? text('activity.loading') : ''}</LiveRegion>
      {history.isPartial && (
        <Notice kind="info">{text('activity.partial', { symbol: network?.nativeCurrency.symbol ?? '' })}</Notice>
      )}
      {error !== undefined && (
        <Notice
          kind="error"
          title={text(isEmpty ? 'activity.failed' : 'activity.moreFailed')}
          action={{
            label: text('common.retry'),
            busy: loading,
            onClick: () => void (isEmpty ? history.refresh() : history.fetchNextPage()),
          }}
        >
          {translateError(viewText, reasonOf(error))}
        </Notice>
      )}
      {spam.length > 0 && (
        <SpamNotice count={spam.length} isShown={showsSpam} onToggle={() => setShowsSpam(!showsSpam)} />
      )}
      {isEmpty && loading && <Skeleton kind="row" count={7} />}
      {isEmpty && !loading && error === undefined && <Nothing network={network?.name} />}
      {!isEmpty && (
        <div className={entries[0]?.kind === 'month' || entries[0]?.kind === 'spam' ? 'tx-headed' : undefined}>
          <VirtualList
            label={text('activity.title')}
            items={entries}
            count={entries.length + (hasNextPage && error === undefined ? placeholders : 0)}
            keyOf={(entry) => entry.key}
            rowHeight={64}
            gap={4}
            isPlain={explorerLink(network, 'tx', '') === undefined}
            placeholder={placeholder}
            onMissing={loadMore}
          >
            {draw}
          </VirtualList>
        </div>
      )}
    </Screen>
  )
}

const placeholder = (): ReactNode => <Skeleton kind="row" />

/** Renders the number of suspicious transactions, and a button that shows or hides them. */
function SpamNotice({
  count,
  isShown,
  onToggle,
}: {
  readonly count: number
  readonly isShown: boolean
  readonly onToggle: () => void
}): ReactNode {
  const text = useTranslations(messages)
  return (
    <div className="tx-spam">
      <Text tone="soft">{isShown ? text('activity.spam.warning') : text.plural('activity.spam', count)}</Text>
      <Button kind="quiet" size="small" aria-expanded={isShown} onClick={onToggle}>
        {text(isShown ? 'activity.spam.hide' : 'activity.spam.show')}
      </Button>
    </div>
  )
}

function Nothing({ network }: { readonly network: string | undefined }): ReactNode {
  const text = useTranslations(messages)
  return (
    <Stack align="center" gap={4}>
      <Text kind="row">{text('activity.empty.title')}</Text>
      {network !== undefined && <Text tone="soft">{text('activity.empty.body', { network })}</Text>}
    </Stack>
  )
}

/** Returns the rows: transactions that the page sent, then suspicious ones if they are shown, then the history by month. */
function entriesOf(
  { transactionsByYear, spam, pending }: Pick<UseTransactionsReturnType, 'transactionsByYear' | 'spam' | 'pending'>,
  known: WeakMap<readonly HistoryTransaction[], readonly Entry[]>,
): readonly Entry[] {
  const sent = pending.map((one): Entry => ({ kind: 'sent', key: `sent ${one.hash}`, sent: one }))
  const suspicious = spam.map(
    (transaction): Entry => ({ kind: 'mined', key: `spam ${transaction.id}`, transaction, isSpam: true }),
  )
  const months = transactionsByYear.flatMap(({ year, months }) =>
    months.map(({ month, transactions }, at) => {
      const before = known.get(transactions)
      if (before) return before
      const date = new Date(year, month)
      const entries: readonly Entry[] = [
        { kind: 'month', key: `${year}-${month}`, date, isFirstOfYear: at === 0 },
        ...transactions.map(
          (transaction): Entry => ({ kind: 'mined', key: transaction.id, transaction, isSpam: false }),
        ),
      ]
      known.set(transactions, entries)
      return entries
    }),
  )
  return sent.concat(suspicious.length > 0 ? { kind: 'spam', key: 'spam' } : [], suspicious, ...months)
}

/** Returns the cause of an error if it is more specific, such as that the server did not respond. */
function reasonOf(error: LatchkeyError): LatchkeyError {
  return isLatchkeyError(error.cause) ? error.cause : error
}
