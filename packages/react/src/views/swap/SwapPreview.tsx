import type { SwapReview, SwapState, Swap as Swaps } from '@latchkey/core'
import { Address, Button, Screen, Stack, Text, useStyleSheet, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { exactAmount, fiatValue } from '../tokens/tokenAmounts.ts'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import { FeatureFallback } from '../useLazyFeature.tsx'
import { useLazyModule, useRarePart } from '../useLazyModule.ts'
import type { ViewProps } from '../viewProps.ts'
import { SwapFacts } from './SwapFacts.tsx'
import type { SwapOutcomeProps } from './SwapOutcome.tsx'
import { impactLimits, shortAmount } from './swapFormat.ts'
import css from './swapReview.css?inline'
import { swapReviewMessages } from './swapReviewMessages.ts'
import { useSwap, useSwapTranslations } from './useSwap.ts'

/** Renders the summary of a swap and, after the user has confirmed it, its progress and outcome. */
export function SwapPreview(_: ViewProps<'SwapPreview'>): ReactNode {
  useStyleSheet(css)
  const text = useSwapTranslations()
  const access = useSwap()
  const state = access.status === 'ready' ? access.state : undefined
  const needsNotices = state !== undefined && hasNotice(state)
  const part = useRarePart(loadNotices, needsNotices)
  if (access.status !== 'ready')
    return (
      <Screen title={text('swap.review')}>
        <FeatureFallback access={access} />
      </Screen>
    )
  const { feature: swap } = access
  const { review } = access.state
  if (review?.status !== 'preparing' && review?.status !== 'ready') return <LazyOutcome swap={swap} review={review} />
  // The swap cannot be confirmed before its notices are shown.
  if (needsNotices && !part.value)
    return (
      <Screen title={text('swap.review')}>
        <FeatureFallback access={part} />
      </Screen>
    )
  return <Review swap={swap} state={access.state} review={review} notices={part.value} />
}

const loadOutcome = () => import('./SwapOutcome.tsx')

/** Renders the progress of a swap, or that there is no swap to review. The code is loaded on demand. */
function LazyOutcome({ swap, review }: Pick<SwapOutcomeProps, 'swap'> & Pick<SwapState, 'review'>): ReactNode {
  const text = useSwapTranslations()
  const part = useLazyModule(loadOutcome)
  if (part.value && review) return <part.value.SwapOutcome swap={swap} review={review} />
  if (part.value) return <part.value.NoReview />
  return (
    <Screen title={text('swap.title')}>
      <FeatureFallback access={part} />
    </Screen>
  )
}

const loadNotices = () => import('./SwapReviewNotices.tsx')
type Notices = Awaited<ReturnType<typeof loadNotices>>

/** Whether one of the notices has to be shown. */
function hasNotice({ unconfirmed, review }: SwapState): boolean {
  if (!review) return false
  const { hasWorsened, error, unverified, quote } = review
  return (
    unconfirmed ||
    hasWorsened ||
    error !== undefined ||
    unverified.length > 0 ||
    quote.impactBps === undefined ||
    quote.impactBps >= impactLimits.noticed
  )
}

interface Part {
  readonly swap: Swaps
  readonly review: SwapReview
}

function Review({
  swap,
  state,
  review,
  notices,
}: Part & { readonly state: SwapState; readonly notices: Notices | undefined }): ReactNode {
  const latchkey = useLatchkey()
  const text = useSwapTranslations()
  const reviewText = useTranslations(swapReviewMessages)
  const [accepted, setAccepted] = useState<number | 'unknown'>()
  const { quote, step, status, error, unverified } = review
  const isUnverified = unverified.length > 0
  const approval = step === 'swap' ? undefined : step
  const { from, to, amount, received, impactBps: impact } = quote
  // A server could hide a loss by reporting no price.
  const isRisky = impact === undefined || impact >= impactLimits.accepted
  const isDangerous = isRisky || isUnverified
  // The user must accept the loss again if it grows by more than one percentage point.
  const isAccepted =
    !isRisky ||
    (impact === undefined
      ? accepted === 'unknown'
      : typeof accepted === 'number' && impact <= accepted + impactLimits.noticed)
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
            kind={isDangerous ? 'danger' : 'primary'}
            wide
            busy={status === 'preparing'}
            disabled={
              isShort ||
              isUnbuilt ||
              !isAccepted ||
              (isUnverified && !review.unverifiedConfirmed) ||
              review.hasWorsened ||
              state.unconfirmed
            }
            onClick={() => void swap.confirm({ label: labels[step ?? 'swap'] })}
          >
            {status === 'preparing'
              ? reviewText('swapReview.preparing')
              : approval
                ? labels[approval]
                : reviewText('swapReview.confirm')}
          </Button>
          <Button kind={isDangerous ? 'primary' : 'quiet'} wide onClick={back}>
            {reviewText('swapReview.back')}
          </Button>
        </Stack>
      }
    >
      <Headline label={text('swap.pay')} amount={paid} token={from} value={amount} />
      <Headline label={text('swap.receive')} amount={`≈\u00a0${expected}`} token={to} value={received} />
      {notices && (
        <notices.SwapReviewNotices
          swap={swap}
          state={state}
          review={review}
          isAccepted={isAccepted}
          onAccept={(accepts) => setAccepted(accepts ? (impact ?? 'unknown') : undefined)}
        />
      )}
      {approval && (
        <Text tone="soft">
          {reviewText.rich(`swapReview.step.${approval}`, {
            token: <bdi>{from.symbol}</bdi>,
            amount: <bdi>{paid}</bdi>,
          })}
        </Text>
      )}
      <SwapFacts quote={quote}>
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
      {notices && <notices.UnverifiedSwap swap={swap} review={review} />}
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
