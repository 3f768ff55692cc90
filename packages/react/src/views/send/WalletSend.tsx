import type { Send, SendState } from '@latchkey/core'
import { formatUnits } from '@latchkey/protocol/amount'
import { Button, moreIcons, Notice, Screen, shortAddress, Text, useStyleSheet } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { FeatureFallback } from '../FeatureFallback.tsx'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import { FeeProblem, wouldFail } from './FeeProblem.tsx'
import { SendAmount } from './SendAmount.tsx'
import { type FeeCurrency, feeAmount, SendFee } from './SendFee.tsx'
import { SendRecipientField } from './SendRecipientField.tsx'
import css from './send.css?inline'
import { sendFeeMessages } from './sendFeeMessages.ts'
import { useSend } from './useSend.ts'
import { useSendTranslations } from './useSendTranslations.ts'

// Size budget: 5.9 kB, because of the amount in two units, the recipient with its errors, and the fee.

/** Renders the form for sending tokens. */
export function WalletSend({ data }: ViewProps<'WalletSend'>): ReactNode {
  useStyleSheet(css)
  const text = useSendTranslations()
  const access = useSend()
  const send = access.status === 'ready' ? access.feature : undefined
  useEffect(() => send?.open(data), [send, data])
  return (
    <Screen title={text('send.title')}>
      {send && access.status === 'ready' ? (
        <Form send={send} state={access.state} />
      ) : (
        <FeatureFallback access={access} />
      )}
    </Screen>
  )
}

function Form({ send, state }: { readonly send: Send; readonly state: SendState }): ReactNode {
  const latchkey = useLatchkey()
  const text = useSendTranslations()
  const commonText = useTranslations(viewMessages)
  const feeText = useTranslations(sendFeeMessages)
  const format = useTokenFormat()
  const { step, fee, native, tokens, transfer } = state
  // The session is not part of the state, but changes at the same time as the account.
  useStore((now) => now.connections)
  const network = state.chain === undefined ? undefined : latchkey.network(state.chain)
  const currency: FeeCurrency = network?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const isSmartAccount = latchkey.session()?.details?.type === 'smartAccount'
  const networkName = network?.name ?? ''
  if (step === 'connect' && state.account === undefined)
    return (
      <>
        <Text tone="soft">{commonText('account.none.title')}</Text>
        <Button kind="primary" wide onClick={() => latchkey.modal.reset('Connect')}>
          {text('connect.title')}
        </Button>
      </>
    )

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (send.startReview()) latchkey.modal.push('WalletSendPreview')
  }
  return (
    <form className="send-form" noValidate onSubmit={submit}>
      {transfer.status === 'unknown' && <Interrupted send={send} transfer={transfer} />}
      <SendAmount send={send} state={state} format={format} text={text} />
      <SendRecipientField send={send} state={state} network={networkName} text={text} />
      {state.token && (
        <div className="send-fee">
          <span>{feeText('send.fee')}</span>
          <span aria-busy={fee.status === 'loading' || undefined}>
            <SendFee state={state} currency={currency} isSmartAccount={isSmartAccount} format={format} />
          </span>
        </div>
      )}
      <FeeProblem fee={fee} currency={currency} network={networkName} onRetry={send.retry} />
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
      <Button type="submit" kind={wouldFail(fee) ? 'secondary' : 'primary'} wide disabled={step !== 'review'}>
        {step === 'connect'
          ? text('connect.title')
          : step === 'insufficient-fee'
            ? text('send.step.insufficient-fee', { coin: currency.symbol })
            : text(`send.step.${step}`)}
      </Button>
    </form>
  )
}

/** Renders a notice about a transfer whose outcome is unknown. */
function Interrupted({
  send,
  transfer: { review },
}: {
  readonly send: Send
  readonly transfer: Extract<SendState['transfer'], { readonly status: 'unknown' }>
}): ReactNode {
  const text = useSendTranslations()
  const { token, amount, to } = review
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
