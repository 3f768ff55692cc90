import type { Send, SendState, Token } from '@latchkey/core'
import { formatUnits, multiplyDecimals } from '@latchkey/protocol/amount'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { AmountField, TextButton, TokenButton } from '../tokens/AmountField.tsx'
import { isOldPrice } from '../tokens/amountFormat.ts'
import { shownAmount } from '../tokens/amountInput.ts'
import { PriceNote } from '../tokens/PriceNote.tsx'
import type { TokenFormat } from '../tokens/useTokenFormat.ts'
import type { SendTranslator } from './useSendTranslations.ts'

/** Renders the amount in the token or in US dollars, with the token, the value in the other unit, and the balance. */
export function SendAmount({
  send,
  state,
  format,
  text,
}: {
  readonly send: Send
  readonly state: SendState
  readonly format: TokenFormat
  readonly text: SendTranslator
}): ReactNode {
  const latchkey = useLatchkey()
  const { token, unit, amount, amountText, step, isMax, fee } = state
  const symbol = token?.symbol ?? ''
  const isFiat = unit === 'fiat'
  const error =
    step === 'incorrect-amount'
      ? text('send.error.amount', { token: symbol })
      : step === 'insufficient-funds' && token
        ? text('send.error.funds', { amount: exactAmount(token.amount, token, text.locale) })
        : isMax && amount === undefined && fee.status === 'failed'
          ? text('send.fee.maxUnknown')
          : undefined
  return (
    <>
      <AmountField
        label={text('send.amount', { unit: isFiat ? text('send.dollars') : symbol })}
        value={amountText}
        decimals={isFiat ? 2 : (token?.decimals ?? 18)}
        locale={text.locale}
        prefix={isFiat ? '$' : undefined}
        error={error}
        onChange={send.setAmount}
        trailing={
          <TokenButton
            token={token}
            label={text('send.token', { token: symbol })}
            placeholder={text('send.step.select-token')}
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
      {token?.price && isOldPrice(token.price.at, format.now) && <PriceNote price={token.price} format={format} />}
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
      <bdi>{isFiat ? exactAmount(value, token, text.locale) : format.fiat(fiatOf(value, token))}</bdi>{' '}
      <span aria-hidden="true">⇅</span>
    </TextButton>
  )
}

/** Returns the value of an amount in US dollars, as decimal text. `0` if the token has no price. */
export function fiatOf(amount: bigint, { decimals, price }: Pick<Token, 'decimals' | 'price'>): string {
  return multiplyDecimals(formatUnits(amount, decimals), price?.amount ?? '0') ?? '0'
}

/** Returns an amount with all of its digits and the token's symbol. */
export function exactAmount(
  amount: bigint,
  { decimals, symbol }: Pick<Token, 'decimals' | 'symbol'>,
  locale: string,
): string {
  const [whole = '0', fraction] = formatUnits(amount, decimals).split('.')
  const grouped = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).format(BigInt(whole))
  return `${grouped}${fraction === undefined ? '' : shownAmount(`.${fraction}`, locale)}\u2009${symbol}`
}
