import type { Send, SendTransfer } from '@latchkey/core'
import {
  Avatar,
  Button,
  LinkButton,
  moreIcons,
  Notice,
  Screen,
  Stack,
  shortAddress,
  Text,
  useStyleSheet,
  VisuallyHidden,
} from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { explorerLink } from '../explorerLink.ts'
import { ProgressStatus } from '../ProgressStatus.tsx'
import { exactAmount } from '../tokens/tokenAmounts.ts'
import { translateError } from '../translateError.ts'
import { useTimeout } from '../useClock.ts'
import { viewMessages } from '../viewMessages.ts'
import css from './sendOutcome.css?inline'
import { sendOutcomeMessages } from './sendOutcomeMessages.ts'
import { useSendReviewTranslations } from './useSendReviewTranslations.ts'

/** A transfer that the user has confirmed in the review. */
type Outcome = Exclude<SendTransfer, { readonly status: 'idle' }>

/** Props for `SendOutcome`. */
export interface SendOutcomeProps {
  readonly send: Send
  readonly transfer: Outcome
  /** Whether the same transfer can be requested again, because the wallet has not sent it. */
  readonly canRepeat: boolean
}

/** How long a transfer can be pending before a notice says that it is taking unusually long, in milliseconds. */
const slowMs = 120_000

/** Renders the progress of a transfer, and its outcome with the next actions. */
export function SendOutcome({ send, transfer, canRepeat }: SendOutcomeProps): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useTranslations(sendOutcomeMessages)
  const reviewText = useSendReviewTranslations()
  const { review, status } = transfer
  const { token, amount, to, name } = review
  const sum = exactAmount(amount, token, text.locale)
  const isSlow = useTimeout({ ms: slowMs, active: status === 'pending', key: status })
  const link = 'hash' in transfer ? explorerLink(latchkey.network(review.chain), 'tx', transfer.hash) : undefined
  const isOver = status === 'pending' || status === 'done'
  const isFailed = !isOver && status !== 'requested'
  const close = (): void => {
    send.dismiss()
    latchkey.modal.reset('Account')
  }
  const edit = (): void => {
    if (status !== 'unknown') send.dismiss()
    send.endReview()
    latchkey.modal.back()
  }
  return (
    <Screen
      title={reviewText('review.confirm')}
      align="center"
      footer={
        status === 'requested' ? undefined : (
          <Stack gap={8}>
            {status === 'failed' && canRepeat && (
              <Button
                kind="primary"
                wide
                onClick={() =>
                  void send.submit({ label: reviewText('review.headline', { amount: sum }) }).catch(() => undefined)
                }
              >
                {text('common.retry')}
              </Button>
            )}
            {link && (
              <LinkButton kind={isOver ? 'secondary' : 'primary'} wide icon="external" href={link.href}>
                {text('review.explorer', { explorer: link.name })}{' '}
                <VisuallyHidden>{text('common.newTab')}</VisuallyHidden>
              </LinkButton>
            )}
            {status === 'unknown' &&
              latchkey.options.features?.history !== false &&
              review.chain.startsWith('eip155:') && (
                <Button
                  kind="primary"
                  wide
                  icon={moreIcons.activity}
                  onClick={() => latchkey.modal.push('Transactions')}
                >
                  {text('review.activity')}
                </Button>
              )}
            {isFailed && (
              <Button wide onClick={edit}>
                {text('review.edit')}
              </Button>
            )}
            {isOver && (
              <Button key={status} kind={status === 'done' ? 'primary' : 'secondary'} wide onClick={close}>
                {status === 'done' ? text('review.close') : text('modal.close')}
              </Button>
            )}
          </Stack>
        )
      }
    >
      <ProgressStatus
        state={status === 'done' || status === 'unknown' ? status : isFailed ? 'failed' : 'waiting'}
        logo={
          // Wrap the icon, because `ProgressRing` positions its own child SVG elements.
          <span className="send-avatar">
            <Avatar address={to} src={review.image} size={64} />
          </span>
        }
        title={titleOf(transfer, sum, text)}
        body={<Body transfer={transfer} />}
      />
      <Stack gap={4} align="center">
        {!isOver && (
          <Text kind="row">
            <bdi>{sum}</bdi>
          </Text>
        )}
        <Text tone="soft">
          {reviewText('review.to')}{' '}
          <bdi dir="ltr" title={to}>
            {name ?? shortAddress(to)}
          </bdi>
        </Text>
      </Stack>
      {isSlow && (
        <Notice kind="warning" title={text('review.slow.title')}>
          {text('review.slow.body')}
        </Notice>
      )}
    </Screen>
  )
}

/** Renders that nothing was sent, because the account, the network or the transfer changed after the review. */
export function ChangedTransfer({ send }: Pick<SendOutcomeProps, 'send'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(sendOutcomeMessages)
  const reviewText = useSendReviewTranslations()
  return (
    <Screen
      title={reviewText('review.title')}
      footer={
        <Button
          kind="primary"
          wide
          onClick={() => {
            send.endReview()
            latchkey.modal.back()
          }}
        >
          {text('review.edit')}
        </Button>
      }
    >
      <Notice kind="warning" title={text('review.changed.title')}>
        {text('review.changed.body')}
      </Notice>
    </Screen>
  )
}

function titleOf(transfer: Outcome, amount: string, text: Translator<Source & typeof sendOutcomeMessages>): ReactNode {
  if (transfer.status === 'failed' && transfer.error.code === 'user/rejected') return text('review.declined.title')
  if (transfer.status === 'pending' || transfer.status === 'done')
    return text.rich(`review.${transfer.status}.title`, { amount: <bdi>{amount}</bdi> })
  return text(`review.${transfer.status}.title`)
}

function Body({ transfer }: { readonly transfer: Outcome }): ReactNode {
  const text = useTranslations(sendOutcomeMessages)
  const commonText = useTranslations(viewMessages)
  if (transfer.status !== 'failed') return <Text tone="soft">{text(`review.${transfer.status}.body`)}</Text>
  const { error } = transfer
  const isDeclined = error.code === 'user/rejected'
  return (
    <Text tone="soft">
      {isDeclined
        ? text('review.declined.body')
        : error.code === 'send/changed'
          ? text('review.changed.body')
          : error.code === 'send/expired'
            ? text('review.expired.body')
            : translateError(commonText, error)}
    </Text>
  )
}
