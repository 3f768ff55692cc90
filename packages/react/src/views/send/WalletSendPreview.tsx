import type { Send, SendReview, SendState } from '@latchkey/core'
import { Address, Avatar, Button, Notice, Screen, Stack, useStyleSheet, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { AccountName } from '../account/AccountName.tsx'
import { FeatureFallback } from '../FeatureFallback.tsx'
import factsCss from '../tokens/detailList.css?inline'
import { exactAmount, fiatValue } from '../tokens/tokenAmounts.ts'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import { useNetworkImage } from '../useDirectory.ts'
import { useLoaded } from '../useLoaded.ts'
import type { ViewProps } from '../viewProps.ts'
import { FeeProblem, wouldFail } from './FeeProblem.tsx'
import { type FeeCurrency, feeAmount, SendFee } from './SendFee.tsx'
import type { SendOutcomeProps } from './SendOutcome.tsx'
import { SendWarnings } from './SendWarnings.tsx'
import css from './send.css?inline'
import { sendFeeMessages } from './sendFeeMessages.ts'
import reviewCss from './sendReview.css?inline'
import { useSend } from './useSend.ts'
import { useSendReviewTranslations } from './useSendReviewTranslations.ts'

// Size budget: 6.1 kB, because of the facts of the transfer, fifteen warnings, and the comparison of look-alike addresses.

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
  if (transfer.status !== 'idle' && (transfer.status !== 'unknown' || !review))
    return <LazyOutcome send={send} transfer={transfer} canRepeat={review !== undefined} />
  if (!review) return <Changed send={send} />
  return <Review send={send} state={state} review={review} />
}

const loadOutcome = async () => (await import('./SendOutcome.tsx')).SendOutcome

/** Renders the progress of a transfer, whose code is only loaded once the transfer was confirmed. */
function LazyOutcome(props: SendOutcomeProps): ReactNode {
  const text = useSendReviewTranslations()
  const { value: SendOutcome, failed, retry } = useLoaded(loadOutcome)
  if (SendOutcome) return <SendOutcome {...props} />
  return (
    <Screen title={text('review.confirm')}>
      <FeatureFallback access={failed ? { status: 'failed', retry } : { status: 'loading' }} />
    </Screen>
  )
}

/** Renders the notice that the account, the network or the transfer changed after the review. */
function Changed({ send }: { readonly send: Send }): ReactNode {
  const latchkey = useLatchkey()
  const text = useSendReviewTranslations()
  return (
    <Screen
      title={text('review.title')}
      footer={
        <Button
          kind="primary"
          wide
          onClick={() => {
            send.endReview()
            latchkey.modal.back()
          }}
        >
          {text('review.changed.edit')}
        </Button>
      }
    >
      <Notice kind="warning" title={text('review.changed.title')}>
        {text('review.changed.body')}
      </Notice>
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
  const { fee, warnings, warningsConfirmed } = state
  const network = latchkey.network(chain)
  const networkImage = useNetworkImage(network)
  const currency: FeeCurrency = network?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const isSmartAccount = latchkey.session()?.details?.type === 'smartAccount'
  const sum = exactAmount(amount, token, text.locale)
  const fiat = fiatValue(amount, token)
  const hasWrongDecimals = warnings.value?.some(({ kind }) => kind === 'decimals') === true
  const isRefused = hasWrongDecimals || warnings.value?.some(({ kind }) => kind === 'symbol') === true
  const needsConfirmation = warnings.value?.some((warning) => warning.isSerious) === true
  const isReady = warnings.status === 'ready' && !isRefused && (!needsConfirmation || warningsConfirmed)
  const isRisky = needsConfirmation || isRefused || wouldFail(fee)
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
        <p className="send-headline" data-long={sum.length > 24 ? 'very' : sum.length > 14 || undefined}>
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
            <Address address={to} whole />
          </div>
        </div>
      </div>
      {fee.value?.kept !== undefined && (
        <Notice kind="warning">
          {text.rich('review.kept', { amount: <bdi>{exactAmount(fee.value.kept, token, text.locale)}</bdi> })}
        </Notice>
      )}
      <SendWarnings send={send} state={state} to={to} text={text} />
      {hasWrongDecimals ? (
        <Notice kind="error" title={feeText('send.fail.title')}>
          {feeText('send.fail.decimals')}
        </Notice>
      ) : (
        <FeeProblem fee={fee} currency={currency} network={network?.name ?? ''} onRetry={send.retry} />
      )}
      <dl className="facts">
        <div>
          <dt>{text('review.from')}</dt>
          <dd>
            <AccountName address={account.slice(account.lastIndexOf(':') + 1)} />
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
            <SendFee state={state} currency={currency} isSmartAccount={isSmartAccount} format={format} />
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
