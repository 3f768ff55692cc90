import type { SendState } from '@latchkey/core'
import { formatUnits, multiplyDecimals } from '@latchkey/protocol/amount'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import type { TokenFormat } from '../tokens/useTokenFormat.ts'
import { sendFeeMessages } from './sendFeeMessages.ts'

/** The network's currency, in which fees are paid. */
export interface FeeCurrency {
  readonly symbol: string
  readonly decimals: number
}

/** Formats a fee with at most three significant digits. With a fixed number of decimals, most fees would be shown as zero. */
export function feeAmount(fee: bigint, { symbol, decimals }: FeeCurrency, locale: string): string {
  const format = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })
  return `${format.format(formatUnits(fee, decimals) as Intl.StringNumericLiteral)}\u2009${symbol}`
}

/** Whether the fee could not be estimated because the transfer would fail. */
export function wouldFail(fee: SendState['fee']): boolean {
  return fee.status === 'failed' && fee.error.code === 'send/would-fail'
}

/**
 * Renders the network fee in the network's currency and, if its price is known, in US dollars. If the fee is not available,
 * renders that it is being estimated, that it is unknown, or that the wallet shows it.
 */
export function SendFee({
  state: { fee, native },
  currency,
  format,
}: {
  readonly state: Pick<SendState, 'fee' | 'native'>
  readonly currency: FeeCurrency
  readonly format: TokenFormat
}): ReactNode {
  const text = useTranslations(sendFeeMessages)
  const isSmartAccount = useLatchkey().session()?.details?.type === 'smartAccount'
  // The session is not part of the state. It changes together with `connections`.
  useStore((now) => now.connections)
  const value = fee.value
  if (fee.status === 'idle') return text('send.fee.wallet')
  if (fee.status === 'failed' && !value) return text('send.fee.unknown')
  if (!value) return text('send.fee.loading')
  const fees = isSmartAccount ? value.maxAmount : value.amount
  const coins = feeAmount(fees, currency, text.locale)
  const dollars = native?.price && multiplyDecimals(formatUnits(fees, currency.decimals), native.price.amount)
  const amount = dollars === undefined ? coins : `${coins} (${format.fiat(dollars)})`
  return text.rich(isSmartAccount ? 'send.fee.upTo' : 'send.fee.about', { amount: <bdi>{amount}</bdi> })
}
