import type { PendingTransaction } from '@latchkey/core'
import type { HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import {
  Icon,
  moreIcons,
  Row,
  type RowProps,
  Spinner,
  shortAddress,
  type Tag,
  useStyleSheet,
  VisuallyHidden,
  WalletLogo,
} from '@latchkey/ui'
import type { ReactNode } from 'react'
import { explorerLink } from '../explorerLink.ts'
import css from './transactions.css?inline'
import { summarizeTransfers, type TransferTotal } from './transferSummary.ts'
import type { TransactionFormat } from './useTransactionFormat.ts'

const types = [
  'approve',
  'borrow',
  'burn',
  'buy',
  'cancel',
  'claim',
  'deploy',
  'deposit',
  'execute',
  'mint',
  'receive',
  'repay',
  'sell',
  'send',
  'stake',
  'trade',
  'unstake',
  'withdraw',
] as const

/** Props for `TransactionRow`. */
export interface TransactionRowProps {
  readonly transaction: HistoryTransaction
  /** From `useTransactionFormat()`. */
  readonly format: TransactionFormat
  /** Whether all of the transaction's transfers are spam. If they are, amounts and logos are hidden. */
  readonly isSpam?: boolean | undefined
}

/** Renders a transaction of the history, as a link to the block explorer if the network has one. */
export function TransactionRow({ transaction, format, isSpam = false }: TransactionRowProps): ReactNode {
  useStyleSheet(css)
  const { metadata } = transaction
  const { text, ago, network } = format
  const totals = isSpam ? [] : summarizeTransfers(transaction.transfers)
  const age = ago(Date.parse(metadata.minedAt))
  const link = explorerLink(network, 'tx', metadata.hash)
  const status = statusOf(transaction, { isSpam, format })
  // The counterparty takes the place of the age, which is then shown below the amount, if there is room for it.
  const other = status === undefined && totals.length < 2 ? counterpartyOf(transaction, format) : undefined
  return (
    <Row
      icon={iconOf(transaction, totals)}
      detail={<span className="tx-detail">{other ?? age}</span>}
      trailing={
        <span className="tx-end" data-failed={metadata.status === 'failed' || undefined}>
          {totals.map((total) => (
            <TransferAmount key={`${total.direction} ${total.symbol}`} total={total} format={format} />
          ))}
          {status && (
            <span className="tx-status" data-tone={status.tone}>
              {status.text}
            </span>
          )}
          {other !== undefined && <span className="tx-age">{age}</span>}
        </span>
      }
      href={link?.href}
    >
      {typeOf(transaction, format)}
      {link && <VisuallyHidden> {text('common.newTab')}</VisuallyHidden>}
    </Row>
  )
}

/** Renders a transaction that the page sent and that the history does not contain yet. */
export function SentRow({
  sent: { label, hash, status, addedAt, isFromHost },
  format: { text, ago, network },
}: {
  readonly sent: PendingTransaction
  readonly format: TransactionFormat
}): ReactNode {
  useStyleSheet(css)
  const link = explorerLink(network, 'tx', hash)
  return (
    <Row
      icon={status === 'pending' ? <Spinner /> : <Icon name={status === 'done' ? 'check' : 'warning'} size={24} />}
      detail={isFromHost ? `${ago(addedAt)} · ${text('activity.fromHost')}` : ago(addedAt)}
      tag={
        status === 'pending'
          ? { text: text('activity.pending') }
          : status === 'done'
            ? { text: text('activity.done'), tone: 'success' }
            : status === 'replaced' || status === 'dropped'
              ? { text: text(`activity.${status}`), tone: 'warning' }
              : { text: text('activity.failedTag'), tone: 'danger' }
      }
      href={link?.href}
    >
      {label}
      {link && <VisuallyHidden> {text('common.newTab')}</VisuallyHidden>}
    </Row>
  )
}

function iconOf({ metadata }: HistoryTransaction, totals: readonly TransferTotal[]): RowProps['icon'] {
  const [first, second] = totals
  if (!first) return metadata.operationType === 'approve' ? 'check' : moreIcons.activity
  if (!second) return <WalletLogo name={first.symbol} src={first.iconUrl} shape={first.isNft ? 'square' : 'round'} />
  return (
    <span className="tx-logos">
      {[first, second].map(({ symbol, iconUrl, isNft, direction }) => (
        <WalletLogo
          key={`${direction} ${symbol}`}
          name={symbol}
          src={iconUrl}
          size={24}
          shape={isNft ? 'square' : 'round'}
        />
      ))}
    </span>
  )
}

function TransferAmount({
  total: { direction, numeric, symbol, isNft },
  format: { quantity, text },
}: {
  readonly total: TransferTotal
  readonly format: TransactionFormat
}): ReactNode {
  const sign = { in: '+', out: '\u2212', self: '' }[direction]
  // A single NFT is shown by its name only.
  const amount = isNft && numeric === '1' ? '' : `${quantity(numeric)}\u2009`
  return (
    <bdi className="tx-amount" data-direction={direction}>
      {sign}
      {amount}
      <span className="tx-symbol">{symbol || (isNft ? text('activity.nft') : '')}</span>
    </bdi>
  )
}

function typeOf({ metadata, transfers }: HistoryTransaction, { text }: TransactionFormat): string {
  const { operationType } = metadata
  if (operationType === 'bought') return text('activity.type.buy')
  if (operationType === 'send' && transfers.length > 0 && transfers.every(({ direction }) => direction === 'self'))
    return text('activity.type.self')
  const known = types.find((type) => type === operationType)
  return text(known ? `activity.type.${known}` : 'activity.type.unknown')
}

/** Returns the app's name or the counterparty's shortened address, if it is known. */
function counterpartyOf({ metadata }: HistoryTransaction, { text }: TransactionFormat): ReactNode {
  const { application, operationType, sentFrom, sentTo } = metadata
  if (application?.name) return application.name
  const short = (address: string): ReactNode => <bdi dir="ltr">{shortAddress(address)}</bdi>
  if (operationType === 'receive' && sentFrom) return text.rich('activity.from', { address: short(sentFrom) })
  if (operationType === 'send' && sentTo) return text.rich('activity.to', { address: short(sentTo) })
  return undefined
}

/** Returns the tag for a suspicious, failed or pending transaction. Other transactions have none. */
function statusOf(
  { metadata }: HistoryTransaction,
  { isSpam, format: { text } }: { isSpam: boolean; format: TransactionFormat },
): Tag | undefined {
  if (isSpam) return { text: text('activity.spam.tag'), tone: 'warning' }
  if (metadata.status === 'failed') return { text: text('activity.failedTag'), tone: 'danger' }
  if (metadata.status === 'pending') return { text: text('activity.pending') }
  return undefined
}
