import type { Send, SendRecipient, SendState, Token } from '@latchkey/core'
import { formatUnits } from '@latchkey/protocol/amount'
import { Button, moreIcons, Notice, Stack, shortAddress, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { TextButton } from '../tokens/AmountField.tsx'
import { isOldPrice } from '../tokens/amountFormat.ts'
import { PriceNote } from '../tokens/TokenRow.tsx'
import { exactAmount } from '../tokens/tokenAmounts.ts'
import type { TokenFormat } from '../tokens/useTokenFormat.ts'
import { viewMessages } from '../viewMessages.ts'
import { FeeProblem } from './FeeProblem.tsx'
import { type FeeCurrency, feeAmount } from './SendFee.tsx'
import { sendNoticeMessages } from './sendNoticeMessages.ts'

/** Renders a notice if the outcome of the transfer is unknown. */
export function InterruptedTransfer({
  send,
  transfer,
}: {
  readonly send: Send
  readonly transfer: SendState['transfer']
}): ReactNode {
  const text = useTranslations(sendNoticeMessages)
  if (transfer.status !== 'unknown') return null
  const { token, amount, to } = transfer.review
  return (
    <Notice
      kind="warning"
      title={text('send.interrupted.title')}
      action={{ label: text('send.interrupted.dismiss'), icon: 'check', onClick: send.dismiss }}
    >
      {text.rich('send.interrupted.body', {
        amount: <bdi>{`${formatUnits(amount, token.decimals)}\u2009${token.symbol}`}</bdi>,
        recipient: (
          <bdi dir="ltr" title={to}>
            {shortAddress(to)}
          </bdi>
        ),
      })}
    </Notice>
  )
}

/** Renders a retry button if the recipient's name could not be looked up, or a notice if the checksum is wrong. */
export function RecipientNotice({ send, status }: { readonly send: Send } & Pick<SendRecipient, 'status'>): ReactNode {
  const text = useTranslations(sendNoticeMessages)
  if (status === 'failed')
    return (
      <Button size="small" icon="retry" onClick={send.retry}>
        {text('common.retry')}
      </Button>
    )
  if (status !== 'wrong-checksum') return null
  return (
    <Notice kind="error" title={text('send.checksum.title')}>
      <p>{text('send.checksum.body')}</p>
      <TextButton onClick={send.acceptChecksum}>{text('send.checksum.accept')}</TextButton>
    </Notice>
  )
}

/** Renders problems with the network, the fee or the list of tokens, and the actions that can solve them. */
export function SendProblems({
  send,
  state: { step, fee, native, tokens },
  currency,
  network,
}: {
  readonly send: Send
  readonly state: SendState
  readonly currency: FeeCurrency
  readonly network: string
}): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(sendNoticeMessages)
  return (
    <>
      <FeeProblem fee={fee} currency={currency} network={network} onRetry={send.retry} />
      {tokens.status === 'failed' && (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: send.retry }}>
          {text('send.tokens.failed')}
        </Notice>
      )}
      {step === 'insufficient-fee' && fee.value && native && (
        <>
          <Notice kind="warning">
            {text.rich('send.fee.missing', {
              fee: <bdi>{feeAmount(fee.value.amount, currency, text.locale)}</bdi>,
              balance: <bdi>{feeAmount(native.amount, currency, text.locale)}</bdi>,
            })}
          </Notice>
          {latchkey.options.features?.receive !== false && (
            <Button wide onClick={() => latchkey.modal.push('WalletReceive')}>
              {text('send.receive', { coin: currency.symbol })}
            </Button>
          )}
        </>
      )}
      {step === 'unsupported-chain' && (
        <Button wide icon={moreIcons.network} onClick={() => latchkey.modal.push('Networks')}>
          {text('send.switchNetwork')}
        </Button>
      )}
    </>
  )
}

/** Renders that no account is connected, with a button to connect one. */
export function NoAccount(): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(viewMessages)
  return (
    <>
      <Stack align="center">
        <Text tone="soft">{text('account.none.title')}</Text>
      </Stack>
      <Button kind="primary" wide onClick={() => latchkey.modal.reset('Connect')}>
        {text('connect.title')}
      </Button>
    </>
  )
}

/** Renders the age of a token's price if it is old. */
export function OldPrice({
  token,
  format,
}: {
  readonly token: Token | undefined
  readonly format: TokenFormat
}): ReactNode {
  const price = token?.price
  return price && isOldPrice(price.at, format.now) && <PriceNote price={price} format={format} />
}

/** Returns the error message for the amount, or `undefined` if there is none. */
export function amountError(state: SendState): ReactNode {
  const { step, token, isMax, amount, fee } = state
  const hasError =
    step === 'incorrect-amount' ||
    (step === 'insufficient-funds' && token !== undefined) ||
    (isMax && amount === undefined && fee.status === 'failed')
  return hasError ? <AmountError state={state} /> : undefined
}

function AmountError({ state: { step, token } }: { readonly state: SendState }): ReactNode {
  const text = useTranslations(sendNoticeMessages)
  if (step === 'incorrect-amount') return text('send.error.amount', { token: token?.symbol ?? '' })
  return step === 'insufficient-funds' && token
    ? text('send.error.funds', { amount: exactAmount(token.amount, token, text.locale) })
    : text('send.fee.maxUnknown')
}

/**
 * Returns the error message for the recipient, or `undefined` if there is none. `RecipientNotice` explains a wrong checksum.
 * `network` is the network's name.
 */
export function recipientError(recipient: SendRecipient, network: string): ReactNode {
  const hasError = ['invalid', 'unknown-name', 'failed'].includes(recipient.status)
  return hasError ? <RecipientError recipient={recipient} network={network} /> : undefined
}

function RecipientError({
  recipient: { status, text: entered },
  network,
}: {
  readonly recipient: SendRecipient
  readonly network: string
}): ReactNode {
  const text = useTranslations(sendNoticeMessages)
  const name = entered.trim()
  if (status === 'invalid') return text('send.error.invalid', { network })
  if (status === 'unknown-name') return text('send.error.unknownName', { name, network })
  return text('send.error.lookup', { name })
}

/** Renders that the clipboard could not be read. */
export function PasteFailed(): ReactNode {
  return useTranslations(sendNoticeMessages)('send.pasteFailed')
}
