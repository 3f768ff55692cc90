import type { Swap, SwapReview } from '@latchkey/core'
import { Button, LinkButton, Screen, Stack, Text, VisuallyHidden, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { explorerLink } from '../explorerLink.ts'
import { ProgressStatus } from '../ProgressStatus.tsx'
import { exactAmount } from '../tokens/tokenAmounts.ts'
import { viewMessages } from '../viewMessages.ts'
import { shortAmount } from './swapFormat.ts'
import { swapNoticeMessages } from './swapNoticeMessages.ts'
import { swapOutcomeMessages } from './swapOutcomeMessages.ts'
import { useSwapTranslations } from './useSwap.ts'

/** Props for `SwapOutcome`. */
export interface SwapOutcomeProps {
  readonly swap: Swap
  readonly review: SwapReview
}

/** Renders the progress of a transaction, and the outcome of the swap. */
export function SwapOutcome({ swap, review }: SwapOutcomeProps): ReactNode {
  const latchkey = useLatchkey()
  const text = useSwapTranslations()
  const outcomeText = useTranslations(swapOutcomeMessages)
  const noticeText = useTranslations(swapNoticeMessages)
  const commonText = useTranslations(viewMessages)
  const { status, step = 'swap', quote, error, hash, account } = review
  const { from, to, amount, received } = quote
  const link = hash === undefined ? undefined : explorerLink(latchkey.network(from.chain), 'tx', hash)
  const isUnknown = error?.code === 'swap/unconfirmed'
  const isFailed = status === 'failed' || status === 'stopped'
  const leave = (): void => {
    swap.cancelReview()
    latchkey.modal.back()
  }
  const [title, body] =
    status === 'confirming'
      ? [outcomeText('swapReview.confirming.title'), outcomeText('swapReview.confirming.body')]
      : status === 'pending'
        ? [outcomeText(`swapReview.pending.${step}`, { token: from.symbol }), outcomeText('swapReview.pending.body')]
        : status === 'done'
          ? [outcomeText('swapReview.done.title'), outcomeText('swapReview.done.body')]
          : status === 'failed'
            ? [outcomeText('swapReview.failed.title'), outcomeText('swapReview.failed.body')]
            : isUnknown
              ? [noticeText('swap.unconfirmed.title'), noticeText('swap.unconfirmed.body')]
              : [
                  outcomeText('swapReview.stopped.title'),
                  outcomeText(error?.code === 'swap/mismatch' ? 'swapReview.mismatch' : 'swapReview.changed'),
                ]
  return (
    <Screen
      title={text('swap.title')}
      align="center"
      footer={
        <Stack gap={8}>
          {link && (
            <LinkButton wide icon="external" href={link.href}>
              {commonText('account.explorer', { explorer: link.name })}{' '}
              <VisuallyHidden>{text('common.newTab')}</VisuallyHidden>
            </LinkButton>
          )}
          {status === 'confirming' && (
            <Button wide onClick={leave}>
              {outcomeText('swapReview.leave')}
            </Button>
          )}
          {isFailed && (
            <Button kind="primary" wide onClick={leave}>
              {outcomeText('swapReview.edit')}
            </Button>
          )}
          {(status === 'done' || status === 'pending') && (
            <Button
              key={status}
              kind={status === 'done' ? 'primary' : 'secondary'}
              wide
              onClick={() => {
                swap.cancelReview()
                latchkey.modal.reset('Account')
              }}
            >
              {status === 'done' ? outcomeText('swapReview.close') : text('modal.close')}
            </Button>
          )}
        </Stack>
      }
    >
      <ProgressStatus
        key={account}
        state={status === 'done' ? 'done' : isUnknown ? 'unknown' : isFailed ? 'failed' : 'waiting'}
        logo={<WalletLogo name={to.symbol} src={to.unlisted ? undefined : to.iconUrl} size={64} shape="round" />}
        title={title}
        body={body}
      />
      <Text kind="row">
        <bdi>{exactAmount(amount, from, text.locale)}</bdi> {text.direction === 'rtl' ? '←' : '→'}{' '}
        <bdi>
          ≈{'\u00a0'}
          {shortAmount(received, to, text.locale)}
        </bdi>
      </Text>
    </Screen>
  )
}

/** Renders that there is no swap to review, with a button to the form. */
export function NoReview(): ReactNode {
  const latchkey = useLatchkey()
  const text = useSwapTranslations()
  const outcomeText = useTranslations(swapOutcomeMessages)
  return (
    <Screen title={text('swap.review')} align="center">
      <Text tone="soft">{outcomeText('swapReview.none')}</Text>
      <Button wide onClick={() => latchkey.modal.replace('Swap')}>
        {outcomeText('swapReview.edit')}
      </Button>
    </Screen>
  )
}
