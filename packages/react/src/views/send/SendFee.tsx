import type { SendState } from '@latchkey/core'
import { formatUnits, multiplyDecimals } from '@latchkey/protocol/amount'
import type { ReactNode } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import type { TokenFormat } from '../tokens/useTokenFormat.ts'
import { sendFeeMessages } from './sendFeeMessages.ts'

/** The network's currency, in which fees are paid. */
export interface FeeCurrency {
  readonly symbol: string
  readonly decimals: number
}

/** Returns a fee in the network's currency, and in US dollars if the price is known, such as "0.00042 ETH ($1.26)". */
export function feeText(
  fee: bigint,
  { symbol, decimals }: FeeCurrency,
  { native, format, locale }: { native: SendState['native']; format: TokenFormat; locale: string },
): string {
  const coins = feeAmount(fee, { symbol, decimals }, locale)
  const value = native?.price && multiplyDecimals(formatUnits(fee, decimals), native.price.amount)
  return value === undefined ? coins : `${coins} (${format.fiat(value)})`
}

/** Returns a fee with two significant digits. With a fixed number of decimals, most fees would be shown as zero. */
export function feeAmount(fee: bigint, { symbol, decimals }: FeeCurrency, locale: string): string {
  const format = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })
  return `${format.format(formatUnits(fee, decimals) as Intl.StringNumericLiteral)}\u2009${symbol}`
}

/** Renders the network fee, or that it is being estimated, or why it is unknown. */
export function SendFee({
  state: { fee, native },
  currency,
  isSmartAccount,
  format,
}: {
  readonly state: Pick<SendState, 'fee' | 'native'>
  readonly currency: FeeCurrency
  readonly isSmartAccount: boolean
  readonly format: TokenFormat
}): ReactNode {
  const text = useTranslations(sendFeeMessages)
  const value = fee.value
  if (fee.status === 'idle') return text('send.fee.wallet')
  if (fee.status === 'failed' && !value) return text('send.fee.unknown')
  if (!value) return text('send.fee.loading')
  const amount = feeText(isSmartAccount ? value.maxAmount : value.amount, currency, {
    native,
    format,
    locale: text.locale,
  })
  return text.rich(isSmartAccount ? 'send.fee.upTo' : 'send.fee.about', { amount: <bdi>{amount}</bdi> })
}
