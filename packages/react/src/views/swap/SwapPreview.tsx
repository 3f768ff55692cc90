import type { SwapReview, SwapState, Swap as Swaps } from '@latchkey/core'
import { Address, Button, Checkbox, Notice, Screen, Stack, Text, useStyleSheet, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { FeatureFallback } from '../FeatureFallback.tsx'
import { exactAmount, fiatValue } from '../tokens/tokenAmounts.ts'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import { translateError } from '../translateError.ts'
import { useLoaded } from '../useLoaded.ts'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import { impactLimits, percentText, SwapFacts, shortAmount } from './SwapDetails.tsx'
import type { SwapOutcomeProps } from './SwapOutcome.tsx'
import css from './swap.css?inline'
import { swapReviewMessages } from './swapReviewMessages.ts'
import { UnconfirmedSwap } from './UnconfirmedSwap.tsx'
import { useSwap, useSwapTranslations } from './useSwap.ts'

// Size budget: 5.6 kB, because of the quote with its fees, the steps before the swap, and a sentence for each failure and for each part
// that could not be verified.

/** Renders the summary of a swap and, after the user has confirmed it, its progress and outcome. */
export function SwapPreview(_: ViewProps<'SwapPreview'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useSwapTranslations()
  const reviewText = useTranslations(swapReviewMessages)
  const access = useSwap()
  if (access.status !== 'ready' || !access.state.review)
    return (
      <Screen title={text('swap.review')}>
        <FeatureFallback access={access} />
        {access.status === 'ready' && (
          <Button wide onClick={() => latchkey.modal.replace('Swap')}>
            {reviewText('swapReview.edit')}
          </Button>
        )}
      </Screen>
    )
  const { feature: swap, state } = access
  const { review } = state as SwapState & { review: SwapReview }
  return review.status === 'preparing' || review.status === 'ready' ? (
    <Review swap={swap} state={state} review={review} />
  ) : (
    <LazyOutcome swap={swap} review={review} />
  )
}

const loadOutcome = async () => (await import('./SwapOutcome.tsx')).SwapOutcome

/** Renders the progress of a swap, whose code is only loaded once the swap was confirmed. */
function LazyOutcome(props: SwapOutcomeProps): ReactNode {
  const text = useSwapTranslations()
  const { value: SwapOutcome, failed, retry } = useLoaded(loadOutcome)
  if (SwapOutcome) return <SwapOutcome {...props} />
  return (
    <Screen title={text('swap.title')}>
      <FeatureFallback access={failed ? { status: 'failed', retry } : { status: 'loading' }} />
    </Screen>
  )
}

interface Part {
  readonly swap: Swaps
  readonly review: SwapReview
}

function Review({ swap, state, review }: Part & { readonly state: SwapState }): ReactNode {
  const latchkey = useLatchkey()
  const text = useSwapTranslations()
  const reviewText = useTranslations(swapReviewMessages)
  const [accepted, setAccepted] = useState<number>()
  const { quote, step, status, error, unverified } = review
  const isTrusted = unverified.length === 0 || review.unverifiedConfirmed
  const { from, to, amount, received, minimum, impactBps: impact } = quote
  const isRisky = impact !== undefined && impact >= impactLimits.accepted
  // The user must accept a larger loss again.
  const isAccepted = !isRisky || (accepted !== undefined && impact <= accepted + impactLimits.noticed)
  const isShort = error?.code === 'swap/insufficient-balance' || error?.code === 'swap/insufficient-gas'
  const isUnbuilt = step === undefined || /-failed$/.test(error?.code ?? '')
  const paid = exactAmount(amount, from, text.locale)
  const expected = shortAmount(received, to, text.locale)
  const labels = {
    reset: reviewText('swapReview.reset', { token: from.symbol }),
    approve: reviewText('swapReview.approval', { token: from.symbol }),
    swap: reviewText('swapReview.label', { from: paid, to: to.symbol }),
  }
  const back = (): void => {
    swap.cancelReview()
    latchkey.modal.back()
  }
  return (
    <Screen
      title={text('swap.review')}
      footer={
        <Stack gap={8}>
          <Button
            kind={isRisky || unverified.length > 0 ? 'danger' : 'primary'}
            wide
            busy={status === 'preparing'}
            disabled={isShort || isUnbuilt || !isAccepted || !isTrusted || review.hasWorsened || state.unconfirmed}
            onClick={() => void swap.confirm({ label: labels[step ?? 'swap'] })}
          >
            {status === 'preparing'
              ? reviewText('swapReview.preparing')
              : step === 'reset' || step === 'approve'
                ? labels[step]
                : reviewText('swapReview.confirm')}
          </Button>
          <Button kind={isRisky ? 'primary' : 'quiet'} wide onClick={back}>
            {reviewText('swapReview.back')}
          </Button>
        </Stack>
      }
    >
      <Headline label={text('swap.pay')} amount={paid} token={from} value={amount} />
      <Headline label={text('swap.receive')} amount={`≈\u00a0${expected}`} token={to} value={received} />
      {state.unconfirmed && <UnconfirmedSwap swap={swap} />}
      {review.hasWorsened && (
        <Notice
          kind="warning"
          title={reviewText('swapReview.moved.title')}
          action={{ label: reviewText('swapReview.moved.accept'), icon: 'check', onClick: () => swap.accept() }}
        >
          {reviewText.rich('swapReview.moved.body', {
            amount: <bdi>{expected}</bdi>,
            minimum: <bdi>{exactAmount(minimum, to, text.locale)}</bdi>,
          })}
        </Notice>
      )}
      {error && <Failure swap={swap} review={review} />}
      {impact === undefined && <Notice kind="warning">{reviewText('swapReview.unpriced')}</Notice>}
      {impact !== undefined && impact >= impactLimits.noticed && (
        <Notice kind={isRisky ? 'error' : 'warning'}>
          {text('swap.worse', { percent: percentText(impact, text.locale) })}
        </Notice>
      )}
      {isRisky && (
        <Checkbox checked={isAccepted} onChange={(checked) => setAccepted(checked ? impact : undefined)}>
          {reviewText('swapReview.risk', { percent: percentText(impact, text.locale) })}
        </Checkbox>
      )}
      {(step === 'reset' || step === 'approve') && (
        <Text tone="soft">
          {reviewText.rich(`swapReview.step.${step}`, { token: <bdi>{from.symbol}</bdi>, amount: <bdi>{paid}</bdi> })}
        </Text>
      )}
      <SwapFacts quote={quote} text={text}>
        <div>
          <dt>{reviewText('swapReview.network')}</dt>
          <dd>{latchkey.network(from.chain)?.name ?? from.chain}</dd>
        </div>
        {review.contract !== undefined && (
          <div data-wide="">
            <dt>{reviewText('swapReview.contract')}</dt>
            <dd>
              <Address address={review.contract} whole />
            </dd>
          </div>
        )}
      </SwapFacts>
      {unverified.length > 0 && (
        <>
          <Notice kind="error" title={reviewText('swapReview.unverified.title')}>
            {unverified.map((part) => (
              <p key={part}>{reviewText(`swapReview.unverified.${part}`, { amount: paid })}</p>
            ))}
          </Notice>
          <Checkbox checked={isTrusted} onChange={(confirmed) => swap.confirmUnverified(confirmed)}>
            {reviewText(
              unverified.some((part) => part === 'contract' || part === 'call')
                ? 'swapReview.unverified.confirm'
                : 'swapReview.unverified.check',
            )}
          </Checkbox>
        </>
      )}
    </Screen>
  )
}

/** Renders one side of the swap in a large font, with its value. */
function Headline({
  label,
  amount,
  token,
  value,
}: {
  readonly label: string
  readonly amount: string
  readonly token: SwapReview['quote']['from']
  readonly value: bigint
}): ReactNode {
  const format = useTokenFormat()
  const dollars = fiatValue(value, token)
  return (
    <div className="swap-headline">
      <WalletLogo name={token.symbol} src={token.unlisted ? undefined : token.iconUrl} shape="round" />
      <div>
        <span className="swap-label">{label}</span>
        <span className="swap-amount" data-long={amount.length > 16 || undefined}>
          <bdi>{amount}</bdi>
        </span>
        <span className="swap-label">
          {dollars === undefined ? format.text('tokens.noPrice') : <bdi>≈ {format.fiat(dollars)}</bdi>}
        </span>
      </div>
    </div>
  )
}

/** Renders why the last step failed. */
function Failure({ swap, review }: Part): ReactNode {
  const text = useSwapTranslations()
  const reviewText = useTranslations(swapReviewMessages)
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
          {reviewText('swapReview.notBuilt')}
        </Notice>
      )
    case 'user/rejected':
      return review.hasApproval && review.step === 'swap' ? (
        <Notice
          kind="warning"
          action={{
            label: reviewText('swapReview.revoke'),
            onClick: () =>
              void swap.revoke({ label: reviewText('swapReview.revoke.label', { token: quote.from.symbol }) }),
          }}
        >
          {reviewText('swapReview.rejectedSwap', { amount: exactAmount(quote.amount, quote.from, text.locale) })}
        </Notice>
      ) : (
        <Notice kind="warning">{reviewText('swapReview.rejected')}</Notice>
      )
    case 'swap/outdated':
      return <Notice kind="warning">{reviewText('swapReview.outdated')}</Notice>
    case 'swap/reverted':
      return (
        <Notice kind="error" action={retry}>
          {reviewText('swapReview.reverted')}
        </Notice>
      )
    case 'swap/unsupported-network':
      return <Notice kind="error">{text('swap.unsupported')}</Notice>
    case 'wallet/unsupported':
      return <Notice kind="error">{reviewText('swapReview.noWallet')}</Notice>
    default:
      return (
        <Notice kind="error" action={retry}>
          {translateError(commonText, error)}
        </Notice>
      )
  }
}
