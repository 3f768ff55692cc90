import type { Send, SendReview, SendState } from '@latchkey/core'
import { Address, Avatar, Button, Notice, Screen, Skeleton, Stack, useStyleSheet, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { AccountName } from '../account/AccountName.tsx'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import { useNetworkImage } from '../useDirectory.ts'
import type { ViewProps } from '../viewProps.ts'
import { failureText } from './failureText.ts'
import { exactAmount, fiatOf } from './SendAmount.tsx'
import { type FeeCurrency, feeAmount, SendFee } from './SendFee.tsx'
import { SendOutcome } from './SendOutcome.tsx'
import { SendWarnings } from './SendWarnings.tsx'
import css from './send.css?inline'
import { useSend } from './useSend.ts'
import { useReviewTranslations, useSendTranslations } from './useSendTranslations.ts'

// Size budget: 8.2 kB, because of the comparison of look-alike addresses, and the progress and the outcome of the transfer.

/** Renders the summary of a transfer and, after the user has confirmed it, its progress and outcome. */
export function WalletSendPreview(_: ViewProps<'WalletSendPreview'>): ReactNode {
  useStyleSheet(css)
  const text = useReviewTranslations()
  const access = useSend()
  if (access.status !== 'ready')
    return (
      <Screen title={text('review.title')}>
        {access.status === 'loading' ? (
          <Skeleton kind="row" count={3} />
        ) : (
          <Notice kind="warning" action={{ label: text('common.retry'), onClick: access.retry }}>
            {text('modal.loadFailed')}
          </Notice>
        )}
      </Screen>
    )
  const { send, state } = access
  const { transfer, review } = state
  if (transfer.status !== 'idle' && (transfer.status !== 'unknown' || !review))
    return <SendOutcome send={send} transfer={transfer} canRepeat={review !== undefined} />
  if (!review) return <Changed send={send} />
  return <Review send={send} state={state} review={review} />
}

/** Renders the notice that the account, the network or the transfer changed after the review. */
function Changed({ send }: { readonly send: Send }): ReactNode {
  const latchkey = useLatchkey()
  const text = useReviewTranslations()
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
  const text = useReviewTranslations()
  const formText = useSendTranslations()
  const format = useTokenFormat()
  useStore((now) => now.connections)
  const { token, amount, to, name, image, chain, account } = review
  const { fee, warnings, warningsConfirmed } = state
  const network = latchkey.network(chain)
  const networkImage = useNetworkImage(network)
  const currency: FeeCurrency = network?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const isSmartAccount = latchkey.session()?.details?.type === 'smartAccount'
  const sum = exactAmount(amount, token, text.locale)
  const isRefused = warnings.value?.some(({ kind }) => kind === 'decimals') === true
  const failure = isRefused
    ? formText('send.fail.decimals')
    : fee.status === 'failed'
      ? failureText(fee.error, { text: formText, currency, network: network?.name ?? '' })
      : undefined
  const needsConfirmation = warnings.value?.some((warning) => warning.isSerious) === true
  const isReady = warnings.status === 'ready' && !isRefused && (!needsConfirmation || warningsConfirmed)
  const isRisky = needsConfirmation || failure !== undefined
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
        <p className="send-headline" data-long={sum.length > 14 || undefined}>
          {text.rich('review.headline', { amount: <bdi>{sum}</bdi> })}
        </p>
        <span className="send-fiat">
          {token.price ? <bdi>{format.fiat(fiatOf(amount, token))}</bdi> : format.text('tokens.noPrice')}
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
      <SendWarnings send={send} state={state} to={to} text={text} />
      {failure !== undefined && (
        <Notice kind="error" title={formText('send.fail.title')}>
          {failure}
        </Notice>
      )}
      <dl className="send-facts">
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
          <dt>{formText('send.fee')}</dt>
          <dd aria-busy={fee.status === 'loading' || undefined}>
            <SendFee
              state={state}
              currency={currency}
              isSmartAccount={isSmartAccount}
              format={format}
              text={formText}
            />
            {isSmartAccount && <span className="fact-more">{text('review.fee.smart')}</span>}
            {fee.value?.deposit !== undefined && (
              <span className="fact-more">
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
