import type { Send, SendState, Token } from '@latchkey/core'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { AmountField, TextButton, TokenButton } from '../tokens/AmountField.tsx'
import { exactAmount, fiatValue } from '../tokens/tokenAmounts.ts'
import type { TokenFormat } from '../tokens/useTokenFormat.ts'
import type { SendNotices } from './useSendNotices.ts'
import type { SendTranslator } from './useSendTranslations.ts'

/** Renders the amount in the token or in US dollars, with the token, the value in the other unit, and the balance. */
export function SendAmount({
  send,
  state,
  notices,
  format,
  text,
}: {
  readonly send: Send
  readonly state: SendState
  readonly notices: SendNotices | undefined
  readonly format: TokenFormat
  readonly text: SendTranslator
}): ReactNode {
  const latchkey = useLatchkey()
  const { token, unit, amountText } = state
  const symbol = token?.symbol ?? ''
  const isFiat = unit === 'fiat'
  return (
    <>
      <AmountField
        label={text('send.amount', { unit: isFiat ? text('send.dollars') : symbol })}
        value={amountText}
        decimals={isFiat ? 2 : (token?.decimals ?? 18)}
        locale={text.locale}
        prefix={isFiat ? '$' : undefined}
        error={notices?.amountError(state)}
        onChange={send.setAmount}
        trailing={
          <TokenButton
            token={token}
            label={text('send.token', { token: symbol })}
            placeholder={text('send.step.select-token')}
            disabled={state.step === 'unsupported-chain'}
            onClick={() => latchkey.modal.push('WalletSendSelectToken')}
          />
        }
        below={
          token && (
            <>
              <OtherUnit state={state} token={token} format={format} text={text} onSwitch={send.setUnit} />
              <span className="send-actions">
                <bdi>{text('send.balance', { amount: format.amount(token.amount, token.decimals) })}</bdi>
                <TextButton hint={text('send.maxLabel')} disabled={token.amount === 0n} onClick={send.setMax}>
                  {text('send.max')}
                </TextButton>
              </span>
            </>
          )
        }
      />
      {notices && <notices.OldPrice token={token} format={format} />}
    </>
  )
}

/** Renders the amount in the other unit. Clicking it switches the units. */
function OtherUnit({
  state: { unit, amount },
  token,
  format,
  text,
  onSwitch,
}: {
  readonly state: SendState
  readonly token: Token
  readonly format: TokenFormat
  readonly text: SendTranslator
  readonly onSwitch: (unit: SendState['unit']) => void
}): ReactNode {
  if (!token.price && unit === 'token') return <span>{format.text('tokens.noPrice')}</span>
  const value = amount ?? 0n
  const isFiat = unit === 'fiat'
  return (
    <TextButton
      hint={text(isFiat ? 'send.inToken' : 'send.inFiat', { token: token.symbol })}
      onClick={() => onSwitch(isFiat ? 'token' : 'fiat')}
    >
      <bdi>{isFiat ? exactAmount(value, token, text.locale) : `≈ ${format.fiat(fiatValue(value, token) ?? '0')}`}</bdi>{' '}
      <span aria-hidden="true">⇅</span>
    </TextButton>
  )
}
