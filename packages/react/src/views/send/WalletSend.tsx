import type { Send, SendState } from '@latchkey/core'
import { Button, Screen, useStyleSheet } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import factsCss from '../tokens/detailList.css?inline'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import { FeatureFallback, useSend } from '../useLazyFeature.tsx'
import type { ViewProps } from '../viewProps.ts'
import { SendAmount } from './SendAmount.tsx'
import { type FeeCurrency, SendFee, wouldFail } from './SendFee.tsx'
import { SendRecipientField } from './SendRecipientField.tsx'
import css from './send.css?inline'
import { sendFeeMessages } from './sendFeeMessages.ts'
import { useSendNotices } from './useSendNotices.ts'
import { useSendTranslations } from './useSendTranslations.ts'

/** Renders the form for sending tokens. */
export function WalletSend({ data }: ViewProps<'WalletSend'>): ReactNode {
  useStyleSheet(css)
  useStyleSheet(factsCss)
  const text = useSendTranslations()
  const access = useSend()
  const send = access.status === 'ready' ? access.feature : undefined
  useEffect(() => send?.open(data), [send, data])
  return (
    <Screen title={text('send.title')}>
      {access.status === 'ready' ? (
        <Form send={access.feature} state={access.state} />
      ) : (
        <FeatureFallback access={access} />
      )}
    </Screen>
  )
}

function Form({ send, state }: { readonly send: Send; readonly state: SendState }): ReactNode {
  const latchkey = useLatchkey()
  const text = useSendTranslations()
  const feeText = useTranslations(sendFeeMessages)
  const { account, step, fee, transfer } = state
  const format = useTokenFormat()
  const part = useSendNotices(state, format.now)
  const notices = part.value
  const network = state.chain === undefined ? undefined : latchkey.network(state.chain)
  const currency: FeeCurrency = network?.nativeCurrency ?? { symbol: '', decimals: 18 }
  const networkName = network?.name ?? ''
  // Do not show the form before the notice that the same transfer may already have been sent.
  if (!notices && (!account || transfer.status === 'unknown')) return <FeatureFallback access={part} />
  if (notices && !account) return <notices.NoAccount />

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (send.startReview()) latchkey.modal.push('WalletSendPreview')
  }
  return (
    <form className="send-form" noValidate onSubmit={submit}>
      {notices && <notices.InterruptedTransfer send={send} transfer={transfer} />}
      <SendAmount send={send} state={state} notices={notices} format={format} text={text} />
      <SendRecipientField send={send} state={state} notices={notices} network={networkName} text={text} />
      {state.token && (
        <dl className="facts">
          <div>
            <dt>{feeText('send.fee')}</dt>
            <dd aria-busy={fee.status === 'loading' || undefined}>
              <SendFee state={state} currency={currency} format={format} />
            </dd>
          </div>
        </dl>
      )}
      {notices ? (
        <notices.SendProblems send={send} state={state} currency={currency} network={networkName} />
      ) : (
        part.failed && <FeatureFallback access={part} />
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
