import type { Swap, SwapReview, SwapState } from '@latchkey/core'
import { Checkbox, Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { exactAmount } from '../tokens/tokenAmounts.ts'
import { translateError } from '../translateError.ts'
import { viewMessages } from '../viewMessages.ts'
import { impactLimits, percentText, shortAmount } from './swapFormat.ts'
import { swapNoticeMessages } from './swapNoticeMessages.ts'
import { swapReviewNoticeMessages } from './swapReviewNoticeMessages.ts'
import { UnconfirmedSwap } from './UnconfirmedSwap.tsx'
import { useSwapTranslations } from './useSwap.ts'

/** Renders the problems of a swap under review, and the checkbox for accepting a large loss or an unknown value. */
export function SwapReviewNotices({
  swap,
  state,
  review,
  isAccepted,
  onAccept,
}: {
  readonly swap: Swap
  readonly state: SwapState
  readonly review: SwapReview
  /** Whether the user has accepted the loss, or has compared the price elsewhere if the loss is unknown. */
  readonly isAccepted: boolean
  readonly onAccept: (accepts: boolean) => void
}): ReactNode {
  const text = useSwapTranslations()
  const noticeText = useTranslations(swapReviewNoticeMessages)
  const worseText = useTranslations(swapNoticeMessages)
  const { error, quote } = review
  const { to, received, minimum, impactBps: impact } = quote
  const isRisky = impact === undefined || impact >= impactLimits.accepted
  return (
    <>
      {state.unconfirmed && <UnconfirmedSwap swap={swap} />}
      {review.hasWorsened && (
        <Notice
          kind="warning"
          title={noticeText('swapReview.moved.title')}
          action={{ label: noticeText('swapReview.moved.accept'), icon: 'check', onClick: () => swap.accept() }}
        >
          {noticeText.rich('swapReview.moved.body', {
            amount: <bdi>{shortAmount(received, to, text.locale)}</bdi>,
            minimum: <bdi>{exactAmount(minimum, to, text.locale)}</bdi>,
          })}
        </Notice>
      )}
      {error && <Failure swap={swap} review={review} />}
      {impact === undefined && <Notice kind="warning">{noticeText('swapReview.unpriced')}</Notice>}
      {impact !== undefined && impact >= impactLimits.noticed && (
        <Notice kind={isRisky ? 'error' : 'warning'}>
          {worseText('swap.worse', { percent: percentText(impact, text.locale) })}
        </Notice>
      )}
      {isRisky && (
        <Checkbox checked={isAccepted} onChange={onAccept}>
          {impact === undefined
            ? noticeText('swapReview.unpriced.accept')
            : noticeText('swapReview.risk', { percent: percentText(impact, text.locale) })}
        </Checkbox>
      )}
    </>
  )
}

/** Renders what could not be verified about a swap, and the checkbox for confirming it. */
export function UnverifiedSwap({ swap, review }: { readonly swap: Swap; readonly review: SwapReview }): ReactNode {
  const text = useTranslations(swapReviewNoticeMessages)
  const { unverified, unverifiedConfirmed, quote } = review
  if (unverified.length === 0) return null
  const amount = exactAmount(quote.amount, quote.from, text.locale)
  const isOfContract = unverified.some((part) => part === 'contract' || part === 'call')
  return (
    <>
      <Notice kind="error" title={text('swapReview.unverified.title')}>
        {unverified.map((part) => (
          <p key={part}>{text(`swapReview.unverified.${part}`, { amount })}</p>
        ))}
      </Notice>
      <Checkbox checked={unverifiedConfirmed} onChange={(confirmed) => swap.confirmUnverified(confirmed)}>
        {text(isOfContract ? 'swapReview.unverified.confirm' : 'swapReview.unverified.check')}
      </Checkbox>
    </>
  )
}

/** Renders why the last step failed. */
function Failure({ swap, review }: { readonly swap: Swap; readonly review: SwapReview }): ReactNode {
  const text = useSwapTranslations()
  const noticeText = useTranslations(swapReviewNoticeMessages)
  const commonText = useTranslations(viewMessages)
  const latchkey = useLatchkey()
  const { error, quote } = review
  if (!error || error.code === 'swap/unconfirmed') return null
  const retry = { label: text('common.retry'), onClick: () => swap.retry() }
  switch (error.code) {
    case 'swap/insufficient-balance':
      return <Notice kind="error">{text('swap.funds')}</Notice>
    case 'swap/insufficient-gas':
      return (
        <Notice kind="error">
          {text('swap.gas', { symbol: latchkey.network(quote.from.chain)?.nativeCurrency.symbol ?? '' })}
        </Notice>
      )
    case 'swap/allowance-failed':
    case 'swap/approval-failed':
    case 'swap/build-failed':
      return (
        <Notice kind="error" action={retry}>
          {noticeText('swapReview.notBuilt')}
        </Notice>
      )
    case 'user/rejected':
      return review.hasApproval && review.step === 'swap' ? (
        <Notice
          kind="warning"
          action={{
            label: noticeText('swapReview.revoke'),
            icon: 'close',
            onClick: () =>
              void swap.revoke({ label: noticeText('swapReview.revoke.label', { token: quote.from.symbol }) }),
          }}
        >
          {noticeText('swapReview.rejectedSwap', { amount: exactAmount(quote.amount, quote.from, text.locale) })}
        </Notice>
      ) : (
        <Notice kind="warning">{noticeText('swapReview.rejected')}</Notice>
      )
    case 'swap/outdated':
      return <Notice kind="warning">{noticeText('swapReview.outdated')}</Notice>
    case 'swap/reverted':
      return (
        <Notice kind="error" action={retry}>
          {noticeText('swapReview.reverted')}
        </Notice>
      )
    case 'swap/unsupported-network':
      return <Notice kind="error">{text('swap.unsupported')}</Notice>
    case 'wallet/unsupported':
      return <Notice kind="error">{noticeText('swapReview.noWallet')}</Notice>
    default:
      return (
        <Notice kind="error" action={retry}>
          {translateError(commonText, error)}
        </Notice>
      )
  }
}
