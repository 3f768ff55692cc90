import type { Send, SendReview, SendState } from '@latchkey/core'
import { Address, Avatar, Button, Screen, Stack, useStyleSheet, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import factsCss from '../tokens/detailList.css?inline'
import { exactAmount, fiatValue } from '../tokens/tokenAmounts.ts'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import { useNetworkImage } from '../useDirectory.ts'
import { FeatureFallback, useSend } from '../useLazyFeature.tsx'
import { useLazyModule, useRarePart } from '../useLazyModule.ts'
import type { ViewProps } from '../viewProps.ts'
import { type FeeCurrency, feeAmount, SendFee, wouldFail } from './SendFee.tsx'
import type { SendOutcomeProps } from './SendOutcome.tsx'
import { SendWarnings } from './SendWarnings.tsx'
import css from './send.css?inline'
import { sendFeeMessages } from './sendFeeMessages.ts'
import reviewCss from './sendReview.css?inline'
import { useSendReviewTranslations } from './useSendReviewTranslations.ts'

/** Renders the summary of a transfer and, after the user has confirmed it, its progress and outcome. */
export function WalletSendPreview(_: ViewProps<'WalletSendPreview'>): ReactNode {
  useStyleSheet(css)
  useStyleSheet(reviewCss)
  useStyleSheet(factsCss)
  const text = useSendReviewTranslations()
  const access = useSend()
  if (access.status !== 'ready')
    return (
      <Screen title={text('review.title')}>
        <FeatureFallback access={access} />
      </Screen>
    )
  const { feature: send, state } = access
  const { transfer, review } = state
  const isStarted = transfer.status !== 'idle' && (transfer.status !== 'unknown' || !review)
  if (review && !isStarted) return <Review send={send} state={state} review={review} />
  return <LazyOutcome send={send} transfer={isStarted ? transfer : undefined} canRepeat={review !== undefined} />
}

const loadOutcome = () => import('./SendOutcome.tsx')
const loadNotices = () => import('./SendReviewNotices.tsx')

/** Renders the progress and outcome of a transfer, or that it changed before it was confirmed. The code is loaded on demand. */
function LazyOutcome({
  transfer,
  ...props
}: Omit<SendOutcomeProps, 'transfer'> & { readonly transfer: SendOutcomeProps['transfer'] | undefined }): ReactNode {
  const text = useSendReviewTranslations()
  const part = useLazyModule(loadOutcome)
  if (part.value && transfer) return <part.value.SendOutcome {...props} transfer={transfer} />
  if (part.value) return <part.value.ChangedTransfer send={props.send} />
  return (
    <Screen title={text(transfer ? 'review.confirm' : 'review.title')}>
      <FeatureFallback access={part} />
    </Screen>
  )
}

function Review({
  send,
  state,
  review,
}: {
  readonly send: Send
  readonly state: SendState
  readonly review: SendReview
}): ReactNode {
  const latchkey = useLatchkey()
  const text = useSendReviewTranslations()
  const feeText = useTranslations(sendFeeMessages)
  const format = useTokenFormat()
  useStore((now) => now.connections)
  const { token, amount, to, name, image, chain, account } = review
  const resolver = review.resolver ?? (chain.startsWith('eip155:') ? 'ENS' : undefined)
  const { fee, warnings, warningsConfirmed } = state
  const network = latchkey.network(chain)
  const networkImage = useNetworkImage(network)
  const currency: FeeCurrency = network?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const isSmartAccount = latchkey.session()?.details?.type === 'smartAccount'
  const sum = exactAmount(amount, token, text.locale)
  // The symbol can wrap to the next line, but a wrapped number could be read as two numbers.
  const digits = sum.indexOf('\u2009')
  const fiat = fiatValue(amount, token)
  const refusal = warnings.value?.find(({ kind }) => kind === 'decimals' || kind === 'symbol')
  const needsConfirmation = warnings.value?.some((warning) => warning.isSerious) === true
  const hasProblem = refusal !== undefined || fee.status === 'failed'
  const notices = useRarePart(loadNotices, needsConfirmation || hasProblem)
  const isConfirmed = !needsConfirmation || (warningsConfirmed && notices.value !== undefined)
  const isReady = warnings.status === 'ready' && !refusal && isConfirmed
  const isRisky = needsConfirmation || refusal !== undefined || wouldFail(fee)
  const confirm = (): void => {
    // The outcome is in the state.
    send.submit({ label: text('review.headline', { amount: sum }) }).catch(() => undefined)
  }
  return (
    <Screen
      title={text('review.title')}
      footer={
        <Stack gap={8}>
          <Button kind={isRisky ? 'danger' : 'primary'} wide disabled={!isReady} onClick={confirm}>
            {text('review.confirm')}
          </Button>
          <Button
            kind={isRisky ? 'primary' : 'quiet'}
            wide
            onClick={() => {
              send.endReview()
              latchkey.modal.back()
            }}
          >
            {text('review.back')}
          </Button>
        </Stack>
      }
    >
      <Stack gap={4} align="center">
        <p
          className="send-headline"
          data-long={sum.length > 24 ? 'very' : sum.length > 14 || undefined}
          style={digits > 30 ? { fontSize: 12 } : undefined}
        >
          {text.rich('review.headline', { amount: <bdi>{sum}</bdi> })}
        </p>
        <span className="send-fiat">
          {fiat === undefined ? format.text('tokens.noPrice') : <bdi>≈ {format.fiat(fiat)}</bdi>}
        </span>
      </Stack>
      <div className="send-card">
        <p className="send-label">{text('review.to')}</p>
        <div className="send-party">
          <Avatar address={to} src={image} size={24} />
          <div className="send-address">
            {name !== undefined && <bdi>{name}</bdi>}
            {name !== undefined && resolver !== undefined && (
              <span className="send-label">{text('review.resolver', { resolver })}</span>
            )}
            <Address address={to} whole />
          </div>
        </div>
      </div>
      <SendWarnings send={send} state={state} notices={notices} review={review} text={text} />
      {hasProblem && !needsConfirmation && notices.failed && <FeatureFallback access={notices} />}
      {notices.value && refusal && <notices.value.RefusedToken warning={refusal} />}
      {notices.value && !refusal && (
        <notices.value.FeeProblem fee={fee} currency={currency} network={network?.name ?? ''} onRetry={send.retry} />
      )}
      <dl className="facts">
        <div>
          <dt>{text('review.from')}</dt>
          <dd>
            <Address address={account.slice(account.lastIndexOf(':') + 1)} />
          </dd>
        </div>
        <div>
          <dt>{text('review.network')}</dt>
          <dd className="send-actions">
            <WalletLogo name={network?.name ?? chain} src={networkImage} size={24} shape="round" />
            {'\u00a0'}
            {network?.name ?? chain}
          </dd>
        </div>
        <div>
          <dt>{feeText('send.fee')}</dt>
          <dd aria-busy={fee.status === 'loading' || undefined}>
            <SendFee state={state} currency={currency} format={format} />
            {isSmartAccount && <span className="facts-note">{text('review.fee.smart')}</span>}
            {fee.value?.deposit !== undefined && (
              <span className="facts-note">
                {text('review.fee.deposit', { amount: feeAmount(fee.value.deposit, currency, text.locale) })}
              </span>
            )}
          </dd>
        </div>
      </dl>
      <span className="send-fiat">{text('review.consequence')}</span>
    </Screen>
  )
}
